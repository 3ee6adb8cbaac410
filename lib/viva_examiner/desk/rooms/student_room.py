"""One student: all homeworks, and of one of them everything that led to its mark."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.api import Student
from tornado import web

from viva.log import LOG_NAME, turns
from viva_examiner.autograde.wanted import ask_for
from viva_examiner.desk import notebook_view, runs
from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.layout import day
from viva_examiner.desk.remembered import DeskState
from viva_examiner.desk.rooms.files_room import explained, feedback_of
from viva_examiner.desk.rooms.place import NAME
from viva_examiner.examination import submission_log
from viva_examiner.gradebook import class_roster, follow_ups, ledger, published
from viva_examiner.gradebook.by_hand import ByHand, Conflict
from viva_examiner.gradebook.ledger_words import in_words
from viva_examiner.gradebook.results import Result, Results
from viva_examiner.gradebook.submissions import submissions
from viva_examiner.records import Graded, Mark

PLACE = None  # reached from the class
LENGTH = 20  # of a time in a log, as the kit writes it


@dataclass(frozen=True)
class StoryLine:
    """One line of the log's story: a check that ended otherwise than the one before it."""

    at: str
    exercise: str
    status: str
    before: str | None  # how the check before it ended; empty: it is the first; None: not logged
    last: str  # when the exercise was checked last, where that is later and this is how it ended

    @property
    def words(self) -> str:
        if self.before is None:
            return f"{'green' if self.status == 'passed' else self.status} at the last check"
        if self.status == "passed":
            return "turned green" if self.before else "green at the first check"
        return f"{self.status}, after it was green" if self.before == "passed" else self.status


@dataclass(frozen=True)
class Attempt:
    """A submission that may count for a student."""

    name: str
    at: datetime | None
    counts: bool


def known(kept: DeskState, student: str) -> bool:
    """Whether the gradebook or a folder of submitted/ has this student."""
    with kept.gradebook() as book:
        if book.db.get(Student, student) is not None:
            return True
    return any(Path(kept.course.path("submitted", student, homework)).is_dir()
               for homework in kept.course.homeworks())


class SubmissionPage(Page):
    """A page that knows whether somebody has looked."""

    def looked(self, submitter: str, homework: str, records: list[Graded]) -> ledger.Entry | None:
        """The entry of who has looked at all that needs a look; None if nobody has."""
        with self.kept.gradebook() as book:
            found = ledger.Ledger(book.db).entries(ledger.SEEN, homework=homework,
                                                   student=submitter)
            book.db.commit()
        wanted = {follow_ups.what_was_seen(each) for each in records if each.look}
        return next((each for each in reversed(found)
                     if wanted and wanted <= set(each.payload.get("what", ()))), None)


class StudentRoom(SubmissionPage):
    """`/student/ada`, and `/student/ada/kernel_attention` with everything about that homework."""

    @signed_in
    def get(self, student: str, homework: str = "") -> None:
        if not known(self.kept, self.student(student)):
            raise web.HTTPError(404, "there is no such student")
        with self.kept.gradebook() as book:
            entries = ledger.Ledger(book.db)
            results = Results(book, self.course)
            found = results.of_student(student)
            person = found[0].student if found else book.db.get(Student, student)
            name = " ".join(filter(None, (person.first_name, person.last_name))) if person else ""
            published_marks = published.last_published(entries, student=student)
            history = entries.entries(student=student)
            late = results.late_days(student)
            budget = results.roster.budget(student)
            book.db.commit()
        facts = {"student": student, "name": name, "results": found, "late": late,
                 "published_marks": published_marks, "budget": budget,
                 "history": [in_words(each) for each in history]}
        if homework:
            facts |= self._one(student, self.homework(homework), found)
            facts["history"] = [in_words(each) for each in history if each.homework == homework]
        self.show("student", here="class" if homework else "", homework=homework or None,
                  one=bool(homework), wide=True, **facts)

    def _one(self, student: str, homework: str, found: list[Result]) -> dict:
        """All about one homework of the student."""
        course = self.course
        result = next((each for each in found if each.homework == homework), None)
        submitter = (result.submitter if result else "") or student
        run = runs.current(course)
        if run is not None and run.running and run.homework == homework:
            ask_for(course, homework, submitter)  # its notebook is completed next
        folder = Path(course.path("autograded", submitter, homework))
        paths = sorted(folder.glob("*.ipynb"))
        records = [graded for path in paths
                   if (graded := self.kept.record(submitter, homework, path.stem))]
        return {
            "result": result, "submitter": submitter, "records": records,
            "attempts": _attempts(self.kept, student, homework, submitter),
            "lost": [lost for graded in records for lost in _lost(graded)],
            "by_hand": self._by_hand(submitter, homework),
            "notebooks": [(path.stem, notebook_view.cells(path)) for path in paths],
            "story": story(Path(course.path("submitted", submitter, homework)) / LOG_NAME,
                           homework),
            "feedback": [path.stem for path in feedback_of(course, student, homework)],
            "explained": explained(course, submitter, homework).is_file(),
            "look": next((graded.look for graded in records if graded.look), ""),
            "looked": self.looked(submitter, homework, records),
        }

    def _by_hand(self, submitter: str, homework: str) -> list:
        with self.kept.gradebook() as book:
            marks = ByHand(book.db, self.course, homework)
            found = [row for row in marks.rows([submitter]) if row.score is not None or row.flagged]
            book.db.commit()
        return found


def _lost(graded: Graded) -> list[tuple[str, Mark]]:
    return [(name, mark) for name, mark in graded.tests.items() if mark.points and mark.lost]


def _attempts(kept: DeskState, student: str, homework: str, counts: str) -> list[Attempt]:
    """Everything that was handed in for this student, and which of it counts."""
    people = class_roster.read(kept.course)
    names = {student, counts} | {line.student for line in people.lines.values()
                                 if line.attempt_of == student}
    found = []
    for name in sorted(names):
        for each in submissions(kept.course, homework, name):
            if each.student == name:
                found.append(Attempt(name, each.read().submitted_at(), name == counts))
    return found


def story(path: Path, homework: str) -> list[StoryLine] | str:
    """When which check turned green, or red again; a sentence if there is nothing to tell."""
    if not path.is_file():
        return "No log was handed in."
    try:
        log = submission_log.read(path, homework)
    except submission_log.BadLog as error:
        return f"The log cannot be read: {error}."
    steps = [step for name, entry in log["exercises"].items() for step in _steps(name, entry)]
    return sorted(steps, key=lambda step: step.at)


def _steps(exercise: str, entry: dict) -> list[StoryLine]:
    found = turns(entry)
    before = ["" if "turns" in entry else None, *(status for _, status in found)]
    last = [""] * (len(found) - 1) + [entry["time"] if entry["time"] != found[-1][0] else ""]
    return [StoryLine(at[:LENGTH], exercise, status, earlier, until[:LENGTH])
            for (at, status), earlier, until in zip(found, before, last, strict=False)]


class NoteLook(SubmissionPage):
    """Somebody has looked at a submission: an entry of the ledger, as `viva seen` writes it."""

    @signed_in
    def post(self, student: str, homework: str) -> None:
        homework = self.homework(homework)
        folder = Path(self.course.path("autograded", self.student(student), homework))
        records = [graded for path in sorted(folder.glob("*.ipynb"))
                   if (graded := self.kept.record(student, homework, path.stem)) and graded.look]
        if not records:
            raise web.HTTPError(404, "nothing of this submission needs a look")
        stands = bool(self.get_body_argument("stands", ""))
        other = self.looked(student, homework, records)
        if other is not None and not stands:
            self.show_message(f"{other.author} has looked already, {day(other.at)} UTC: nothing "
                              "was noted twice, and no mark has changed.", 409)
            return
        with self.kept.gradebook() as book:
            ledger.Ledger(book.db).record(
                ledger.SEEN, homework, student, author=self.me, why=records[0].look,
                note=self.get_body_argument("note", ""),
                what=[follow_ups.what_was_seen(each) for each in records])
            book.db.commit()
            if stands:
                try:
                    follow_ups.let_stand(ByHand(book.db, self.course, homework), student, self.me)
                except Conflict:
                    self.show_message(
                        "Seen is noted; but somebody else changed a mark meanwhile, so none was "
                        "made yours. Look again.", 409)
                    return
        self.redirect(self.at("student", student, homework))


HANDLERS = [(rf"/student/{NAME}", StudentRoom), (rf"/student/{NAME}/{NAME}", StudentRoom),
            (rf"/student/{NAME}/{NAME}/seen", NoteLook)]
