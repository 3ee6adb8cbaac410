"""The state of a process that a test in the same process could see, besides names and arguments."""

import builtins
import contextlib
import decimal
import math
import os
import random
import sys
import warnings
from collections.abc import Iterator

MODULES = (builtins, math, random, os)  # whose names a student's code might replace


def state() -> tuple:
    """Equal before and after a call that has left the process alone. It takes microseconds."""
    found: list[object] = []
    with contextlib.suppress(Exception):  # a student's code may have put anything anywhere
        found.extend(_parts())
    return tuple(found)


def _parts() -> Iterator[object]:
    yield os.getcwd(), frozenset(os.environ.items()), tuple(sys.path), decimal.getcontext().prec
    yield sys.getrecursionlimit(), len(warnings.filters)
    for module in MODULES:
        yield hash(tuple(map(id, vars(module).values())))
    if (torch := sys.modules.get("torch")) is not None:
        yield torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads()
        yield torch.are_deterministic_algorithms_enabled()
    if (numpy := sys.modules.get("numpy")) is not None:
        yield len(vars(numpy)), *map(id, (numpy.mean, numpy.sum, numpy.dot, numpy.random.rand))
        yield str(numpy.geterr()), str(numpy.get_printoptions())
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        figures = pyplot.get_fignums()
        axes = pyplot.gcf().axes if figures else ()
        yield tuple(figures), tuple(len(each.get_children()) for each in axes)
