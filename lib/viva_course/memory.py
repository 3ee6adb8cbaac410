"""A question with little memory: the kernel refuses more, whatever the call does or says.

The limit is one of address space (RLIMIT_AS), set from outside on the process in which the
candidate runs. Unlike resident memory it is the same in every run, on a busy machine too: what is
asked for counts, not what happens to be in place. An array that does not fit raises MemoryError at
once, so a forbidden one may be as large as we like.
"""

import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path

from viva import seam
from viva.heap import take_buffers
from viva_course.parts import ItemLost

MEGA = 2**20
REFUSED = (  # words of torch, of an answer that is too large to send, of a question to read
    "can't allocate memory", "not enough memory", "MemoryError", "PyObject pointer is null")


@contextlib.contextmanager
def at_most(mb: float, candidate) -> Iterator[None]:
    """In this block the candidate's process gets at most `mb` MB beyond what it has now.

    Raises Lost where that is too little, or where a process of the candidate's could
    hold the memory instead. Elsewhere than on Linux there is no such limit, and none is set.
    """
    if not hasattr(resource, "prlimit"):
        yield
        return
    take_buffers(candidate)
    limited = seam.limiter(candidate) or _limited_here
    try:
        with limited(mb) as done:
            if not done:
                raise ItemLost("condition", "the notebook has left another process running; memory "
                           "is asked of the function's own")
            yield
    except Exception as error:
        if not _is_refused(error):
            raise
        raise ItemLost("memory", f"it needed more than {mb:.3g} MB of memory") from None


@contextlib.contextmanager
def _limited_here(mb: float) -> Iterator[bool]:
    """The same for a candidate in this very process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = space + int(mb * MEGA)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield True
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _is_refused(error: Exception) -> bool:
    return isinstance(error, MemoryError) or any(words in str(error) for words in REFUSED)
