"""What a judge says it found, checked before anything of it is written.

Test code worked on data that a student made. If it was turned against us, this record is all that
it can reach: so names, types, sizes and points are checked, and pages are cleaned once more.
"""

import json
import math
from dataclasses import dataclass, field, replace
from typing import Any

from nbformat import NotebookNode

from viva.seam import RUBRIC_MIME
from viva_examiner.harmless import ACTIVE_TEX, PICTURES, is_picture
from viva_examiner.limits import MAX_LOG_BYTES, Limits
from viva_examiner.notebook.metadata import is_test
from viva_examiner.records import INCIDENTS, KnownMark, Mark, Remark, Rubric
from viva_examiner.sandbox.outputs import MARKUP_TYPES, TEXT_TYPES
from viva_examiner.travel import Travels

MAX_ANSWERS = 500  # that a library may keep
MAX_RUBRICS = 100  # of one test
MAX_REASON = 2_000  # characters
MAX_INCIDENTS, MAX_INCIDENT = 1_000, 5_000
MAX_RUBRIC = 1 << 21  # characters of the JSON of one rubric
MAX_TEXT = 1 << 26  # characters of one output
MAX_OUTPUTS = 5_000  # of one cell
LARGEST = 1e6  # seconds, points
KINDS = {"stream": ("name", "text"), "error": ("ename", "evalue"), "display_data": (),
         "execute_result": ()}


class BadRecord(ValueError):
    """A judge's record that says what no examination can come to."""


@dataclass(frozen=True)
class JudgeTask(Travels):
    """What a judge has to know of a submission.

    released: as `notebook.released.Released` writes itself; notebook: in that form, as JSON
    files: that lay beside the notebook; staffs: those of the released folder
    skip: number of a cell that is not run -> the outputs it is shown with
    answers: what the course's library has kept; rests_on: empty if it keeps nothing
    word: without it no record is believed: what a test writes to a descriptor, which a student's
        code may have named, does not know it
    """

    released: str
    limits: Limits
    student: str
    files: dict[str, bytes]
    staffs: dict[str, bytes]
    known: dict[str, KnownMark]
    skip: dict[str, tuple[dict[str, Any], ...]]
    notebook: str
    secret: str
    answers: dict[str, bytes]
    rests_on: str
    word: str = ""


@dataclass(frozen=True)
class CellOutput(Travels):
    """What a code cell shows."""

    outputs: tuple[Any, ...]
    count: int | None


@dataclass(frozen=True)
class Record(Travels):
    """What a judge found. shown: by the number of a code cell; answers: new ones, to be kept."""

    marks: dict[str, Mark]
    shown: dict[str, CellOutput]
    incidents: tuple[Remark, ...]
    seconds: dict[str, float]
    log: str
    answers: dict[str, bytes] = field(default_factory=dict)


def checked(record: Record, notebook: NotebookNode) -> Record:
    """The record, its pages cleaned. Raises BadRecord.

    notebook: as it was given to the judge
    """
    tests = {cell.metadata.nbgrader.grade_id: float(cell.metadata.nbgrader.points)
             for cell in notebook.cells if is_test(cell)}
    code = {str(index) for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"}
    ids = {cell.get("id", str(index)) for index, cell in enumerate(notebook.cells)}
    _require(record.marks.keys() == tests.keys(), "marks of other tests")
    _require(record.shown.keys() == code, "outputs of other cells")
    _require(record.seconds.keys() <= ids, "seconds of other cells")
    _require(len(record.incidents) <= MAX_INCIDENTS, "too many incidents")
    _require(len(record.answers) <= MAX_ANSWERS, "too many answers")
    for name, mark in record.marks.items():
        _check_mark(mark, tests[name])
    for spent in record.seconds.values():
        _number(spent, LARGEST)
    for remark in record.incidents:
        _require(remark.kind in INCIDENTS, "a remark of a kind that is not its own")
        _text(remark.text, MAX_INCIDENT)
        _text(remark.exercise, MAX_INCIDENT)
    _text(record.log, MAX_LOG_BYTES)
    return replace(record, shown={name: _clean(each) for name, each in record.shown.items()})


def _require(condition: bool, words: str) -> None:
    if not condition:
        raise BadRecord(words)


def _text(value: Any, most: int) -> str:
    _require(type(value) is str and len(value) <= most, "a text that is none, or too long")
    return value


def _number(value: float, most: float) -> None:
    _require(math.isfinite(value) and 0 <= value <= most, "a number that cannot be")


def _check_mark(mark: Mark, points: float) -> None:
    _require(mark.points == points and not mark.manual and not mark.key, "a mark of another test")
    for score in (mark.score, mark.stock):
        _number(score or 0.0, points)
    _text(mark.reason, MAX_REASON)
    _require(len(mark.rubric) <= MAX_RUBRICS, "too many rubrics")
    for rubric in mark.rubric:
        _check_rubric(rubric)


def _check_rubric(rubric: Rubric) -> None:
    _require(len(json.dumps(rubric.to_plain())) <= MAX_RUBRIC, "too large a rubric")
    _number(rubric.points, LARGEST)
    _number(rubric.score, rubric.points + 1e-6)
    for item in rubric.items:
        _number(item.points, LARGEST)
        _number(item.earned or 0.0, item.points + 1e-6)


def _rubric(claim: Any) -> Rubric:
    try:
        return Rubric.from_plain(claim)
    except ValueError as error:
        raise BadRecord(str(error)) from None


def _clean(shown: CellOutput) -> CellOutput:
    _require(len(shown.outputs) <= MAX_OUTPUTS, "too many outputs")
    return replace(shown, outputs=tuple(map(_output, shown.outputs)))


def _output(claim: Any) -> dict:
    kind = claim.get("output_type", "") if type(claim) is dict else ""
    _require(type(kind) is str and kind in KINDS, "an output of no kind")
    made = {"output_type": kind} | {part: _text(claim.get(part), MAX_TEXT)
                                    for part in KINDS[kind]}
    if kind == "stream":
        _require(made["name"] in ("stdout", "stderr"), "a stream of no name")
    elif kind == "error":
        rows = claim.get("traceback")
        _require(type(rows) is list, "no traceback")
        made["traceback"] = [_text(row, MAX_TEXT) for row in rows]
    else:
        data = claim.get("data")
        _require(type(data) is dict, "an output without data")
        made |= {"data": _bundle(data), "metadata": _described(claim.get("metadata"))}
        if kind == "execute_result":
            count = claim.get("execution_count")
            _require(count is None or type(count) is int, "no execution count")
            made["execution_count"] = count
    return made


def _bundle(data: dict) -> dict:
    """What a browser may be given of an output; a rubric's table keeps its name for our pages."""
    found: dict[str, Any] = {}
    for mime, value in data.items():
        if mime == RUBRIC_MIME:
            _check_rubric(_rubric(value))
            found[mime] = value
        elif mime in TEXT_TYPES:
            if mime != "text/latex" or not ACTIVE_TEX.search(_text(value, MAX_TEXT)):
                found[mime] = _text(value, MAX_TEXT)
        elif mime in PICTURES and type(value) is str and is_picture(mime, value):
            found[mime] = value
        elif mime in MARKUP_TYPES:
            text = MARKUP_TYPES[mime](_text(value, MAX_TEXT))
            table = mime == "text/html" and RUBRIC_MIME in data
            found[mime] = f"<div class='viva-rubric'>{text}</div>" if table else text
    return found


def _described(claim: Any) -> dict:
    """The alt text of a picture."""
    about = claim.get("image/png") if type(claim) is dict else None
    alt = about.get("alt") if type(about) is dict else None
    safe = type(alt) is str and len(alt) <= 1000 and not set(alt) & set("<>&\"'")
    return {"image/png": {"alt": alt}} if safe else {}
