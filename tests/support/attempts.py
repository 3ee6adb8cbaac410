"""Attacks as submissions: read from their files, graded as `viva autograde` does, and judged.

An attack is the text of a cell. Its first lines say what it tries and what is expected:

    # Tries: one sentence
    # Deserves: points that honest code of that quality gets (0)
    # Told: words that the TA's remarks must hold
    # Says: words that the submission itself must have printed (it really did try)
    # Place: work (behind the honest code), before, or after
    # Limits: cell_seconds=1, ...
    # Stock: safe (may also be shown to stock nbgrader, outside any sandbox)

What follows a line `# %% after the tests` is a second cell, behind them: it says what came of it.
"""

import dataclasses
import json
import os
import re
from pathlib import Path

import torch  # noqa: F401  (hidden tests use it: not on the first submission's time)

import assignment
from viva_examiner.examination.grade import grade
from viva_examiner.limits import Limits
from viva_examiner.records import Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

FOLDER = Path(__file__).resolve().parents[1] / "attacks"
ATTACKS = sorted(FOLDER.glob("*/*.py"))


def read(path: Path) -> tuple[dict, str]:
    """The header of an attack and its code."""
    text = path.read_text()
    return dict(re.findall(r"^# (\w+): (.*)$", text, re.MULTILINE)), text


def build(path: Path) -> tuple[dict, dict, str]:
    """(header, notebook, code) of an attack."""
    head, text = read(path)
    code, _, later = text.partition("# %% after the tests\n")
    place = head.get("Place", "work")
    cells = {"code": assignment.HONEST_ZERO, "after": later}
    cells |= {"code": assignment.HONEST_ZERO + code} if place == "work" else {place: code}
    return head, assignment.submission(**cells), text


def limits_of(head: dict) -> Limits:
    """The suite's limits with those the attack asks for."""
    pairs = (pair.split("=") for pair in head.get("Limits", "").split(",") if pair)
    wanted = {key.strip(): int(value) for key, value in pairs}
    return dataclasses.replace(assignment.LIMITS, **wanted)


@dataclasses.dataclass
class Attempt:
    """What came of a submission."""

    score: float | None
    marks: dict
    remarks: str
    printed: str  # everything the submission itself put on the page or into its log
    text: str  # the whole autograded notebook


class Examiner:
    """Grades submissions in the sandbox, as `viva autograde` does."""

    def __init__(self, warm: WarmInterpreter):
        self.warm, self.released = warm, assignment.released()
        self.normal = None

    def grade(self, notebook: dict, limits: Limits = assignment.LIMITS) -> Attempt:
        data = assignment.as_bytes(notebook)
        work = Work(data, {"data.csv": b"1,2\n"}, student="mallory")
        graded = grade(self.warm, self.released, work, limits)
        assert graded.isolated and graded.status == "graded", graded.remarks
        marks = {name: mark.score for name, mark in graded.marks.items()}
        scores = [score for score in marks.values() if score is not None]
        return Attempt(sum(scores), marks, "\n".join(map(str, graded.remarks)), own_words(graded),
                       graded.text)

    def next_is_unaffected(self) -> None:
        """A right submission handed in now gets what it always gets, word for word."""
        attempt = self.grade(assignment.submission(assignment.RIGHT))
        assert attempt.score == assignment.POINTS and attempt.remarks == "", attempt
        if self.normal is None:
            self.normal = attempt.printed
        assert attempt.printed == self.normal


def own_words(graded) -> str:
    """Outputs of the cells that are not tests, and the log: all that a submission can say."""
    cells = json.loads(graded.text)["cells"]
    outputs = [cell.get("outputs") for cell in cells if cell["id"] not in assignment.TESTS]
    return json.dumps(outputs) + graded.log


def judge(head: dict, attempt) -> None:
    """What the attack got is what it deserves, and it was told and says what its head says."""
    assert attempt.score == float(head.get("Deserves", "0").split()[0]), attempt.marks
    assert assignment.CANARY not in attempt.printed
    assert os.environ["VIVA_SECRET"] not in attempt.printed
    assert len(attempt.text.encode()) < 2_000_000  # and it can be written
    for words in filter(None, head.get("Told", "").split(" | ")):
        assert words in attempt.remarks, attempt.remarks
    for words in filter(None, head.get("Says", "").split(" | ")):
        assert words in attempt.printed or refused_early(attempt), attempt.printed[-2000:]


def refused_early(attempt) -> bool:
    """As another user without a cage (as on Gradescope), the first step may be refused already."""
    refused = re.search("PermissionError|Permission denied", attempt.printed)
    return "VIVA_TEST_OTHER_USER" in os.environ and refused is not None
