"""Every file in this folder's parts is a submission that tries something. None may succeed."""

import time

import pytest

from attempts import ATTACKS, build, judge, limits_of, read
from viva_examiner.sandbox.clock import WALL_FACTOR


@pytest.mark.parametrize("path", ATTACKS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_attack(examiner, path):
    head, notebook, _ = build(path)
    limits, began = limits_of(head), time.monotonic()
    attempt = examiner.grade(notebook, limits)
    assert time.monotonic() - began < WALL_FACTOR * limits.submission_seconds  # on a busy machine
    judge(head, attempt)
    examiner.next_is_unaffected()


def test_there_are_enough_attacks():
    assert len(ATTACKS) >= 40


@pytest.mark.parametrize("path", ATTACKS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_an_attack_states_what_it_must_see(path):
    """Else it would pass without having tried anything, say when a path in it went stale."""
    head, _ = read(path)
    assert "Tries" in head and ("Says" in head or "Told" in head)
