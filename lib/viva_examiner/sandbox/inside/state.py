"""The state of a process that a test in the same process could see, beside names and arguments."""

import builtins
import decimal
import math
import os
import random
import sys
import warnings

MODULES = (builtins, math, random, os)  # whose names a student's code might replace


def state() -> tuple:
    """Equal before and after a call that has left the process alone. It takes microseconds."""
    found: list[object] = [os.getcwd(), len(os.environ), decimal.getcontext().prec,
                           sys.getrecursionlimit(), len(warnings.filters)]
    found += [hash(tuple(map(id, vars(module).values()))) for module in MODULES]
    if (numpy := sys.modules.get("numpy")) is not None:
        found += [len(vars(numpy)), *map(id, (numpy.mean, numpy.sum, numpy.dot, numpy.random.rand)),
                  str(numpy.geterr()), str(numpy.get_printoptions())]
    if (torch := sys.modules.get("torch")) is not None:
        found += [torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads(),
                  torch.are_deterministic_algorithms_enabled()]
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        figures = pyplot.get_fignums()
        axes = pyplot.gcf().axes if figures else ()
        found += [tuple(figures), tuple(len(each.get_children()) for each in axes)]
    return tuple(found)
