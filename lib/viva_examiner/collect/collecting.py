"""From sources to what would be put into submitted/: chosen, dated, explained, not written."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from viva_examiner.collect.choosing import choose
from viva_examiner.collect.sources import Sources
from viva_examiner.collect.students import Students
from viva_examiner.collect.times import believed
from viva_examiner.collect.uploads import Upload, uploads_of
from viva_examiner.collect.worksheet import Worksheet
from viva_examiner.notebook.whose_homework import Profile


@dataclass
class CollectedWork:
    """What is kept of one student, and what staff should know about it.

    when: the platform's time in UTC, where it is believed
    """

    student: str
    upload: Upload
    files: dict[str, bytes]
    has_notebook: bool
    when: datetime | None = None
    late: bool = False
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class CollectedRequests:
    """A student's file of requests for a second look; when: as of what came with it."""

    upload: Upload
    data: bytes
    when: datetime | None


@dataclass
class Collection:
    """All that came of the sources.

    refused: "what: why", a line each
    open: how many of those are an upload whose owner is unknown, or that could not be read
    """

    taken: dict[str, CollectedWork] = field(default_factory=dict)
    requests: dict[str, CollectedRequests] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    placed: dict[str, str] = field(default_factory=dict)  # student: new, newer, unchanged, kept
    open: int = 0

    def missing(self, students: Students) -> list[str]:
        """Who handed in nothing."""
        return [each for each in students.ids if each not in self.taken | self.requests]


@dataclass(frozen=True)
class Dates:
    """released and due are None where they are not known; all in UTC."""

    released: datetime | None = None
    due: datetime | None = None
    now: datetime = field(default_factory=lambda: datetime.now(UTC))


def collect(sources: list[Path], homework: str, profiles: list[Profile], students: Students,
            dates: Dates | None = None, worksheet: Worksheet | None = None) -> Collection:
    """Read all sources and decide about every file; nothing is written yet."""
    seen = Sources(homework, students, worksheet).read(sources)
    owned = uploads_of(seen.files, students)
    found = Collection(refused=[*seen.unclaimed, *owned.refused], notes=seen.notes)
    found.open = len(found.refused)
    found.refused += seen.ignored
    for upload in owned.uploads:
        taken = _taken(upload, homework, profiles, dates or Dates(), found)
        if taken is not None:
            _keep_newer(taken, found)
    return found


def _taken(upload: Upload, homework: str, profiles: list[Profile], dates: Dates,
           found: Collection) -> CollectedWork | None:
    chosen = choose(upload.files or upload.about, homework, profiles)
    found.refused += [f"{upload.student}: {line}" for line in chosen.refused]
    when = believed(upload.when, dates.released, dates.now)
    if chosen.request:
        _keep_request(CollectedRequests(upload, chosen.request, when), found)
    if chosen.is_only_a_request:
        return None
    if not chosen.files:
        found.refused.append(f"{upload.outer}: nothing in it could be read")
        found.open += 1
        return None
    taken = CollectedWork(upload.student, upload, chosen.files, chosen.has_notebook, when,
                          upload.late, chosen.remarks)
    if upload.when is not None and when is None:
        taken.remarks.append(f"its time, {upload.when:%Y-%m-%d %H:%M}, is not between the release "
                             "and now: ignored")
    if dates.due is not None:
        if upload.late and (when is None or when <= dates.due):
            taken.when = dates.due + timedelta(seconds=1)
            taken.remarks.append("late, says the platform, but not by how much: counted as one "
                                 "second")
        taken.late = taken.late or bool(when and when > dates.due)
    return taken


def _keep_request(requests: CollectedRequests, found: Collection) -> None:
    """The newest file of a student; without times, the last one that was read."""
    other = found.requests.get(requests.upload.student)
    if other is None or _moment(requests.when) >= _moment(other.when):
        found.requests[requests.upload.student] = requests


def _keep_newer(taken: CollectedWork, found: Collection) -> None:
    """One upload for a student: with a notebook before one without, then the newest."""
    other = found.taken.get(taken.student)
    if other is None:
        found.taken[taken.student] = taken
        return
    newer, older = (taken, other) if _rank(taken) >= _rank(other) else (other, taken)
    why = "an earlier upload"
    if newer.has_notebook and not older.has_notebook:
        why = "there is an upload with a notebook"
    elif _rank(newer) == _rank(older):
        why = "another upload; no time says which is newer, so the last one that was read counts"
    found.refused.append(f"{older.upload.outer}: {why} of {taken.student}")
    found.taken[taken.student] = newer


def _rank(taken: CollectedWork) -> tuple[bool, datetime]:
    return taken.has_notebook, _moment(taken.when)


def _moment(when: datetime | None) -> datetime:
    return when or datetime.min.replace(tzinfo=UTC)
