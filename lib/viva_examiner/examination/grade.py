"""Grade one notebook, from the bytes handed in to the autograded text, in a straight line:
restore, examine, gather marks and remarks in one record, write the notebook once.
"""

import json
import traceback
from dataclasses import replace

from nbformat import NotebookNode
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
from viva_examiner.notebook.restoring import REMARKS_ID, new_cell, new_notebook, restore
from viva_examiner.records import (
    GRADED,
    NOT_GRADED,
    UNREADABLE,
    Graded,
    Kind,
    Mark,
    Remark,
    Work,
)
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.interpreter import WarmInterpreter

NOT_ISOLATED = Remark(Kind.NOT_ISOLATED, "graded without isolation on a machine declared trusted: "
                      "not tamper-proof")


def grade(warm: WarmInterpreter, released: Released, work: Work, limits: Limits) -> Graded:
    """Grade one notebook. Never raises for what a submission contains or does."""
    if work.other:  # it may only be the wrong file: no mark, and a remark of the door says whose
        return _without_marks(_begun(released, work), released, UNREADABLE, None,
                              f"this is the notebook of {work.other}, not of {released.homework}")
    try:
        notebook, notes = restore(work.data, released)
    except BadSubmission as error:
        remark = Remark(Kind.NO_NOTEBOOK, f"needs a look: {error}")
        return _without_marks(_begun(released, work, remark), released, UNREADABLE, 0.0, str(error))
    remarks = (*work.remarks, *(Remark(Kind.RESTORED, note) for note in notes))
    return grade_restored(warm, released, notebook, replace(work, remarks=remarks), limits)


def grade_restored(warm: WarmInterpreter, released: Released, notebook: NotebookNode, work: Work,
                   limits: Limits) -> Graded:
    """Grade a notebook that is in its released form again; `work` has the files beside it."""
    tests = test_keys(notebook, work.keys) if work.keys.link else {}
    known = {name: kept for name, kept in work.keys.known.items() if kept.key == tests.get(name)}
    try:
        skip = _not_run(released, notebook, work, limits) if work.marks_only else {}
        sitting = Examination(warm, limits, work.student, released, work.files, known, skip)
        examined = sitting.examine(notebook)
    except MemoryError:  # the worker's bound; what makes it pass that is the submission
        reason = "examining it takes too much memory"
        remark = Remark(Kind.MEMORY, f"needs a look: {reason}")
        return _without_marks(_begun(released, work, remark), released, UNREADABLE, 0.0, reason)
    except EngineError as error:
        return _not_graded(released, work, notebook, str(error))
    except Exception as error:  # a fault of ours must never look like the student's
        trace = traceback.format_exc(limit=-3)
        return _not_graded(released, work, notebook, f"{type(error).__name__}: {error}\n{trace}")
    log = examined.log.decode("utf-8", "replace")
    remarks = list(examined.incidents)
    remarks += [] if examined.isolated else [NOT_ISOLATED]
    remarks += compare(work.log, log)
    # a test that is open because stock differs is examined as far as it ever will be
    is_open = any(mark.score is None and mark.stock is None for mark in examined.marks.values())
    marks, comments = _gathered(released, notebook, examined, tests)
    graded = replace(
        _begun(released, work, *remarks), status=NOT_GRADED if is_open else GRADED, marks=marks,
        comments=comments, isolated=examined.isolated, log=log, kept=len(known),
        key=work.keys.of_marks if skip else work.keys.submission,
        seconds={cell: round(spent, 4) for cell, spent in examined.seconds.items()})
    return _finished(graded, notebook)


def _begun(released: Released, work: Work, *remarks: Remark) -> Graded:
    """The record of a work before it has marks."""
    return Graded(work.student, released.homework, released.notebook, GRADED,
                  key=work.keys.submission, rests_on=work.keys.rests_on,
                  remarks=tuple(dict.fromkeys((*work.remarks, *remarks))))


def _not_run(released: Released, notebook: NotebookNode, work: Work,
             limits: Limits) -> dict[int, list]:
    """{number of a cell that decides no mark: its outputs as they were handed in}."""
    numbers = left_out(notebook.cells, released.ordinary)
    sources = {number: notebook.cells[number].source for number in numbers}
    shown = outputs_as_handed_in(work.data, sources.values(), limits.output_kb)
    return {number: marked(shown.get(source, [])) for number, source in sources.items()}


def _gathered(released: Released, notebook: NotebookNode, examined: Examined,
              tests: dict[str, str]) -> tuple[dict[str, Mark], dict[str, str]]:
    """({grade_id: mark}, {grade_id: automatic comment}) of an examined notebook."""
    sources = {cell.name: cell.source for cell in released.cells}
    marks, comments = {}, {}
    for cell in notebook.cells:
        about = metadata.graded(cell)
        name = metadata.grade_id(cell)
        untouched = cell.source == sources.get(name)
        if has_role(cell, "grade"):
            key = tests.get(name, "")
            if is_test(cell):
                mark = replace(examined.marks[name], key=key)
            elif untouched:
                mark = Mark(0.0, float(about["points"]), "no response", manual=True)
            else:  # written by hand, for a human to grade
                mark = Mark(None, float(about["points"]), manual=True)
            marks[name] = mark
        if has_role(cell, "solution"):
            comments[name] = "No response." if untouched else ""
        elif has_role(cell, "task"):
            comments[name] = ""
    return marks, comments


def _not_graded(released: Released, work: Work, notebook: NotebookNode, reason: str) -> Graded:
    """A fault of the engine: no grade at all rather than a wrong one."""
    remark = Remark(Kind.ENGINE, f"not graded, engine error: {reason}")
    return _without_marks(_begun(released, work, remark), released, NOT_GRADED, None,
                          "not graded: engine error", notebook)


def _without_marks(graded: Graded, released: Released, status: str, score: float | None,
                   reason: str, notebook: NotebookNode | None = None) -> Graded:
    """Flagged for a look: every cell has the same score and reason, and nobody else is held up.

    score: zero where there is nothing to grade; None where there may only be no mark
    notebook: what is shown; the released one by default
    """
    marks = {cell.name: Mark(score, cell.points, reason, manual=cell.solution)
             for cell in released.cells if cell.grade}
    comments = {cell.name: "" for cell in released.cells if cell.solution or cell.task}
    graded = replace(graded, status=status, marks=marks, comments=comments)
    return _finished(graded, notebook or _as_released(released))


def _as_released(released: Released) -> NotebookNode:
    cells = [new_cell(cell.cell_type, cell.name[:64], cell.source) for cell in released.cells]
    for cell, owner in zip(cells, released.cells, strict=True):
        cell.metadata["nbgrader"] = owner.metadata()
    return new_notebook(cells)


def _finished(graded: Graded, notebook: NotebookNode) -> Graded:
    """The notebook's text, with what staff should know in its first cell and its metadata."""
    remarks = tuple(replace(remark, text=one_line(remark.text)) for remark in graded.remarks)
    marks = {name: replace(mark, reason=one_line(mark.reason))
             for name, mark in graded.marks.items()}
    graded = replace(graded, remarks=remarks, marks=marks)
    if remarks:
        lines = "\n".join(map(str, remarks))
        text = f"**Remarks of the examiner**\n\n{fenced(lines)}"
        notebook.cells.insert(0, new_markdown_cell(text, id=REMARKS_ID))
    notebook.metadata["viva"] = graded.summary()
    # Valid by construction, and on one line: nbformat's own writer takes twenty times as long.
    text = unbroken(json.dumps(notebook, ensure_ascii=False, sort_keys=True)) + "\n"
    return replace(graded, text=text)
