"""Questions as they come from a candidate's cage: what a stranger says, until it is looked at.

Which code is shown, which lines are changed and what is called is decided here, from the text that
was handed in and from the probes; the words of a question are ours (`viva.voce.question`). What
remains the candidate's word is what its code returned, and that must look like a result.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from viva.voce.calls import is_call
from viva.voce.changes import Change, changes, swaps
from viva.voce.growing import WORDS
from viva.voce.options import OPTIONS
from viva.voce.probes import growths_of, is_filled
from viva.voce.question import KINDS, Question

MAX_TEXT = 400_000  # characters of all questions about one exercise
MAX_VALUE = 300  # of one result
MAX_PASSES = 1000  # of a loop
TEXTS = ("kind", "function", "call", "code", "was", "variable")
LISTS = ("options", "results", "programs")
NUMBERS = ("answer", "line", "times")
# numbers, fractions, brackets, truths; a short text in quotes; a name before a colon. Nothing is
# tried a second time (++): there are many ways to read "1:1:1:…", and a stranger wrote it.
VALUE = re.compile(r"""(?:[-0-9/.,: ()\[\]{}]|True|False|None|'[^'\\\n]{0,40}'|"[^"\\\n]{0,40}"|"""
                   r"""\w{1,30}(?=:))++""")
MEGABYTES = re.compile(r"\d{1,5}\.\d\d")


def heard(text: object, shown: Mapping[str, str], exercise: str) -> list[Question]:
    """The questions in a candidate's reply that can be asked; what is anything else is left out.

    shown: {function: its code as it was handed in}
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        return []
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        return []
    rows = payload if isinstance(payload, list) else []
    known = {name: [*changes(code), *swaps(code)] for name, code in shown.items()}
    return [question for row in rows if (question := _question(row)) is not None
            and shown.get(question.function) == question.code
            and _is_ours(question, known[question.function], exercise)]


def _question(row: Any) -> Question | None:
    """One question, if the row has the form of one."""
    if not isinstance(row, dict) or set(row) != {*TEXTS, *LISTS, *NUMBERS}:
        return None
    if not all(isinstance(row[name], str) for name in TEXTS) or not all(
            type(row[name]) is int for name in NUMBERS):
        return None
    if not all(isinstance(row[name], list) and all(isinstance(text, str) for text in row[name])
               for name in LISTS):
        return None
    question = Question.back(row)
    fits = question.kind in KINDS and 0 <= question.answer < OPTIONS and (
        len(question.options) == len(set(question.options)) == OPTIONS)
    return question if fits else None


def _is_ours(question: Question, known: Sequence[Change], exercise: str) -> bool:
    """Whether every part of a question is what the generator could have made of this code."""
    return all(KIND[part](question, known, exercise) for part in (question.kind, "call"))


def _now(question: Question, known: Sequence[Change], exercise: str) -> bool:
    """now, swap: the key's program is this change, and all the rest are results."""
    kind = "swap" if question.kind == "swap" else "change"
    texts = {change.text for change in known} | {question.code}
    return len(question.programs) == OPTIONS and set(question.programs) <= texts and any(
        change.line == question.line and change.kind == kind
        and change.text == question.programs[question.answer] for change in known
    ) and _are_values(question.was, *question.options)


def _which(question: Question, known: Sequence[Change], exercise: str) -> bool:
    written = {change.text: f"line {change.line}: {change.after.strip()}" for change in known
               if change.kind == "change"}
    return tuple(map(written.get, question.programs)) == question.options and (
        len(question.results) == OPTIONS and _are_values(question.was, *question.results))


def _predict(question: Question, known: Sequence[Change], exercise: str) -> bool:
    return question.programs[question.answer : question.answer + 1] == (question.code,) and (
        set(question.programs) <= {change.text for change in known} | {question.code}
        and _are_values(*question.options))


def _way(question: Question, known: Sequence[Change], exercise: str) -> bool:
    names = set(re.findall(r"\w+", question.code))
    return question.variable in names and 0 <= question.times <= MAX_PASSES and (
        1 <= question.line <= question.code.count("\n") + 1
        and _are_values(*question.options, *question.results))


def _input(question: Question, known: Sequence[Change], exercise: str) -> bool:
    calls = [option.replace("; ", "\n") for option in question.options]
    return len(question.results) == 2 * OPTIONS and _are_values(*question.results) and (
        all(_is_call(call, question.function, exercise) for call in calls)
        and any(question.programs == (change.text,) and change.line == question.line
                for change in known))


def _memory(question: Question, known: Sequence[Change], exercise: str) -> bool:
    return (question.call, question.times) in growths_of(exercise, question.function) and (
        sorted(question.options) == sorted(WORDS.values()) and len(question.results) == 3
        and all(MEGABYTES.fullmatch(each) for each in question.results))


def _call(question: Question, known: Sequence[Change], exercise: str) -> bool:
    """What is called: nothing where the options are calls."""
    if question.kind in ("input", "memory"):
        return question.kind == "memory" or question.call == ""
    return _is_call(question.call, question.function, exercise)


def _is_call(call: str, function: str, exercise: str) -> bool:
    return is_call(call, function) or is_filled(call, exercise)


def _are_values(*texts: str) -> bool:
    return all(len(text) <= MAX_VALUE and text.isprintable() and VALUE.fullmatch(text)
               for text in texts)


KIND = {"now": _now, "swap": _now, "which": _which, "predict": _predict, "way": _way,
        "input": _input, "memory": _memory, "call": _call}
