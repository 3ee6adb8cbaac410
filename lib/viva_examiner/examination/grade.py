"""Grade one notebook, from the bytes handed in to the autograded text, in a straight line:
restore, examine, gather marks and remarks in one record, write the notebook once.
"""

import json
import traceback
from dataclasses import replace

from nbformat.v4 import new_markdown_cell

from viva.unbroken import unbroken
from viva_examiner.examination.as_handed_in import marked, outputs_as_handed_in
from viva_examiner.examination.dependencies import test_keys
from viva_examiner.examination.examine import Examination, Examined
from viva_examiner.examination.needed import left_out
from viva_examiner.examination.submission_log import compare
from viva_examiner.harmless import fenced, one_line
from viva_examiner.limits import Limits
from viva_examiner.notebook import metadata
from viva_examiner.notebook.metadata import has_role, is_test
from viva_examiner.notebook.reading import BadSubmission
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.restore import REMARKS_ID, new_cell, new_notebook, restore
from viva_examiner.records import (
    GRADED,
    NO_KEYS,
    NOT_GRADED,
    UNREADABLE,
    Graded,
    Keys,
    Mark,
    Work,
)
from viva_examiner.sandbox.errors import EngineError

NOT_ISOLATED = "graded without isolation on a machine declared trusted: not tamper-proof"


def grade(warm, released: Released, student: str, work: Work, limits: Limits,
          keys: Keys = NO_KEYS, marks_only: bool = False) -> Graded:
    """Grade one notebook. Never raises for what a submission contains or does.

    marks_only: leave out the cells that no mark depends on
    """
    try:
        if work.other:
            raise BadSubmission(f"this is {work.other}, not {released.homework}")
        notebook, remarks = restore(work.notebook, released)
    except BadSubmission as error:
        graded = Graded(student, released.homework, released.notebook, UNREADABLE,
                        key=keys.submission, rests_on=keys.rests_on,
                        remarks=list(work.remarks))
        return _unreadable(graded, released, str(error), 0.0 if not work.other else None)
    work = replace(work, remarks=(*work.remarks, *remarks))
    return grade_restored(warm, released, student, notebook, work, limits, keys, marks_only)


def grade_restored(warm, released: Released, student: str, notebook, work: Work, limits: Limits,
                   keys: Keys = NO_KEYS, marks_only: bool = False) -> Graded:
    """Grade a notebook that is in its released form again; `work` tells what lay beside it."""
    graded = Graded(student, released.homework, released.notebook, GRADED, key=keys.submission,
                    rests_on=keys.rests_on, remarks=list(work.remarks))
    tests = test_keys(notebook, keys) if keys.link else {}
    known = {name: kept for name, kept in keys.known.items() if kept["key"] == tests.get(name)}
    try:
        skip = _not_run(released, notebook, work, limits) if marks_only else {}
        sitting = Examination(warm, limits, student, released, work.files, known, skip)
        examined = sitting.examine(notebook)
    except MemoryError:  # the worker's bound; what makes it pass that is the submission
        return _unreadable(graded, released, "to examine it takes too much memory", 0.0)
    except EngineError as error:
        return _not_graded(graded, released, notebook, str(error))
    except Exception as error:  # a fault of ours must never look like the student's
        trace = traceback.format_exc(limit=-3)
        return _not_graded(graded, released, notebook, f"{type(error).__name__}: {error}\n{trace}")
    graded.isolated = examined.isolated
    graded.seconds = {cell: round(spent, 4) for cell, spent in examined.seconds.items()}
    graded.log = examined.log.decode("utf-8", "replace")
    graded.remarks += examined.incidents + ([] if examined.isolated else [NOT_ISOLATED])
    graded.remarks += compare(work.log, graded.log)
    # a test that is open because stock differs is examined as far as it ever will be
    if any(mark.score is None and mark.stock is None for mark in examined.marks.values()):
        graded.status = NOT_GRADED
    graded.kept = len(known)
    _fill(graded, released, notebook, examined, tests)
    return _finished(graded, notebook)


def _not_run(released: Released, notebook, work: Work, limits: Limits) -> dict[int, list]:
    """{number of a cell that decides no mark: its outputs as they were handed in}."""
    numbers = left_out(notebook.cells, released.ordinary)
    sources = {number: notebook.cells[number].source for number in numbers}
    shown = outputs_as_handed_in(work.notebook, sources.values(), limits.output_kb)
    return {number: marked(shown.get(source, [])) for number, source in sources.items()}


def _fill(graded: Graded, released: Released, notebook, examined: Examined,
          tests: dict[str, str]) -> None:
    sources = {cell.name: cell.source for cell in released.cells}
    for cell in notebook.cells:
        about = metadata.graded(cell)
        untouched = cell.source == sources.get(about.get("grade_id"))
        if has_role(cell, "grade"):
            if is_test(cell):
                mark = examined.marks[about.grade_id]
            elif untouched:
                mark = Mark(0.0, float(about.points), "no response")
            else:  # written by hand, for a human to grade
                mark = Mark(None, float(about.points))
            graded.marks[about.grade_id] = vars(mark) | {
                "manual": not is_test(cell), "key": tests.get(about.grade_id, "")}
        if has_role(cell, "solution"):
            graded.comments[about.grade_id] = "No response." if untouched else ""
        elif has_role(cell, "task"):
            graded.comments[about.grade_id] = ""


def _unreadable(graded: Graded, released: Released, reason: str, score: float | None) -> Graded:
    """Flagged for a look: the student is told, and nobody else is held up.

    score: zero where there is nothing to grade; None where it may only be the wrong file
    """
    graded.status = UNREADABLE
    graded.remarks.append(f"needs a look: {reason}")
    for cell in released.cells:
        if cell.grade:
            mark = Mark(score, cell.points, reason)
            graded.marks[cell.name] = vars(mark) | {"manual": cell.solution}
        if cell.solution or cell.task:
            graded.comments[cell.name] = ""
    return _finished(graded, _as_released(released))


def _not_graded(graded: Graded, released: Released, notebook, reason: str) -> Graded:
    """A fault of the engine: no grade at all rather than a wrong one."""
    graded.status = NOT_GRADED
    graded.remarks.append(f"not graded, engine error: {reason}")
    for cell in released.cells:
        if cell.grade:
            mark = Mark(None, cell.points, "not graded: engine error")
            graded.marks[cell.name] = vars(mark) | {"manual": cell.solution}
        if cell.solution or cell.task:
            graded.comments[cell.name] = ""
    return _finished(graded, notebook)


def _as_released(released: Released):
    cells = [new_cell(cell.cell_type, cell.name[:64], cell.source) for cell in released.cells]
    for cell, owner in zip(cells, released.cells, strict=True):
        cell.metadata["nbgrader"] = owner.metadata()
    return new_notebook(cells)


def _finished(graded: Graded, notebook) -> Graded:
    """The notebook's text, with what staff should know in its first cell and its metadata."""
    graded.remarks = [one_line(line) for line in graded.remarks]
    for mark in graded.marks.values():
        mark["reason"] = one_line(mark["reason"])
    if graded.remarks:
        lines = "\n".join(graded.remarks)
        text = f"**Remarks of the examiner**\n\n{fenced(lines)}"
        notebook.cells.insert(0, new_markdown_cell(text, id=REMARKS_ID))
    notebook.metadata["viva"] = graded.summary()
    # Valid by construction, and on one line: nbformat's own writer takes twenty times as long.
    graded.text = unbroken(json.dumps(notebook, ensure_ascii=False, sort_keys=True)) + "\n"
    return graded
