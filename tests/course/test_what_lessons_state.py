"""Every claim of every lesson, with its first seed; `make claims` tries all seeds.

What has been proven, and nothing has changed since, is not tried again.
"""

import resource

import pytest
import torch  # noqa: F401  once: else every section's fork imports it, a second each

import viva_course
from repository import ROOT
from viva_examiner.claims.proof_table import problems
from viva_examiner.claims.proofs import proofs_of
from viva_examiner.course import Course

COURSE = Course(ROOT)
STATED = [name for name in COURSE.homeworks() if viva_course.claims_of(name) is not None]
SECONDS = 180  # of processor time for all of them, and their cells (docs/staff.md)
spent: list[float] = []


def seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize("homework", STATED)
def test_what_the_lesson_states_is_true(homework):
    before = seconds_of_children()
    proofs = proofs_of(COURSE, homework, viva_course.claims_of(homework))
    assert problems(proofs) == []
    spent.append(seconds_of_children() - before)
    assert sum(spent) < SECONDS, "let claims share what they run"
