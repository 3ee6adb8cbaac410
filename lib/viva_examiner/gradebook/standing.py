"""Where a student stands in a homework: what is earned, what waits for a human, and in words.

Terminal, feedback and exports all say it with the words of this module, so that they agree. A mark
that does not exist yet is never a zero.
"""

from dataclasses import dataclass, field
from datetime import datetime

from viva_examiner.records import GRADED, Graded

NOT_HANDED_IN = "not handed in"
NOT_EXAMINED = "handed in, not autograded yet"
UNGRADED = "written answers not graded yet"  # a TA's turn
LOOK = "needs a look"  # unreadable, not examined, or changed below a TA's mark

RIVAL = "another attempt may be better"  # once it is graded


@dataclass(frozen=True)
class Cell:
    """One mark of one student; `waits` says why it is not final: UNGRADED, LOOK or nothing."""

    name: str
    score: float | None  # with extra credit
    points: float
    by_hand: bool = False
    waits: str = ""
    extra: float = 0.0

    @property
    def exercise(self) -> str:
        return self.name.removeprefix("test_")


@dataclass
class Standing:
    """One student's homework as far as it is known."""

    cells: list[Cell] = field(default_factory=list)
    handed_in: bool = True
    points: float = 0.0  # of the homework
    penalty: float = 0.0
    timestamp: datetime | None = None
    rival: str = ""  # another submission that may still turn out to be the better one
    lies_there: bool = False  # in submitted/, where nobody has autograded it

    @property
    def earned(self) -> float:
        """The points of the marks that are final, before a late penalty."""
        return _plain(sum(cell.score for cell in self.cells if not cell.waits))

    @property
    def judged(self) -> float:
        """How many points these marks could have given."""
        return _plain(sum(cell.points for cell in self.cells if not cell.waits))

    @property
    def waiting(self) -> float:
        """The points of written answers that nobody has graded."""
        return _plain(sum(cell.points for cell in self.cells if cell.waits == UNGRADED))

    @property
    def so_far(self) -> float:
        """What is earned, less the late penalty."""
        return _plain(max(0.0, self.earned - self.penalty))

    @property
    def score(self) -> float | None:
        """The final mark; None while one of its parts is missing."""
        return self.so_far if self.handed_in and not self.waits and not self.rival else None

    @property
    def at_most(self) -> float:
        """What it would be if everything that waits got full marks."""
        return _plain(self.so_far + sum(cell.points for cell in self.waits))

    @property
    def waits(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.waits]

    @property
    def note(self) -> str:
        """Why there is no final mark, in words; empty if there is one."""
        if not self.handed_in:
            return NOT_EXAMINED if self.lies_there else NOT_HANDED_IN
        said = []
        for why in (UNGRADED, LOOK):
            names = [cell.exercise for cell in self.waits if cell.waits == why]
            said += [f"{why}: {', '.join(names)}"] if names else []
        said += [f"{RIVAL}: {self.rival}"] if self.rival else []
        return "; ".join(said)

    @property
    def words(self) -> str:
        """The standing in one line: "90 of 90, 10 wait for a TA"."""
        if not self.handed_in:
            return self.note
        said = [f"{self.so_far:g} of {self.judged:g}"]
        if self.penalty:
            said.append(f"{_plain(self.penalty):g} lost for being late")
        if self.waiting:
            said.append(f"{self.waiting:g} wait for a TA")
        if look := _plain(sum(cell.points for cell in self.waits if cell.waits == LOOK)):
            said.append(f"{look:g} need a look")
        if self.rival:
            said.append(f"{RIVAL}: {self.rival}")
        return ", ".join(said)


def of_submission(submission, penalty: float | None = None) -> Standing:
    """A submission of nbgrader's gradebook. Cells worth nothing are left out.

    penalty: the late penalty where it is not the one that the gradebook holds
    """
    cells = [cell for notebook in submission.notebooks for cell in cells_of(notebook)]
    if penalty is None:
        penalty = sum(each.late_submission_penalty or 0.0 for each in submission.notebooks)
    return Standing(cells, True, _plain(sum(cell.points for cell in cells)), penalty,
                    submission.timestamp)


def cells_of(notebook) -> list[Cell]:
    """The marks of one submitted notebook of nbgrader's gradebook."""
    written = {comment.cell.name for comment in notebook.comments}
    return [_of_grade(grade, grade.cell.name in written) for grade in notebook.grades
            if grade.cell.max_score > 0 or grade.extra_credit]  # grade.max_score asks each time


def _of_grade(grade, written: bool) -> Cell:
    by_hand = grade.manual_score is not None
    score = grade.manual_score if by_hand else grade.auto_score
    extra = grade.extra_credit or 0.0
    waits = ""
    if score is None:
        waits = UNGRADED if written else LOOK
    elif grade.needs_manual_grade:
        waits = LOOK
    return Cell(grade.cell.name, None if score is None else score + extra, grade.cell.max_score,
                by_hand, waits, extra)


def of_record(graded: Graded, known: dict) -> Standing:
    """A fresh record of the examiner, with what a TA has given before.

    known: of the gradebook before this run: by_hand {cell: (manual score, extra, flagged)} and
           scores {cell: automatic score}
    """
    cells = []
    for name, mark in graded.marks.items():
        manual, extra, flagged = known.get("by_hand", {}).get(name, (None, 0.0, False))
        if not mark["points"] and not extra:
            continue
        score, waits = mark["score"], ""
        if manual is not None:
            changed = known["scores"].get(name) != score
            score, waits = manual, LOOK if flagged or changed else ""
        elif score is None:
            waits = UNGRADED if mark.get("manual") else LOOK
        elif graded.status != GRADED:
            waits = LOOK
        cells.append(Cell(name, None if score is None else score + extra, mark["points"],
                          manual is not None, waits, extra))
    return Standing(cells, True, _plain(sum(cell.points for cell in cells)))


def _plain(number: float) -> float:
    """Without the dust of adding tenths."""
    return round(number, 6)
