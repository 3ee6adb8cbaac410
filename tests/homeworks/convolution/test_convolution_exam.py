"""Every exercise of `convolution`: right is right, wrong loses, untouched earns nothing."""

import pytest

from exam_checks import check_exercise, check_public
from viva_course.rubric import exercises

EXERCISES = exercises("convolution")


@pytest.mark.parametrize("name", EXERCISES)
def test_the_exam(name):
    check_exercise(EXERCISES[name])


@pytest.mark.parametrize("name", EXERCISES)
def test_the_public_cases(name):
    check_public(EXERCISES[name])
