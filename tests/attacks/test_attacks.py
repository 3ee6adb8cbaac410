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
    assert all("Tries" in read(path)[0] for path in ATTACKS)
