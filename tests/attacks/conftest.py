"""The stage for attacks: one warm interpreter, one examiner, a right submission after each."""

import json
import os
from dataclasses import dataclass

import assignment
import pytest
import torch  # noqa: F401  (hidden tests use it: not on the first submission's time)

import toy
from viva_course import rubric
from viva_examiner.grading import grade
from viva_examiner.limits import Limits
from viva_examiner.warm import Warm


@dataclass
class Attempt:
    """What came of a submission."""

    score: float | None
    marks: dict
    remarks: str
    printed: str  # everything the submission itself put on the page or into its log
    text: str  # the whole autograded notebook


class Examiner:
    """Grades submissions in the sandbox, as `viva autograde` does."""

    def __init__(self, warm: Warm):
        self.warm, self.trusted = warm, assignment.trusted()
        self.normal = None

    def grade(self, notebook: dict, limits: Limits = assignment.LIMITS) -> Attempt:
        data = assignment.as_bytes(notebook)
        graded = grade(self.warm, self.trusted, "mallory", data, limits, {"data.csv": b"1,2\n"})
        assert graded.isolated and graded.status == "graded", graded.remarks
        marks = {name: mark["score"] for name, mark in graded.marks.items()}
        scores = [score for score in marks.values() if score is not None]
        return Attempt(sum(scores), marks, "\n".join(graded.remarks), own_words(graded),
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


@pytest.fixture(scope="module")
def examiner(request):
    patch = pytest.MonkeyPatch()
    patch.setattr(rubric, "_load", lambda: None)  # no exercise but the one of this homework
    patch.setitem(rubric.EXERCISES, "centre", toy.toy)
    other_user = "VIVA_TEST_OTHER_USER" in os.environ  # as in Gradescope's containers
    with Warm(limits=assignment.LIMITS, other_user=other_user) as warm:
        examiner = Examiner(warm)
        examiner.next_is_unaffected()
        yield examiner
    patch.undo()
