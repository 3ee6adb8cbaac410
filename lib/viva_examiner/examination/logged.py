"""The code in a submission log, run as a notebook is: what counts is what it answers now.

A log records outputs that anybody can write. It also carries the source of every function, so the
released notebook with these functions in it is examined like any other, in the sandbox, on the
student's own inputs and on hidden ones. What the log recorded is compared with that, and a
difference is a remark. An exercise whose source is not whole is provisional: nothing counts of it
until the notebook is handed in.
"""

import ast
import builtins
import json
import symtable
import textwrap
from dataclasses import replace
from typing import Any

from viva.log import MAX_SOURCE
from viva_examiner.examination.submission_log import GradedLog, LoggedExercise
from viva_examiner.notebook.cells import names_bound, star_imports_in, tree_of
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import UNREADABLE, Graded, Kind, Mark, RubricItem

UNCUT = 0.85 * MAX_SOURCE  # characters of JSON; a source that was cut is longer (`viva.log.cut`)


def notebook_of(log: dict, released: Released) -> tuple[bytes, dict[str, str]]:
    """(the released notebook with the log's functions in it, {exercise: why it is provisional})."""
    sources = {name: textwrap.dedent(entry["source"]) for name, entry in log["exercises"].items()}
    provisional = {name: why for name, source in sources.items()
                   if (why := _missing(source, sources, released))}
    whole = {name: source for name, source in sources.items() if name not in provisional}
    known = {cell.name: cell for cell in released.cells}
    cells = [_cell(kind, text, {}) if kind != "graded" else
             _cell(known[text].cell_type, _source(known[text], whole),
                   {"nbgrader": known[text].metadata()})
             for kind, text in released.layout if kind != "graded" or text in known]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook).encode(), provisional


def _cell(kind: str, source: str, metadata: dict) -> dict:
    code: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": "", "metadata": metadata, "source": source} | code


def _source(cell: ReleasedCell, sources: dict[str, str]) -> str:
    """A released cell's source; where it asks for functions of the log, with those of the log."""
    if cell.cell_type != "code" or not cell.solution:
        return cell.shown
    written = {name: source for name, source in sources.items()
               if names_bound(source) & cell.defines}
    if not written:
        return cell.shown
    own = names_bound("\n".join(written.values()))
    tree = tree_of(cell.shown) or ast.Module(body=[], type_ignores=[])
    given = [ast.unparse(node) for node in tree.body  # imports and constants of the staff's
             if not (isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in own)]
    return "\n".join(given + list(written.values()))


def _missing(source: str, sources: dict[str, str], released: Released) -> str:
    """Why the source of an exercise cannot be run by itself; empty if it can."""
    if not source.strip():
        return "the log does not hold its source"
    if len(json.dumps(source)) > UNCUT:
        return "its source may be cut"
    try:
        free = _free_names(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "its source cannot be read"
    code = [text for kind, text in released.layout if kind == "code"]
    code += [cell.shown for cell in released.cells if cell.cell_type == "code"]
    if any(map(star_imports_in, code)):
        return ""
    bound = frozenset().union(*map(names_bound, code), *map(names_bound, sources.values()))
    unknown = sorted(free - bound - set(dir(builtins)))
    return f"it uses {', '.join(unknown[:3])}, which the log does not hold" if unknown else ""


def _free_names(source: str) -> set[str]:
    """The names that a piece of code reads and does not bind itself."""
    top = symtable.symtable(source, "the log", "exec")
    bound = {each.get_name() for each in top.get_symbols()
             if each.is_assigned() or each.is_imported() or each.is_namespace()}
    found, tables = set(), [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        found |= {each.get_name() for each in table.get_symbols()
                  if each.is_referenced() and (each.is_global() or table is top)}
    return found - bound


def judged(recorded: GradedLog, graded: Graded, provisional: dict[str, str]) -> GradedLog:
    """What came of a log: the marks of its code, and what its recorded outputs show in addition."""
    if graded.status == UNREADABLE or not graded.seconds:
        why = "; ".join(map(str, graded.remarks)) or graded.status
        return replace(recorded, refused=f"its code could not be examined: {why[:300]}")
    judged = []
    for each in recorded.exercises:
        mark = graded.marks.get(f"test_{each.exercise}")
        if mark is None:
            continue  # the released notebook does not ask for it
        judged.append(replace(each, items=_provisional(each, provisional[each.exercise]))
                      if each.exercise in provisional else
                      replace(each, items=_items(each.exercise, mark),
                              mistake=_first(mark, "mistake"), hint=_first(mark, "hint")))
    said = [remark.text for remark in graded.remarks
            if remark.kind not in (Kind.RESTORED, Kind.NO_NOTEBOOK)
            and remark.exercise not in provisional]
    return replace(recorded, exercises=judged, provisional=provisional,
                   remarks=[*recorded.remarks, *said])


def _items(exercise: str, mark: Mark) -> tuple[RubricItem, ...]:
    if mark.score is None or not mark.items:
        reason = mark.reason if mark.lost else ""
        return (RubricItem(exercise, mark.points, mark.score, reason),)
    return tuple(mark.items)


def _first(mark: Mark, part: str) -> str:
    return next((getattr(rubric, part) for rubric in mark.rubric if getattr(rubric, part)), "")


def _provisional(logged: LoggedExercise, why: str) -> tuple[RubricItem, ...]:
    """The items of an exercise whose code the log does not hold: what its outputs would earn."""
    rows = []
    for item in logged.items:
        would = "" if item.earned is None else (
            f"; its recorded outputs would earn {item.earned:g} of {item.points:g}")
        message = f"provisional: {why}{would}; hand in the notebook"
        rows.append(replace(item, earned=None, message=message))
    return tuple(rows)
