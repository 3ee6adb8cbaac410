"""Probes of the course's classes: each gives questions about the reference solution."""

import pytest

from viva.voce.material import material
from viva.voce.probes import probes_of
from viva_course import exercises

CLASSES = ["RunningMean", "RidgeAttentionState", "LinearAttentionState"]


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_is_asked_about(name):
    exercise = exercises()[name]
    assert probes_of(name)
    found = material(name, exercise.reference, "seed")
    assert {"now", "predict"} <= {question.kind for question in found}
    assert all("\n" in question.call and "last line" in question.words for question in found)
