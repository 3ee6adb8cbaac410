"""Every exercise of `linear_foundations`: right is right, wrong loses, untouched earns nothing."""

import pytest

from exam_checks import check_exercise, check_public
from viva_course.rubric import exercises

EXERCISES = exercises("linear_foundations")


@pytest.mark.parametrize("name", EXERCISES)
def test_exercise(name):
    check_exercise(EXERCISES[name])
    check_public(EXERCISES[name])
