"""A name that nobody knows, and the one that was probably meant."""

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most like this one; empty if none is near."""
    by_small = {each.lower(): each for each in sorted(known)}
    near = difflib.get_close_matches(name.lower(), by_small, n=1, cutoff=0.6)
    return by_small[near[0]] if near else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """"; did you mean …?" with the nearest of the known names; empty if none is near."""
    near = nearest(name, known)
    return f"; did you mean {near}?" if near else ""
