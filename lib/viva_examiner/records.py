"""The records of grading, and what each holds: an order, a work, a mark, a graded notebook.

They are frozen and know how to travel (`travel`): whoever moves them moves bytes.
"""

import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from viva_examiner.files import digest
from viva_examiner.limits import Limits
from viva_examiner.travel import Travels

GRADED, UNREADABLE, NOT_GRADED = "graded", "unreadable", "not graded"


class Kind(StrEnum):
    """What a remark is about. Code asks for the kind, people read the text."""

    LEFT_OUT = "left out"  # a file of the submission that was not taken
    RENAMED = "renamed"  # the notebook was found under another name
    OTHER_HOMEWORK = "other homework"  # it is the notebook of another homework
    NO_NOTEBOOK = "no notebook"  # nothing to grade: no file, or none that can be read
    RESTORED = "restored"  # what staff own was put back
    CRASHED = "crashed"  # its process was ended by a signal
    LEFT = "left"  # its process ended by itself
    TIME = "time"  # a cell, a question or a test took too long
    TOTAL_TIME = "total time"  # all of it took too long
    MEMORY = "memory"
    MALFORMED = "malformed"  # it did not keep to the protocol
    CUT = "cut"  # it shows more than is kept
    NOT_RUN = "not run"  # the rest of it
    EXAM = "exam"  # a fault of a test, not of the student
    STOCK = "stock"  # stock nbgrader would give another mark
    LOG = "log"  # the submitted log does not fit
    NOT_ISOLATED = "not isolated"
    ENGINE = "engine"  # a fault of the examiner


# what a judge may say of a submission
INCIDENTS = (Kind.CRASHED, Kind.LEFT, Kind.TIME, Kind.TOTAL_TIME, Kind.MEMORY, Kind.MALFORMED,
             Kind.CUT, Kind.NOT_RUN, Kind.EXAM, Kind.STOCK)
LOOK = (Kind.OTHER_HOMEWORK, Kind.NO_NOTEBOOK, Kind.EXAM, Kind.ENGINE)  # a person has to look


@dataclass(frozen=True)
class Remark(Travels):
    """One thing that staff should know about a submission."""

    kind: Kind
    text: str
    exercise: str = ""  # the one that it is about; empty: all of the submission

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class RubricItem(Travels):
    """One question of a rubric, and what was earned on it."""

    name: str
    points: float
    earned: float | None  # None where a log cannot tell
    message: str = ""  # what the student reads where points are lost
    kind: str = ""  # what went wrong, in one word; empty if nothing did
    account: dict[str, Any] | None = None  # what is secret; only while a mark is explained

    @property
    def gone(self) -> float:
        """The points that were lost on it, as far as they were asked for."""
        return self.points - self.earned if self.earned is not None else 0.0


@dataclass(frozen=True)
class Rubric(Travels):
    """The table that an exam shows for one exercise."""

    exercise: str
    homework: str = ""
    score: float = 0.0
    points: float = 0.0
    mistake: str = ""  # the catalogued mistake that was recognised
    hint: str = ""
    note: str = ""
    items: tuple[RubricItem, ...] = ()
    leaderboard: tuple[dict[str, Any], ...] = ()
    public: tuple[tuple[str, str], ...] = ()  # (label, words) of the public check
    noticed: bool = False  # whether the public check sees that something is wrong


@dataclass(frozen=True)
class Mark(Travels):
    """What one graded cell earned. A score of None means: not graded, and `reason` says why."""

    score: float | None
    points: float
    reason: str = ""
    rubric: tuple[Rubric, ...] = ()
    stock: float | None = None  # what stock nbgrader would have given, where that is more
    manual: bool = False  # a person grades it
    key: str = ""  # of everything that this mark depends on

    @property
    def items(self) -> list[RubricItem]:
        """The items of all its tables."""
        return [item for rubric in self.rubric for item in rubric.items]

    @property
    def lost(self) -> bool:
        """Whether it is not full marks."""
        return self.score is None or self.score < self.points


@dataclass(frozen=True)
class KnownMark(Travels):
    """The mark of an earlier run and what its cell showed; it holds as long as its key does."""

    key: str
    mark: Mark
    outputs: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Graded(Travels):
    """One graded notebook."""

    student: str
    homework: str
    notebook: str
    status: str  # graded, unreadable, or not graded
    marks: dict[str, Mark] = field(default_factory=dict)  # by grade_id
    comments: dict[str, str] = field(default_factory=dict)  # grade_id -> automatic comment
    remarks: tuple[Remark, ...] = ()  # what the TA should know
    seconds: dict[str, float] = field(default_factory=dict)
    text: str = ""  # the autograded notebook
    log: str = ""  # the submission log of this run
    key: str = ""  # of everything the marks depend on
    isolated: bool = True
    kept: int = 0  # tests whose earlier marks still held
    rests_on: dict[str, Any] = field(default_factory=dict)  # the parts of `key`, by name
    history: tuple[dict[str, Any], ...] = ()  # marks before: until when, why, which

    @property
    def tests(self) -> dict[str, Mark]:
        """The marks that the examiner gives, by grade_id."""
        return {name: mark for name, mark in self.marks.items() if not mark.manual}

    @property
    def score(self) -> float:
        return sum(mark.score or 0.0 for mark in self.marks.values())

    @property
    def points(self) -> float:
        return sum(mark.points for mark in self.marks.values())

    @property
    def needs_a_look(self) -> bool:
        """Whether a person has to look at it, written answers aside."""
        return self.status != GRADED or any(
            mark.score is None for mark in self.tests.values())

    @property
    def look(self) -> str:
        """Why a person has to look at it, in one line; empty if nobody has to."""
        if not self.needs_a_look:
            return ""
        said = [remark.text for remark in self.remarks if remark.kind in LOOK]
        said += [f"{name}: {mark.reason}" for name, mark in self.tests.items()
                 if mark.score is None and mark.reason]
        return said[0] if said else self.status

    def summary(self) -> dict[str, Any]:
        """What goes into the autograded notebook's metadata: all but the notebook itself."""
        plain = replace(self, text="", log="").to_plain()
        return {name: value for name, value in plain.items() if name not in ("text", "log")}


@dataclass(frozen=True)
class Keys(Travels):
    """What the marks of a submission depend on, and what an earlier run found.

    link: where the chain of keys begins that runs through cells and tests
    """

    submission: str = ""
    link: str = ""
    exams: dict[str, str] = field(default_factory=dict)  # grade_id -> digest of its exam
    rests_on: dict[str, Any] = field(default_factory=dict)  # the parts of `submission`, by name
    known: dict[str, KnownMark] = field(default_factory=dict)  # by grade_id

    @property
    def of_marks(self) -> str:
        """The key of a record whose marks are there and whose other cells were left out."""
        return digest(self.submission, "marks only")

    def recall(self, old: Graded) -> "Keys":
        """These keys, with the marks of an earlier record; each holds if its key does."""
        marks = {name: mark for name, mark in old.tests.items()
                 if mark.score is not None and mark.key
                 and mark.points > 0}  # a check is worth nothing, but it writes the log
        known = {}
        for cell in json.loads(old.text)["cells"] if marks else ():
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if name in marks:
                mark = marks[name]
                known[name] = KnownMark(mark.key, replace(mark, key=""), tuple(cell["outputs"]))
        return replace(self, known=known)


NO_KEYS = Keys()


@dataclass(frozen=True)
class Work(Travels):
    """What one student handed in for one notebook, as it was read, once, at the door."""

    data: bytes = b""  # the notebook's file; empty if there is none
    files: dict[str, bytes] = field(default_factory=dict)  # beside it, by relative path
    log: bytes = b""  # empty if there is none
    remarks: tuple[Remark, ...] = ()  # what was noted when it was read
    other: str = ""  # the homework that was handed in instead of this one
    stamp: bytes = b""  # what timestamp.txt says
    student: str = ""
    notebook: str = ""  # which of the homework's notebooks it is
    keys: Keys = NO_KEYS
    marks_only: bool = False  # leave out the cells that no mark depends on


@dataclass(frozen=True)
class Order(Travels):
    """What an engine must know to grade a homework.

    released: the homework's notebooks, each as `notebook.released.Released` writes itself
    library: the course's own package, imported by its tests; may be empty
    isolation: how a candidate is kept apart (`sandbox.isolation`); empty: to be chosen where the
        engine runs, and `fallback` is the way if that machine refuses namespaces; empty: none is
    hide: packages and paths that no candidate may see; preload: what it finds imported
    answers: where the course library keeps what it computed; may be empty
    witness: whether the course library notes what each question asks and what comes back
    """

    released: tuple[str, ...]
    limits: Limits
    secret: str
    isolation: str = ""
    fallback: str = ""
    library: str = ""
    hide: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    answers: str = ""
    witness: bool = False
