"""The exam of `purification`: right solutions get all points, wrong ones lose some."""

import pytest
from exam_checks import check_exercise, check_public

from viva_course.rubric import exercises

EXERCISES = exercises("purification")


@pytest.mark.parametrize("name", EXERCISES)
def test_exercise(name):
    check_exercise(EXERCISES[name])


@pytest.mark.parametrize("name", EXERCISES)
def test_public_cases(name):
    check_public(EXERCISES[name])
