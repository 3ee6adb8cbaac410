"""The sheet of one student, for whoever examines: every word of it escaped, at most two pages."""

import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from viva.voce.code import numbered
from viva.voce.question import Question
from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.files import digest
from viva_examiner.voce.sittings import Talk, VoceSitting

FOLDER = "voce"
LETTERS = "abcd"
LINES = 112  # that fit on two pages of A4 under the head, with room for notes
WIDE = 100  # letters of a line of the page


def write_sheet(course: Course, sitting: VoceSitting, how: str) -> Path:
    """Write reports/voce/<homework>/<student>.html. It holds answers: its owner alone reads it."""
    path = sheet_path(course, sitting.homework, sitting.student)
    write_whole(path, render(sitting, how), 0o600)
    return path


def keep(course: Course, sitting: VoceSitting, how: str, made_of: str) -> None:
    """Keep the questions for the desk, for their owner alone.

    made_of: a digest of all that they rest on
    """
    rows = [{"key": key_of(each.function, each.words, each.call), "about": each.function,
             "kind": each.kind, "words": each.words.strip(), "call": each.call,
             "code": numbered(each.code), "options": list(each.options),
             "right": LETTERS[each.answer], "why": each.why} for each in sitting.questions]
    rows += [{"key": key_of(each.exercise, each.question, ""), "about": each.exercise,
              "kind": "why", "words": each.question, "call": "", "code": "", "options": [],
              "right": "", "why": each.answer, "good": each.good, "partial": each.partial,
              "wrong": each.wrong} for each in sitting.talks]
    write_whole(kept_path(course, sitting.homework, sitting.student),
                json.dumps({"how": how, "notes": sitting.notes, "questions": rows,
                            "made of": made_of}), 0o600)


def is_kept(course: Course, homework: str, student: str, made_of: str) -> bool:
    """Whether a sheet and its questions lie there that rest on exactly this."""
    try:
        known = json.loads(kept_path(course, homework, student).read_text())
    except (OSError, ValueError):
        return False
    return known.get("made of") == made_of and sheet_path(course, homework, student).is_file()


def sheet_path(course: Course, homework: str, student: str) -> Path:
    return course.root / "reports" / FOLDER / homework / f"{student}.html"


def kept_path(course: Course, homework: str, student: str) -> Path:
    return course.root / "reports" / f".{FOLDER}" / homework / f"{student}.json"


def key_of(about: str, words: str, call: str) -> str:
    """What tells one question from another one, in the ledger."""
    return digest(about, words.strip(), call)[:16]


def render(sitting: VoceSitting, how: str) -> str:
    layout = Environment(loader=PackageLoader("viva_examiner.voce", "."), autoescape=True,
                         undefined=StrictUndefined)
    parts, left_out = fitting(sitting.questions, sum(map(_height_of_talk, sitting.talks)))
    notes = [*sitting.notes, *([f"{left_out} more did not fit on two pages"] if left_out else [])]
    return layout.get_template("sheet.html.j2").render(
        student=sitting.student, homework=sitting.homework, how=how, notes=notes[:5],
        parts=parts, talks=sitting.talks) + "\n"


def fitting(questions: list[Question], lines: int = 0) -> tuple[list[dict[str, Any]], int]:
    """Questions by function, its code shown once, as many as fit; and how many do not.

    lines: that are taken already
    """
    parts: dict[str, dict[str, Any]] = {}
    kept = 0
    for question in questions:
        known = question.function in parts
        needs = _height(question) + (0 if known else 3 + question.code.count("\n"))
        if lines + needs > LINES:
            continue
        lines, kept = lines + needs, kept + 1
        part = parts.setdefault(question.function, {
            "function": question.function, "code": numbered(question.code), "questions": []})
        part["questions"].append({
            "number": kept, "kind": question.kind, "words": question.words.strip(),
            "call": question.call, "options": list(zip(LETTERS, question.options, strict=True)),
            "right": LETTERS[question.answer], "why": question.why})
    in_order = [question for part in parts.values() for question in part["questions"]]
    for number, row in enumerate(in_order, 1):
        row["number"] = number
    return list(parts.values()), len(questions) - kept


def _height_of_talk(talk: Talk) -> int:
    """The same of a question that staff wrote; its letters are wider."""
    words = [talk.question, f"{talk.answer} {talk.good} {talk.partial} {talk.wrong}"]
    return 6 + sum(1 + 5 * len(text) // (4 * WIDE) for text in words)


def _height(question: Question) -> int:
    """The lines that a question takes, with three for notes."""
    texts = [question.words, question.call, *question.options, question.why]
    return 4 + sum(1 + len(line) // WIDE for text in texts for line in text.splitlines())
