"""The secret seed of the hidden inputs in this process: the one place where it is put and found."""

import os

VARIABLE = "VIVA_SECRET"  # where the course's library looks for it


def hand_over(secret: str) -> None:
    """From now on the course's library makes its hidden inputs from this."""
    os.environ[VARIABLE] = secret


def handed_over() -> str:
    """What `hand_over` was given; empty if it never was."""
    return os.environ.get(VARIABLE, "")
