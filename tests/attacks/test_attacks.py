"""Every file in this folder's parts is a submission that tries something. None may succeed.

An attack is the text of a cell. Its first lines say what it tries and what is expected:

    # Tries: one sentence
    # Deserves: points that honest code of that quality gets (0)
    # Told: words that the TA's remarks must hold
    # Says: words that the submission itself must have printed (it really did try)
    # Place: work (behind the honest code), before, or after
    # Limits: cell_seconds=1, ...
    # Stock: safe (may also be shown to stock nbgrader, outside any sandbox)
"""

import dataclasses
import os
import re
import time
from pathlib import Path

import assignment
import pytest

FOLDER = Path(__file__).parent
ATTACKS = sorted(FOLDER.glob("*/*.py"))


def read(path: Path) -> tuple[dict, str]:
    """The header of an attack and its code."""
    text = path.read_text()
    return dict(re.findall(r"^# (\w+): (.*)$", text, re.MULTILINE)), text


def build(path: Path) -> tuple[dict, dict, str]:
    """(header, notebook, code) of an attack."""
    head, code = read(path)
    place = head.get("Place", "work")
    if place == "work":
        return head, assignment.submission(assignment.HONEST_ZERO + code), code
    return head, assignment.submission(assignment.HONEST_ZERO, **{place: code}), code


def limits_of(head: dict):
    """The suite's limits with those the attack asks for."""
    pairs = (pair.split("=") for pair in head.get("Limits", "").split(",") if pair)
    wanted = {key.strip(): int(value) for key, value in pairs}
    return dataclasses.replace(assignment.LIMITS, **wanted)


def host_processes() -> set[str]:
    return {name for name in os.listdir("/proc") if name.isdigit()}


def refused_early(attempt) -> bool:
    """As another user without a cage (as on Gradescope), the first step may be refused already."""
    refused = re.search("PermissionError|Permission denied", attempt.printed)
    return "VIVA_TEST_OTHER_USER" in os.environ and refused is not None


@pytest.mark.parametrize("path", ATTACKS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_attack(examiner, path):
    head, notebook, _ = build(path)
    began = time.monotonic()
    attempt = examiner.grade(notebook, limits_of(head))
    assert time.monotonic() - began < 60
    judge(head, attempt)
    examiner.next_is_unaffected()


def judge(head: dict, attempt) -> None:
    """What the attack got is what it deserves, and it was told and says what its head says."""
    assert attempt.score == float(head.get("Deserves", "0").split()[0]), attempt.marks
    assert assignment.CANARY not in attempt.printed
    assert os.environ["VIVA_SECRET"] not in attempt.printed
    assert len(attempt.text) < 2_000_000
    for words in filter(None, head.get("Told", "").split(" | ")):
        assert words in attempt.remarks, attempt.remarks
    for words in filter(None, head.get("Says", "").split(" | ")):
        assert words in attempt.printed or refused_early(attempt), attempt.printed[-2000:]


def test_there_are_enough_attacks():
    assert len(ATTACKS) >= 40
    assert all("Tries" in read(path)[0] for path in ATTACKS)
