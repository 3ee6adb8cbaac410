"""Every exercise of `optimizers`: right earns all, wrong loses, constants earn nothing."""
import numpy as np
import pytest

from exam_checks import check_exercise, check_public
from viva.tables import exercises_of
from viva_course.rubric import exercises

EXERCISES = exercises("optimizers")


@pytest.mark.parametrize("name", EXERCISES)
def test_exercise(name):
    check_exercise(EXERCISES[name])
    check_public(EXERCISES[name])


def test_points_add_up_to_ninety_and_ten_written():
    assert sum(exercise.points for exercise in EXERCISES.values()) == 90
    assert set(exercises_of("optimizers")) == set(EXERCISES)


CONSTANTS = {
    "zero": lambda *args, **kwargs: 0.0,
    "one": lambda *args, **kwargs: 1.0,
    "none": lambda *args, **kwargs: None,
    "zeros like the first argument": lambda *args, **kwargs: np.zeros_like(args[0]),
    "the first argument": lambda *args, **kwargs: args[0],
    "two zeros": lambda *args, **kwargs: (np.zeros_like(args[0]), np.zeros_like(args[0])),
    "the first two arguments": lambda *args, **kwargs: args[:2],
    "theta and an empty state": lambda *args, **kwargs: (args[0], {}),
    "theta and the state": lambda *args, **kwargs: (args[0], args[2]),
}


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("answer", CONSTANTS)
def test_constants_earn_nothing(name, answer):
    exercise = EXERCISES[name]
    report = exercise.examine((CONSTANTS[answer],) * len(exercise.reference), "constants")
    assert report.score == 0, report
