"""Every exercise of kernel_attention: marks of right, wrong and untouched solutions."""

import inspect

import numpy as np
import pytest

from exam_checks import check_exercise, check_public
from viva_course.rubric import exercises

EXERCISES = exercises("kernel_attention")


@pytest.mark.parametrize("name", EXERCISES)
def test_right_gets_all_wrong_loses_untouched_gets_nothing(name):
    check_exercise(EXERCISES[name])
    check_public(EXERCISES[name])


def constant(reference, value):
    """A function (or class) with the reference's signature that always returns one value."""
    if not inspect.isclass(reference):
        return lambda *args, **kwargs: value
    methods = {"__init__": lambda self, *args, **kwargs: None}
    methods |= {m: lambda self, *args: value for m in ("step", "reset", "forward", "__call__")}
    return type(reference.__name__, (), methods)


@pytest.mark.parametrize("value", [0.0, 1.0, None, np.zeros((5, 2)), np.ones((7, 3))])
@pytest.mark.parametrize("name", EXERCISES)
def test_a_constant_gets_nothing(name, value):
    candidates = tuple(constant(each, value) for each in EXERCISES[name].reference)
    report = EXERCISES[name].examine(candidates, "constants")
    assert report.score == 0, report
