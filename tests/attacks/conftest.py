"""The stage for attacks: one warm interpreter, one examiner, a right submission after each."""

import os

import pytest

import assignment
import toy
from attempts import Examiner
from viva_course import rubric
from viva_examiner.sandbox.interpreter import WarmInterpreter


@pytest.fixture(scope="module")
def examiner(request):
    patch = pytest.MonkeyPatch()
    patch.setattr(rubric, "_load", lambda: None)  # no exercise but the one of this homework
    patch.setitem(rubric.EXERCISES, "centre", toy.toy)
    other_user = "VIVA_TEST_OTHER_USER" in os.environ  # as in Gradescope's containers
    with WarmInterpreter(limits=assignment.LIMITS, other_user=other_user) as warm:
        examiner = Examiner(warm)
        examiner.next_is_unaffected()
        yield examiner
    patch.undo()
