"""The exam of `graph_networks`: right solutions get all points, wrong ones lose some."""

import numpy as np
import pytest

from exam_checks import check_exercise, check_public
from viva_course.rubric import exercises

EXERCISES = exercises("graph_networks")


@pytest.mark.parametrize("name", EXERCISES)
def test_right_gets_all_wrong_loses_untouched_gets_nothing(name):
    check_exercise(EXERCISES[name])
    check_public(EXERCISES[name])


@pytest.mark.parametrize("answer", [0.0, 1.0, True, False, np.zeros(3), None])
@pytest.mark.parametrize("name", EXERCISES)
def test_a_constant_gets_nothing(name, answer):
    exercise = EXERCISES[name]
    constant = (lambda *args, **kwargs: answer,) * len(exercise.candidates)
    assert exercise.examine(constant, "constants").score == 0


@pytest.mark.parametrize("name", EXERCISES)
def test_a_refusal_or_the_first_argument_gets_nothing(name):
    def refuse(*args, **kwargs):
        raise ValueError("no")

    for candidate in (refuse, lambda first, *args, **kwargs: first):
        exercise = EXERCISES[name]
        assert exercise.examine((candidate,) * len(exercise.candidates), "refusals").score == 0


@pytest.mark.parametrize("name", ["is_permutation_invariant", "refine_colors", "mean_twins",
                                  "spread_labels", "relative_spread"])
def test_chance_never_costs_a_right_solution_points(name):
    exercise = EXERCISES[name]
    for secret in map(str, range(8)):
        for right in (exercise.reference, *(each.candidates for each in exercise.variants)):
            assert exercise.examine(right, secret).score == exercise.points
