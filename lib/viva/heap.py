"""Free memory goes back to the system, so that the next call is seen to take what it takes."""

import ctypes
import sys

from viva.case import beside


@beside
def give_back(candidate) -> None:
    """In the candidate's process: what was freed there but kept for reuse (glibc's malloc_trim)."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other C libraries have none
        if trim is not None:
            trim(0)
