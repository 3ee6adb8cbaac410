"""How much memory a call takes, for the public cases of the lesson's main rule."""
import tracemalloc
from collections.abc import Callable


def size_word(peak: float, megabytes: float, name: str) -> str:
    """Whether a peak has room for an array of so many megabytes: which tells causes apart."""
    return f"room for {name}" if peak > 0.9 * megabytes else f"no room for {name}"


def with_peak(call: Callable, *args: object) -> tuple[object, float]:
    """(the answer of call(*args), the peak of the memory it took in MB).

    What numpy allocates is counted, wherever in the call it happens. A notebook that traces its
    own memory goes on doing so.
    """
    traced = tracemalloc.is_tracing()
    if not traced:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        answer = call(*args)
        return answer, (tracemalloc.get_traced_memory()[1] - before) / 1e6
    finally:
        if not traced:
            tracemalloc.stop()
