"""A name that nobody knows, and the one that was probably meant."""

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """" (did you mean …?)" with the nearest of the known names; empty if none is near."""
    by_small = {each.lower(): each for each in sorted(known)}
    near = difflib.get_close_matches(name.lower(), by_small, n=1, cutoff=0.6)
    return f"; did you mean {by_small[near[0]]}?" if near else ""
