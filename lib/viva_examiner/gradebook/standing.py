"""Where a student stands in a homework: what is earned, what waits for a human, and in words.

Terminal, feedback and exports all say it with the words of this module, so that they agree. A mark
that does not exist yet is never a zero.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from viva_examiner.records import GRADED, Graded

if TYPE_CHECKING:
    from nbgrader.api import Grade, SubmittedAssignment, SubmittedNotebook

NOT_HANDED_IN = "not handed in"
NOT_EXAMINED = "handed in, not autograded yet"
NOT_A_NOTEBOOK = "handed in, not a notebook"  # a PDF, a text: somebody has to look
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
    def final(self) -> float:
        """The score of a mark that waits for nobody: there always is one."""
        assert self.score is not None
        return self.score

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
    not_autograded: bool = False  # in submitted/, where nobody has autograded it
    not_a_notebook: bool = False  # what lies there has no notebook in it

    @property
    def earned(self) -> float:
        """The points of the marks that are final, before a late penalty."""
        return _plain(sum(cell.final for cell in self.cells if not cell.waits))

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
    def reasons(self) -> dict[str, str]:
        """{why there is no final mark: what it is about}; empty if there is one."""
        if self.not_a_notebook and (self.waits or not self.handed_in):
            return {NOT_A_NOTEBOOK: ""}
        if not self.handed_in:
            return {NOT_EXAMINED if self.not_autograded else NOT_HANDED_IN: ""}
        names = {why: ", ".join(cell.exercise for cell in self.waits if cell.waits == why)
                 for why in (UNGRADED, LOOK)}
        return {why: what for why, what in (*names.items(), (RIVAL, self.rival)) if what}

    @property
    def note(self) -> str:
        """The same in words."""
        return "; ".join(f"{why}: {what}" if what else why for why, what in self.reasons.items())

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


def of_submission(submission: "SubmittedAssignment", penalty: float | None = None) -> Standing:
    """A submission of nbgrader's gradebook. Cells worth nothing are left out.

    penalty: the late penalty where it is not the one that the gradebook holds
    """
    cells = [cell for notebook in submission.notebooks for cell in cells_of(notebook)]
    if penalty is None:
        penalty = sum(each.late_submission_penalty or 0.0 for each in submission.notebooks)
    return of_cells(cells, penalty, submission.timestamp)


def of_cells(cells: list[Cell], penalty: float, timestamp: datetime | None) -> Standing:
    """A submission with these marks."""
    return Standing(cells, True, _plain(sum(cell.points for cell in cells)), penalty, timestamp)


def cells_of(notebook: "SubmittedNotebook") -> list[Cell]:
    """The marks of one submitted notebook of nbgrader's gradebook."""
    base = notebook.notebook
    written = {cell.name for cell in (*base.solution_cells, *base.task_cells)}
    return [_of_grade(grade, grade.cell.name in written) for grade in notebook.grades
            if grade.cell.max_score > 0 or grade.extra_credit]  # grade.max_score asks each time


def _of_grade(grade: "Grade", written: bool) -> Cell:
    return of_columns(grade.cell.name, grade.cell.max_score, written, grade.auto_score,
                      grade.manual_score, grade.extra_credit, grade.needs_manual_grade)


def of_columns(name: str, points: float, written: bool, automatic: float | None,
               manual: float | None, extra: float | None, flagged: bool) -> Cell:
    """One mark from what the gradebook's columns hold."""
    by_hand = manual is not None
    score = manual if by_hand else automatic
    waits = ""
    if score is None:
        waits = UNGRADED if written else LOOK
    elif flagged:  # a written answer with a mark: that is of an earlier text
        waits = UNGRADED if written and by_hand and automatic is None else LOOK
    return Cell(name, None if score is None else score + (extra or 0.0), points, by_hand, waits,
                extra or 0.0)


def of_record(graded: Graded, known: dict) -> Standing:
    """A fresh record of the examiner, with what a TA has given before.

    known: of the gradebook before this run: by_hand {cell: (manual score, extra, flagged)},
           scores {cell: automatic score} and other_text, the cells whose text was another one
    """
    cells = []
    for name, mark in graded.marks.items():
        manual, extra, flagged = known.get("by_hand", {}).get(name, (None, 0.0, False))
        if not mark.points and not extra:
            continue
        score, waits = mark.score, ""
        if manual is not None:
            written = mark.manual and score is None
            if flagged or known["scores"].get(name) != score or name in known.get("other_text", ()):
                waits = UNGRADED if written else LOOK
            score = manual
        elif score is None:
            waits = UNGRADED if mark.manual else LOOK
        elif graded.status != GRADED:
            waits = LOOK
        cells.append(Cell(name, None if score is None else score + extra, mark.points,
                          manual is not None, waits, extra))
    return Standing(cells, True, _plain(sum(cell.points for cell in cells)))


def _plain(number: float) -> float:
    """Without the dust of adding tenths."""
    return round(number, 6)
