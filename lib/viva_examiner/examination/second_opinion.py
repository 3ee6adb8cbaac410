"""A second opinion on a failure: what would stock nbgrader have given?

The notebook runs once more the stock way, tests in the same process as the student's code, in a
candidate of its own that is ended right after. It reads the text of tests, so nothing of it is kept
but one number per failed test: no output, no file, no message. A student's code can forge that
number. So it only ever says "look at this", unless staff decide that stock's marks are enough.
Tests that ask a course's own exams (`examine`) never get here: their answers are not in reach.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from viva_examiner.examination.one_kernel import ASKS_AN_EXAM
from viva_examiner.limits import Limits
from viva_examiner.notebook.metadata import is_test
from viva_examiner.records import Kind, Mark
from viva_examiner.sandbox.errors import CandidateDied, CandidateError
from viva_examiner.sandbox.outputs import CellResult
from viva_examiner.sandbox.remote import RemoteInterpreter

if TYPE_CHECKING:
    from viva_examiner.examination.sitting import Sitting

SPARE_SECONDS = 5.0  # beyond what the first run took
DIFFERS = "differs from stock nbgrader"
OPEN_FOR_A_PERSON = "A person will look at this test: its mark differs from stock nbgrader's.\n"


def may_be_asked(cell: NotebookNode) -> bool:
    """Whether a test is one that stock nbgrader could run."""
    return is_test(cell) and not ASKS_AN_EXAM.search(cell.source)


def ask(sitting: "Sitting", notebook: NotebookNode, marks: dict[str, Mark]) -> None:
    """Settle the marks of an examination whose candidate has ended; staff's choice counts.

    Where a cell of the notebook itself died or ran too long, stock gives nobody any mark.
    """
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if is_test(cell)}
    doubtful = {name for name, mark in marks.items() if name not in sitting.known
                and (mark.lost or sitting.unseen.get(name)) and may_be_asked(cells[name])}
    found = {}
    seconds = min(time.monotonic() - sitting.started + SPARE_SECONDS, sitting.left())
    if doubtful and not sitting.ended and seconds > 0:
        found = stock_marks(sitting.warm, sitting.limits, sitting.student, sitting.files,
                            notebook.cells, doubtful, seconds)
    for name, mark in marks.items():
        if name in sitting.undecided and found.get(name) == 0:
            mark = replace(mark, score=0.0,
                           reason=f"{mark.reason}; stock nbgrader gives 0 as well")
        if name in doubtful and sitting.unseen.get(name) and mark.score:
            unseen = "; ".join(sorted(sitting.unseen[name]))
            mark = lowered(mark, found.get(name), sitting.whose, unseen)
        marks[name] = mark = mark if mark.stock is not None else settled(
            mark, found.get(name), sitting.whose)
        if mark.stock is not None:
            sitting.note(Kind.STOCK,
                         f"{name} {DIFFERS}: stock gives {mark.stock:g} of {mark.points:g}")
            if mark.score is None:
                cells[name].outputs.append({"output_type": "stream", "name": "stdout",
                                            "text": OPEN_FOR_A_PERSON})


def stock_marks(warm: RemoteInterpreter, limits: Limits, student: str, files: Mapping[str, bytes],
                cells: list[NotebookNode], wanted: set[str],
                seconds: float) -> dict[str, float]:
    """{grade_id: points that stock nbgrader would give} of the wanted tests, as far as they ran.

    cells: of the restored notebook; seconds: for all of it
    """
    found: dict[str, float] = {}
    left = set(wanted)
    limits = replace(limits, submission_seconds=min(seconds, limits.submission_seconds))
    deadline = time.monotonic() + limits.submission_seconds
    with warm.fork(student=student, files=files, limits=limits) as session:
        for cell in cells:
            if cell.cell_type != "code" or (is_test(cell) and not may_be_asked(cell)):
                continue
            seconds = min(limits.cell_seconds, deadline - time.monotonic())
            if not left or seconds <= 0:
                break
            try:
                result = session.run_cell(cell.source, seconds)
            except (CandidateDied, CandidateError):
                break
            if is_test(cell) and (name := cell.metadata.nbgrader.grade_id) in left:
                left.discard(name)
                points = float(cell.metadata.nbgrader.points)
                score = None if _lacks_a_module(result) else stock_score(result.outputs, points)
                found |= {} if score is None else {name: round(score, 2)}
            if result.died:
                break
    return found


def _lacks_a_module(result: CellResult) -> bool:
    """Whether a test ended for a module of staff's that is kept from candidates: stock has it."""
    return result.error is not None and result.error["ename"] == "ModuleNotFoundError"


def stock_score(outputs: list[dict], points: float) -> float | None:
    """The score of a test cell with these outputs, as nbgrader.utils.determine_grade has it.

    None where that raises, and nobody gets a mark. (To import nbgrader costs a worker seconds.)
    """
    for output in outputs:
        kind = output["output_type"]
        if kind == "error" or (kind == "stream" and output["name"] == "stderr"):
            return 0.0
        if kind == "execute_result":
            try:
                score = float(output["data"]["text/plain"])
            except KeyError:
                return None
            except ValueError:
                return points
            if score > points:
                return None
            return score if score >= 0 else points
    return points


def lowered(mark: Mark, stock: float | None, whose: str, unseen: str) -> Mark:
    """The mark of a test that could not see all that one kernel shows; the same if stock agrees.

    unseen: what that was
    """
    if stock is not None and stock >= (mark.score or 0) - 0.005:
        return mark
    there = "no mark" if stock is None else f"{stock:g} of {mark.points:g}"
    both = f"{DIFFERS}: {mark.score:g} here, {there} there ({unseen})"
    if whose == "stock" and stock is not None:
        return replace(mark, score=stock, stock=stock,
                       reason=f"{both}; stock's mark counts, it is not tamper-proof")
    return replace(mark, score=None, stock=stock or 0.0, reason=f"not graded: {both}")


def settled(mark: Mark, stock: float | None, whose: str) -> Mark:
    """The mark that counts where the two differ; the same mark where stock gives no more.

    whose: "examiner", "stock" or "open"
    """
    if stock is None or stock <= (mark.score or 0) + 0.005:
        return mark
    ours = "no mark" if mark.score is None else f"{mark.score:g}"
    both = (f"{DIFFERS}: {ours} here, {stock:g} of {mark.points:g} there"
            + (f" ({mark.reason})" if mark.reason else ""))
    if whose == "stock":
        return replace(mark, score=stock, stock=stock,
                       reason=f"{both}; stock's mark counts, it is not tamper-proof")
    if whose == "open":
        return replace(mark, score=None, stock=stock, reason=f"not graded: {both}")
    return replace(mark, stock=stock, reason=both)
