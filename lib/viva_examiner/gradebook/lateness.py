"""Which of a student's submissions counts, how late it is, and what that costs.

The late policy of a course (`LatePolicy`, a plugin of nbgrader's), and pure functions of a roster
and of times: the gradebook is read and written by `results`.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

from viva_examiner.gradebook.class_roster import BEST, Roster

DAY = 24 * 60 * 60


def days_begun(seconds: float) -> int:
    """The days that have begun after so many seconds."""
    return max(0, math.ceil(seconds / DAY))


class LatePolicy(LateSubmissionPlugin):
    """penalty = score * min(days * percent_per_day, cap_percent) / 100.

    days counts every day that has begun after the grace; within the grace nothing is lost, after
    it nothing of it is given back. Switch it on with
    `c.AssignLatePenalties.plugin_class = LatePolicy`. The penalty is of all that a student has
    earned, a TA's marks included, from the time of the submission, the homework's due date and the
    roster (`viva roster`): extensions and late days.
    """

    grace_minutes = Float(60, min=0, help="how late is not late yet").tag(config=True)
    percent_per_day = Float(10, min=0, help="of the score, lost per day begun").tag(config=True)
    cap_percent = Float(50, min=0, max=100, help="never lose more than this").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float,
                                total_seconds_late: float) -> float | None:
        """The points to subtract, or None for none."""
        days = self.days_late(total_seconds_late)
        if not days or not score:
            return None
        return score * min(days * self.percent_per_day, self.cap_percent) / 100

    def days_late(self, seconds: float) -> int:
        """The days begun after the grace; a late day of the roster covers one of them."""
        return days_begun(seconds - 60 * self.grace_minutes)


@dataclass(frozen=True)
class SubmissionTimes:
    """A submission: under whose name it came, when, and until when it could."""

    submitter: str
    homework: str
    due: datetime | None
    at: datetime | None
    extended: timedelta = timedelta()  # by nbgrader's own table; the longer extension holds


@dataclass(frozen=True)
class Lateness:
    """How late a submission came after the student's own due date, and what late days cover."""

    seconds: float = 0.0
    days: int = 0  # begun after the grace
    spent: int = 0  # late days

    @property
    def charged(self) -> float:
        """The seconds that a penalty is about."""
        return max(0.0, self.seconds - self.spent * DAY) if self.spent < self.days else 0.0


@dataclass
class CountedAttempt:
    """Of one student and homework: the submission that counts, and how late each one is.

    rivals: those that were not chosen although the best counts
    """

    chosen: SubmissionTimes
    rivals: list[SubmissionTimes]
    late: dict[str, Lateness] = field(default_factory=dict)  # by submitter

    @property
    def spent(self) -> int:
        return self.late[self.chosen.submitter].spent


def seconds_late(work: SubmissionTimes, extension: timedelta) -> float:
    if work.due is None or work.at is None:
        return 0.0
    return max(0.0, (work.at - work.due - max(extension, work.extended)).total_seconds())


def counted(roster: Roster, student: str, works: Iterable[SubmissionTimes],
            score: Callable[[SubmissionTimes, Lateness], float],
            days_late: Callable[[float], int] = days_begun) -> dict[str, CountedAttempt]:
    """{homework: Counted} of a student, alone or in groups.

    Late days are spent on the homework that is due first, only on the submission that counts, and
    never more than the student has.

    works: all submissions of the student, of further attempts and of the groups
    score: what a submission would give with such a lateness; asked only where the best counts
    days_late: seconds after the due date -> days begun, as the course's policy counts them
    """
    by_homework: dict[str, list[SubmissionTimes]] = {}
    for work in works:
        by_homework.setdefault(work.homework, []).append(work)
    left, found = roster.budget(student), {}
    for homework, rivals in sorted(by_homework.items(), key=lambda pair: (
            min((w.due for w in pair[1] if w.due), default=datetime.max), pair[0])):
        extension = roster.extension(student, homework)
        late = {}
        for work in rivals:
            seconds = seconds_late(work, extension)
            days = days_late(seconds)
            spent = min(days, left, roster.at_most(student, homework))
            late[work.submitter] = Lateness(seconds, days, spent)
        best = len(rivals) > 1 and roster.counts(student, homework) == BEST
        chosen = max(rivals, key=lambda work: (
            score(work, late[work.submitter]) if best else 0.0,
            work.at or datetime.min, work.submitter))
        others = sorted((work for work in rivals if best and work is not chosen),
                        key=lambda work: work.submitter)
        found[homework] = CountedAttempt(chosen, others, late)
        left -= found[homework].spent
    return found


def penalty(plugin: LateSubmissionPlugin, student: str, score: float, late: Lateness) -> float:
    """What the course's late policy takes of a score; never more than the score."""
    if late.charged <= 0 or score <= 0:
        return 0.0
    taken = plugin.late_submission_penalty(student, score, late.charged)
    return min(max(taken or 0.0, 0.0), score)
