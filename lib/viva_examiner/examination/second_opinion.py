"""A second opinion on a failure: what would stock nbgrader have given?

The notebook runs once more the stock way, tests in the same process as the student's code, in a
candidate of its own that is ended right after. It reads the text of tests, so nothing of it is kept
but one number per failed test: no output, no file, no message. A student's code can forge that
number. So it only ever says "look at this", unless staff decide that stock's marks are enough.
Tests that ask a course's own exams (`examine`) never get here: their answers are not in reach.
"""

import re
import time
from dataclasses import replace

from viva_examiner.limits import Limits
from viva_examiner.notebook.metadata import is_test
from viva_examiner.records import Mark
from viva_examiner.sandbox.errors import CandidateDied, CandidateError

ASKS_AN_EXAM = re.compile(r"\bexamine\b")
SPARE_SECONDS = 5.0  # beyond what the first run took
DIFFERS = "differs from stock nbgrader"
TOLD = "A person will look at this test: its mark differs from stock nbgrader's.\n"


def may_be_asked(cell) -> bool:
    """Whether a test is one that stock nbgrader could run."""
    return is_test(cell) and not ASKS_AN_EXAM.search(cell.source)


def ask(sitting, notebook, marks: dict[str, Mark]) -> None:
    """Settle the marks of an examination whose candidate has ended; staff's choice counts.

    Where a cell of the notebook itself died or ran too long, stock gives nobody any mark.
    """
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if is_test(cell)}
    doubtful = {name for name, mark in marks.items() if name not in sitting.known
                and (mark.score is None or mark.score < mark.points) and may_be_asked(cells[name])}
    found = {}
    if doubtful and not sitting.ended:
        seconds = time.monotonic() - sitting.started + SPARE_SECONDS
        found = stock_marks(sitting.warm, sitting.limits, sitting.student, sitting.files,
                            notebook.cells, doubtful, seconds)
    for name, mark in marks.items():
        if name in sitting.undecided and found.get(name) == 0:
            mark = replace(mark, score=0.0,
                           reason=f"{mark.reason}; stock nbgrader gives 0 as well")
        marks[name] = mark = settled(mark, found.get(name), sitting.whose)
        if mark.stock is not None:
            sitting.note(f"{name} {DIFFERS}: stock gives {mark.stock:g} of {mark.points:g}")
            if mark.score is None:
                cells[name].outputs.append({"output_type": "stream", "name": "stdout",
                                            "text": TOLD})


def stock_marks(warm, limits: Limits, student: str, files: dict, cells, wanted: set[str],
                seconds: float) -> dict[str, float]:
    """{grade_id: points that stock nbgrader would give} of the wanted tests, as far as they ran.

    cells: of the restored notebook; seconds: for all of it
    """
    found, left = {}, set(wanted)
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
                score = stock_score(result.outputs, float(cell.metadata.nbgrader.points))
                found |= {} if score is None else {name: round(score, 2)}
            if result.died:
                break
    return found


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
