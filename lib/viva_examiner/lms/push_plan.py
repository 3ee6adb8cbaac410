"""What a push would do to each student's grade: compared, and decided, before anything is sent.

Three things are compared: the mark here, the grade that stands on the platform, and what was pushed
last. A grade that stands there and is not ours was given by a person, and is left alone.
"""

from dataclasses import dataclass, replace

from viva_examiner.lms.column_grades import PlatformGrade
from viva_examiner.lms.pushed import PushedGrade

NEW, CHANGED, UNCHANGED = "new", "changed", "unchanged"
OVERRIDDEN = "overridden by hand in the LMS"
REFUSED = "refused by the LMS last time, tried again"
NOT_FINAL = "not sent, no final mark yet"
UNKNOWN = "not sent, not in the LMS"
KINDS = (NEW, CHANGED, OVERRIDDEN, REFUSED, UNKNOWN, NOT_FINAL, UNCHANGED)
# Platforms keep five decimals (Moodle) or fewer; no rubric has marks that lie as close.
SAME = 1e-3


@dataclass(frozen=True)
class GradebookMark:
    """A student's mark as the gradebook has it; `score` is None while it waits for a person."""

    student: str
    score: float | None
    comment: str  # what the student reads beside the grade
    why: str = ""  # there is no final mark


@dataclass(frozen=True)
class PushLine:
    """What becomes of one student's grade."""

    mark: GradebookMark
    kind: str
    user_id: str = ""
    there: float | None = None  # the grade that stands on the platform
    words: str = ""

    @property
    def student(self) -> str:
        return self.mark.student


def planned(marks: list[GradebookMark], users: dict[str, str], standing: dict[str, PlatformGrade],
            pushed: dict[str, PushedGrade],
            doubtful: dict[str, str] | None = None) -> list[PushLine]:
    """A line per student.

    users: {student: user id on the platform}
    standing: {user id: grade on the platform}
    pushed: {student: what was sent before}
    doubtful: {student: why we cannot tell who that is on the platform}
    """
    return [_line(mark, users.get(mark.student, ""), standing.get(users.get(mark.student, "")),
                  pushed.get(mark.student), (doubtful or {}).get(mark.student, ""))
            for mark in marks]


def _line(mark: GradebookMark, user_id: str, stands: PlatformGrade | None,
          before: PushedGrade | None, doubt: str) -> PushLine:
    there = stands.score if stands else None
    if mark.score is None:
        left = f"; {there:g} stands there" if there is not None else ""
        return PushLine(mark, NOT_FINAL, user_id, there, mark.why + left)
    if not user_id:
        return PushLine(mark, UNKNOWN, "", None, doubt or "the LMS has no such member: not "
                        "enrolled, suspended, or under another e-mail (`viva lms roster`)")
    if stands is None:
        if before is None or before.stood is None:
            return _sent(PushLine(mark, NEW, user_id), before)
        return PushLine(mark, OVERRIDDEN, user_id, None, f"{before.stood:g} was pushed and has "
                        f"been removed there; {mark.score:g} here")
    if _is(stands, mark.score, mark.comment):
        return PushLine(mark, UNCHANGED, user_id, there)
    if before is not None and before.confirmed and before.stood is not None \
            and (before.score, before.comment) == (mark.score, mark.comment) \
            and _is(stands, before.stood, before.comment):
        return PushLine(mark, UNCHANGED, user_id, there, f"the LMS made {there:g} of it")
    ours = before is not None and any(
        _is(stands, score, comment) for score, comment in before.ours)
    if not ours:
        last = f"{before.score:g} was pushed" if before else "not pushed from here"
        said = f", with another comment, {stands.comment!r}" \
            if abs(stands.score - mark.score) < SAME else ""
        return PushLine(mark, OVERRIDDEN, user_id, there,
                        f"{there:g} stands there{said}; {last}; {mark.score:g} here")
    line = PushLine(mark, CHANGED, user_id, there, f"{there:g} becomes {mark.score:g}")
    return _sent(line, before)


def _sent(line: PushLine, before: PushedGrade | None) -> PushLine:
    """A line that will be sent; what the platform refused last time it may refuse again."""
    if before is None or not before.refused:
        return line
    words = line.words or f"{line.mark.score:g} here"
    return replace(line, kind=REFUSED, words=f"{before.refused}; {words}")


def _is(stands: PlatformGrade, score: float, comment: str) -> bool:
    """Whether this is what stands there; a platform that tells no comment is not asked for it."""
    return abs(stands.score - score) < SAME and stands.comment in (None, comment)
