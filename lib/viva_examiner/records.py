"""The records of grading: what was handed in, a mark, a graded notebook, what it depends on."""

import json
from dataclasses import dataclass, field

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

    @property
    def score(self) -> float:
        return sum(mark["score"] or 0.0 for mark in self.marks.values())

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
    """What the marks of a submission depend on, and which marks of an earlier run still hold."""

    submission: str = ""
    tests: dict[str, str] = field(default_factory=dict)  # grade_id -> key
    known: dict[str, dict] = field(default_factory=dict)  # grade_id -> mark and outputs

    def recall(self, old: Graded) -> "Keys":
        """These keys, with the marks of an earlier record that has the same keys."""
        same = {name: mark for name, mark in old.marks.items()
                if mark["score"] is not None and self.tests.get(name, "") == mark.get("key")
                and mark["points"] > 0}  # a check is worth nothing, but it writes the log
        cells = json.loads(old.text)["cells"] if same else []
        known = {}
        for cell in cells:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if name in same and not same[name]["manual"]:
                wanted = ("score", "points", "reason", "rubric")
                mark = {part: same[name][part] for part in wanted}
                known[name] = {"mark": mark, "outputs": cell["outputs"]}
        return Keys(self.submission, self.tests, known)


NO_KEYS = Keys()
