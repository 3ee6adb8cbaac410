"""The records of grading: what was handed in, a mark, a graded notebook, what it depends on."""

import json
from dataclasses import dataclass, field, replace

GRADED, UNREADABLE, NOT_GRADED = "graded", "unreadable", "not graded"


@dataclass(frozen=True)
class Work:
    """What a student handed in for one notebook, and what was noted when it was read."""

    notebook: bytes = b""  # empty if it was not handed in
    files: dict[str, bytes] = field(default_factory=dict)  # beside it, by relative path
    log: bytes = b""  # empty if there is none
    remarks: tuple[str, ...] = ()
    other: str = ""  # the homework that was handed in instead of this one


@dataclass
class Mark:
    """The ledger's entry for one test cell. A score of None means: not graded, and why."""

    score: float | None
    points: float
    reason: str = ""
    rubric: list[dict] = field(default_factory=list)
    stock: float | None = None  # what stock nbgrader would have given, where that is more


@dataclass
class Graded:
    """The record of one graded notebook. Plain enough to travel as JSON."""

    student: str
    homework: str
    notebook: str
    status: str  # graded, unreadable, or not graded
    marks: dict[str, dict] = field(default_factory=dict)  # grade_id -> score, points, reason...
    comments: dict[str, str] = field(default_factory=dict)  # grade_id -> automatic comment
    remarks: list[str] = field(default_factory=list)  # what the TA should know
    seconds: dict[str, float] = field(default_factory=dict)
    text: str = ""  # the autograded notebook
    log: str = ""  # the submission log of this run
    key: str = ""  # of everything the marks depend on
    isolated: bool = True
    kept: int = 0  # tests whose earlier marks still held
    rests_on: dict = field(default_factory=dict)  # the parts of `key`, by name
    history: list[dict] = field(default_factory=list)  # marks before: until when, why, which

    @property
    def score(self) -> float:
        return sum(mark["score"] or 0.0 for mark in self.marks.values())

    @property
    def needs_a_look(self) -> bool:
        """Whether a person has to look at it, written answers aside."""
        return self.status != GRADED or any(
            mark["score"] is None and not mark["manual"] for mark in self.marks.values())

    @property
    def points(self) -> float:
        return sum(mark["points"] for mark in self.marks.values())

    def summary(self) -> dict:
        """What goes into the autograded notebook's metadata: all but the notebook itself."""
        return {name: value for name, value in vars(self).items() if name not in ("text", "log")}

    def to_json(self) -> str:
        return json.dumps(vars(self))

    @classmethod
    def from_json(cls, text: str) -> "Graded":
        return cls(**json.loads(text))


@dataclass(frozen=True)
class Keys:
    """What the marks of a submission depend on, and what an earlier run found.

    link: where the chain of keys begins that runs through cells and tests
    """

    submission: str = ""
    link: str = ""
    exams: dict[str, str] = field(default_factory=dict)  # grade_id -> digest of its exam
    rests_on: dict = field(default_factory=dict)  # the parts of `submission`, by name
    known: dict[str, dict] = field(default_factory=dict)  # grade_id -> key, mark and outputs

    def recall(self, old: Graded) -> "Keys":
        """These keys, with the marks of an earlier record; each holds if its key does."""
        marks = {name: mark for name, mark in old.marks.items() if mark["score"] is not None
                 and mark.get("key") and not mark["manual"]
                 and mark["points"] > 0}  # a check is worth nothing, but it writes the log
        known = {}
        for cell in json.loads(old.text)["cells"] if marks else ():
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if name in marks:
                wanted = ("score", "points", "reason", "rubric", "stock")
                mark = {part: marks[name][part] for part in wanted if part in marks[name]}
                known[name] = {"key": marks[name]["key"], "mark": mark, "outputs": cell["outputs"]}
        return replace(self, known=known)


NO_KEYS = Keys()
