"""Questions of the kind "memory": how the peak of a call's memory grows when a size doubles.

Measured, not argued: the call runs with N, 2 N and 4 N, and both steps must grow alike. Only what
numpy allocates is counted, so functions that work with torch are not asked about. Time is not
stable enough to be asked about.
"""

import itertools
import random
import tracemalloc
from collections.abc import Iterator, Sequence
from typing import Any

from viva.voce.question import Question
from viva.voce.running import quiet, run
from viva.voce.subject import libraries, use_of

FACTORS = (1, 2, 4, 8)  # by which memory may grow
WORDS = {1: "it stays about the same", 2: "about 2 times as much", 4: "about 4 times as much",
         8: "about 8 times as much"}
TOLERANCE = 0.12  # of a factor; a linear part next to a quadratic one must be small
STEPS = 500  # lines that the first call may execute
LEAST = 50_000  # bytes; below, the interpreter's own objects count as much as the arrays


def growing(name: str, call: str, smallest: int, text: str, globals_: dict[str, Any],
            seed: str) -> Iterator[Question]:
    """One question about one call in which N stands for a size; none if it grows unevenly."""
    use = use_of(name, call, globals_ | {"N": smallest})
    if run(text, name, globals_, use, most=STEPS).failed:
        return  # also where it loops over all tokens: to measure that would take too long
    sizes = [smallest, 2 * smallest, 4 * smallest]
    peaks = [peak(call, globals_ | {"N": size}) for size in sizes]
    factor = factor_of(peaks)
    if not factor:
        return
    factors = list(FACTORS)
    random.Random(f"{seed} {call}").shuffle(factors)
    yield Question("memory", name, call, text, tuple(WORDS[each] for each in factors),
                   factors.index(factor), results=tuple(f"{taken / 1e6:.2f}" for taken in peaks),
                   programs=(text,), times=smallest)


def factor_of(peaks: Sequence[int]) -> int:
    """The one factor by which memory grew at each doubling; 0 if there is none."""
    if min(peaks) < LEAST:
        return 0
    ratios = [later / earlier for earlier, later in itertools.pairwise(peaks)]
    fitting = [factor for factor in FACTORS
               if all(abs(ratio / factor - 1) < TOLERANCE for ratio in ratios)]
    return fitting[0] if len(fitting) == 1 else 0


def peak(call: str, names: dict[str, Any]) -> int:
    """Bytes that a call takes at its peak, in its second run; 0 if it fails.

    Its arguments are made beforehand: what they take is not counted.
    """
    function, _, arguments = call.partition("(")
    every = libraries() | names
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        with quiet():
            args, kwargs = eval(f"(lambda *args, **kwargs: (args, kwargs))({arguments}", every)
            every[function](*args, **kwargs)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            every[function](*args, **kwargs)
            return tracemalloc.get_traced_memory()[1] - before
    except Exception:
        return 0
    finally:
        if not was_tracing:
            tracemalloc.stop()
