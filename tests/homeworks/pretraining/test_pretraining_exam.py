"""The exam of `pretraining`: right solutions get all points, wrong ones lose some."""

import pytest

from exam_checks import check_exercise, check_public
from viva_course.rubric import exercises

EXERCISES = exercises("pretraining")


@pytest.mark.parametrize("name", EXERCISES)
def test_right_gets_all_wrong_loses_untouched_gets_nothing(name):
    check_exercise(EXERCISES[name])
    check_public(EXERCISES[name])


@pytest.mark.parametrize("name", EXERCISES)
def test_a_constant_a_refusal_or_the_first_argument_gets_nothing(name):
    def refuse(*args, **kwargs):
        raise ValueError("no")

    def echo(first, *args, **kwargs):
        return first

    for candidate in (refuse, echo, lambda *args, **kwargs: 0.5, lambda *args, **kwargs: []):
        candidates = (candidate,) * len(EXERCISES[name].reference)
        assert EXERCISES[name].examine(candidates, "refusals").score == 0


@pytest.mark.parametrize("secret", map(str, range(3)))
def test_chance_never_costs_a_right_solution_points(secret):
    for name in ("span_corrupt", "train_gpt"):
        for right in (EXERCISES[name].reference,
                      *(each.candidates for each in EXERCISES[name].variants)):
            assert EXERCISES[name].examine(right, secret).score == EXERCISES[name].points
