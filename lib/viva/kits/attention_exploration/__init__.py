"""The text that the notebook attention_exploration reads: Shakespeare's Coriolanus (about 1608)."""

import json
from pathlib import Path


def _part(name: str) -> str:
    found = json.loads((Path(__file__).parent / "coriolanus.json").read_text(encoding="utf-8"))
    return "\n".join(found[name])


def play() -> str:
    """The opening: act I, scenes 1 and 2."""
    return _part("opening")


def unseen() -> str:
    """Act I, scene 3, which no reader is trained on."""
    return _part("unseen")


def rest() -> str:
    """From act I, scene 4, to the end."""
    return _part("rest")
