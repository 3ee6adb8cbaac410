"""The course: its homeworks by state, and what to do next as the first line."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import func, select

from viva_examiner.desk import runs
from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.layout import plural
from viva_examiner.desk.remembered import DeskState
from viva_examiner.desk.rooms.place import RoomLink
from viva_examiner.gradebook import published
from viva_examiner.gradebook.counts import Count, counts
from viva_examiner.gradebook.database import is_there
from viva_examiner.gradebook.ledger import Ledger
from viva_examiner.gradebook.ledger_form import REQUESTS
from viva_examiner.gradebook.request_book import OPEN
from viva_examiner.gradebook.submissions import submissions

PLACE = RoomLink("", "Course")


@dataclass(frozen=True)
class HomeworkState:
    """How far one homework is."""

    name: str
    released: bool
    due: datetime | None = None
    handed_in: int = 0  # lies in submitted/, or is in the gradebook
    to_examine: int = 0  # lies there, and is not in the gradebook
    graded: int = 0  # is in the gradebook
    ungraded: int = 0  # has written answers that nobody graded
    look: int = 0
    waiting: int = 0
    with_feedback: int = 0  # have a feedback page
    requests: int = 0  # wait for an answer

    @property
    def state(self) -> str:
        """The one word for it."""
        if not self.released:
            return "not released"
        if not self.handed_in and not self.graded:
            return "released"
        if self.to_examine:
            return "handed in"
        if self.waiting:
            return "waits for a person"
        return "published" if self.with_feedback >= self.graded else "graded"

    @property
    def steps(self) -> list[tuple[str, str]]:
        """What is to be done, most urgent first: (words, room)."""
        found = []
        if self.to_examine:
            found.append((f"autograde {plural(self.to_examine, 'submission')}", "run"))
        if self.look:
            found.append((f"look at {plural(self.look, 'submission')}", "look"))
        if self.ungraded:
            found.append((f"grade the written answers of {self.ungraded}", "written"))
        if self.requests:
            found.append((f"answer {plural(self.requests, 'request')}", "requests"))
        if self.graded and not found and self.with_feedback < self.graded:
            found.append((f"make feedback for {self.graded - self.with_feedback}", "run"))
        return found


def homeworks(kept: DeskState) -> list[HomeworkState]:
    """Every homework of the course; those that somebody has to do something for come first."""
    found, with_feedback, asked = _counted(kept) if is_there(kept.course.db_url) else ({}, {}, {})
    names = sorted({*kept.course.homeworks(), *found})
    made = [_homework(kept, name, found.get(name), with_feedback.get(name, 0),
                      asked.get(name, 0)) for name in names]
    return sorted(made, key=lambda each: (not each.steps, not each.graded, not each.released,
                                          each.due or datetime.max, each.name))


def _counted(kept: DeskState) -> tuple[dict[str, Count], dict[str, int], dict[str, int]]:
    """By homework: its marks, how many have been published, and how many requests wait."""
    with kept.gradebook() as book:
        found = counts(book.db)
        with_feedback: dict[str, int] = {}
        for homework, _ in published.last_published(Ledger(book.db)):
            with_feedback[homework] = with_feedback.get(homework, 0) + 1
        asked = dict(book.db.execute(
            select(REQUESTS.c.homework, func.count()).where(REQUESTS.c.state == OPEN)
            .group_by(REQUESTS.c.homework)).all())
        book.db.commit()
    return found, with_feedback, asked


def _homework(kept: DeskState, name: str, count: Count | None, with_feedback: int,
              asked: int) -> HomeworkState:
    released = Path(kept.course.path("release", ".", name)).is_dir()
    lie_there = {each.student for each in submissions(kept.course, name)}
    if count is None:
        return HomeworkState(name, released, handed_in=len(lie_there), to_examine=len(lie_there))
    return HomeworkState(name, True, count.due, len(lie_there | count.submitters),
                         len(lie_there - count.submitters), len(count.submitters), count.ungraded,
                         count.look, count.waiting, with_feedback, asked)


class CourseRooms(Page):
    @signed_in
    def get(self) -> None:
        title = self.course.directory.course_id
        found = homeworks(self.kept)
        first = next((each for each in found if each.steps), None)
        self.show("course", here="", found=found, first=first, title=title,
                  run=runs.current(self.course))


class Home(Page):
    """`/desk` without its last stroke."""

    @signed_in
    def get(self) -> None:
        self.redirect(self.at() + "/")


HANDLERS = [(r"/", CourseRooms), (r"", Home)]
