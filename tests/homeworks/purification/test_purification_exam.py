"""The exam of `purification`: right solutions get all points, wrong ones lose some."""

import numpy as np
import pytest

from exam_checks import check_exercise, check_public
from viva_course.rubric import exercises

EXERCISES = exercises("purification")


@pytest.mark.parametrize("name", EXERCISES)
def test_right_gets_all_wrong_loses_untouched_gets_nothing(name):
    check_exercise(EXERCISES[name])
    check_public(EXERCISES[name])


def constant(reference, fill):
    """A function that returns the reference's shapes, filled with one number."""

    def filled(answer):
        if isinstance(answer, tuple | list):
            return type(answer)(filled(each) for each in answer)
        return np.full(answer.shape, fill) if isinstance(answer, np.ndarray) else fill

    def function(*args, **kwargs):
        try:
            return filled(reference(*args, **kwargs))
        except ValueError:
            return fill

    return function


@pytest.mark.parametrize("fill", [0.0, 1.0])
@pytest.mark.parametrize("name", EXERCISES)
def test_a_constant_gets_nothing(name, fill):
    candidates = tuple(constant(each, fill) for each in EXERCISES[name].reference)
    report = EXERCISES[name].examine(candidates, "constants")
    assert report.score == 0, report


@pytest.mark.parametrize("name", EXERCISES)
def test_a_refusal_of_everything_gets_nothing(name):
    def refuse(*args, **kwargs):
        raise ValueError("no")

    report = EXERCISES[name].examine((refuse,) * len(EXERCISES[name].reference), "refusals")
    assert report.score == 0, report
