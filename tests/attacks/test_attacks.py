"""Every file in this folder's parts is a submission that tries something. None may succeed."""

import time

import pytest

from attempts import ATTACKS, build, judge, limits_of, read


@pytest.mark.parametrize("path", ATTACKS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_attack(examiner, path):
    head, notebook, _ = build(path)
    began = time.monotonic()
    attempt = examiner.grade(notebook, limits_of(head))
    assert time.monotonic() - began < 60
    judge(head, attempt)
    examiner.next_is_unaffected()


def test_there_are_enough_attacks():
    assert len(ATTACKS) >= 40


@pytest.mark.parametrize("path", ATTACKS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_an_attack_states_what_it_must_see(path):
    """Else it would pass without having tried anything, say when a path in it went stale."""
    head, _ = read(path)
    assert "Tries" in head and ("Says" in head or "Told" in head)
