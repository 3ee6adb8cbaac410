"""One submission examined once more, to explain its marks. Nothing is written anywhere.

Student code runs in the sandbox, as always. The course library notes what every question asks and
what comes back (`witness`), where it can.
"""

from dataclasses import dataclass, field, replace

from viva.nearest import did_you_mean
from viva_examiner.autograde import pool
from viva_examiner.autograde.agenda import Job
from viva_examiner.course import Course
from viva_examiner.examination.orders import order_of
from viva_examiner.failure import Failure
from viva_examiner.gradebook import autograded
from viva_examiner.gradebook.released_rows import load
from viva_examiner.gradebook.submissions import Submission, submissions
from viva_examiner.records import Graded, Remark, Rubric


class CannotExplain(Failure):
    """There is nothing to explain; the message says what to do."""


@dataclass
class Test:
    """One test of a submission: its mark now, the one on record, and the rubric's accounts."""

    name: str
    score: float | None
    points: float
    recorded: float | None  # the mark of the last autograding
    reason: str = ""
    rubric: tuple[Rubric, ...] = ()

    @property
    def exercise(self) -> str:
        """The word that the exercise is known by."""
        return next((each.exercise for each in self.rubric), self.name.removeprefix("test_"))


@dataclass
class Explanation:
    """What a student asked for: every test, or those of one exercise."""

    student: str
    homework: str
    tests: list[Test]
    remarks: list[Remark] = field(default_factory=list)
    status: str = "graded"

    @property
    def changed(self) -> list[Test]:
        """Tests whose mark on record is another than the exam would give now."""
        known = any(test.recorded is not None for test in self.tests)
        return [test for test in self.tests if known and test.score != test.recorded]


def explain(course: Course, homework: str, student: str, exercise: str = "") -> Explanation:
    """Examine one submission again and tell about it. Raises CannotExplain, Unreleased."""
    released = load(course, homework)
    submission = _submission(course, homework, student)
    order = replace(order_of(course, released), witness=True)
    contents = submission.read()
    works = [replace(submission.work(contents, each.notebook), marks_only=True)
             for each in released]
    jobs = [Job(student, homework, work.notebook, work.to_bytes) for work in works]
    explanation = Explanation(student, homework, [])
    for graded in pool.run(jobs, order, 1):
        old = autograded.stored(course, submission, graded.notebook)
        explanation.tests += _tests(graded, old)
        explanation.remarks += graded.remarks
        explanation.status = graded.status if graded.status != "graded" else explanation.status
    if exercise:
        explanation.tests = _chosen(explanation.tests, exercise)
    return explanation


def _submission(course: Course, homework: str, student: str) -> Submission:
    found = {each.student: each for each in submissions(course, homework)}
    if student not in found:
        raise CannotExplain(f"{student} has not handed in {homework}"
                            f"{did_you_mean(student, found)}")
    return found[student]


def _tests(graded: Graded, old: Graded | None) -> list[Test]:
    """The tests that carry points, in the notebook's order."""
    before = {name: mark.score for name, mark in old.marks.items()} if old is not None else {}
    return [Test(name, mark.score, mark.points, before.get(name), mark.reason, mark.rubric)
            for name, mark in graded.tests.items() if mark.points]


def _chosen(tests: list[Test], exercise: str) -> list[Test]:
    found = [test for test in tests if exercise in (test.exercise, test.name)]
    if not found:
        names = [test.exercise for test in tests]
        raise CannotExplain(f"there is no exercise {exercise} in this homework"
                            f"{did_you_mean(exercise, names) or '; it has ' + ', '.join(names)}")
    return found
