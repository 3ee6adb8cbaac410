"""What was pushed: an entry of the ledger before a grade is sent, and one when it was read back."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from viva_examiner.course import Course
from viva_examiner.gradebook import ledger

SENDING, STANDS, REFUSED = "sending", "stands", "refused"


@dataclass(frozen=True)
class PushedGrade:
    """What is known of one student's grade on the platform.

    score, comment: as they were sent last
    stood: the grade that was read back last, or None if none ever was
    when: the time that went along, seconds since 1970
    confirmed: whether what was sent last was read back
    ours: every (score, comment) that may stand there because we sent it
    refused: why the platform did not take what was sent last; empty if it did
    """

    score: float
    comment: str
    stood: float | None
    when: float
    confirmed: bool
    ours: tuple[tuple[float, str], ...]
    refused: str = ""


def pushed_before(course: Course, connection: str, homework: str) -> dict[str, PushedGrade]:
    """{student: what was pushed} to this platform."""
    found: dict[str, PushedGrade] = {}
    with ledger.opened(course) as book:
        entries = book.entries(ledger.PUSHED, homework=homework)
    for entry in entries:
        payload = entry.payload
        if payload["connection"] == connection:
            found[entry.student] = _after(found.get(entry.student), payload)
    return found


def _after(before: PushedGrade | None, payload: dict[str, Any]) -> PushedGrade:
    """What is known once an entry is read."""
    sent = (payload["score"], payload["comment"])
    if payload["state"] == REFUSED and before:  # it was noted before it went
        return replace(before, refused=payload.get("why", "the LMS refused"))
    if payload["state"] == SENDING:
        ours = (*(before.ours if before else ()), sent)
        return PushedGrade(*sent, before.stood if before else None, payload["when"], False, ours)
    stood = payload["stood"]
    return PushedGrade(*sent, stood, payload["when"], True, (sent, (stood, sent[1])))


def record_push(course: Course, connection: str, homework: str, state: str,
                entries: Iterable[dict[str, Any]]) -> None:
    """Keep entries, each with student, score, comment, when and, once it is known, stood or why."""
    with ledger.opened(course) as book:
        for entry in entries:
            details = {name: value for name, value in entry.items() if name != "student"}
            book.record(ledger.PUSHED, homework, entry["student"], connection=connection,
                        state=state, **details)
