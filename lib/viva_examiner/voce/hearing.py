"""Questions as they come from a candidate's cage: text of a stranger, until it is looked at.

Which code is shown and which lines are changed is decided here, from the text that was handed in.
What remains the candidate's word is what its code returned.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from viva.unbroken import unbroken
from viva.voce.changes import changes, swaps
from viva.voce.options import OPTIONS, Question
from viva.voce.questions import KINDS

MAX_TEXT = 400_000  # characters of all questions about one exercise
MAX_WORDS = 600  # of a call, an option, or the words of a question
MAX_WHY = 1500
TEXTS = {"kind": 20, "function": 100, "words": MAX_WORDS, "call": MAX_WORDS, "code": 8000,
         "why": MAX_WHY}


def heard(text: object, shown: Mapping[str, str]) -> list[Question]:
    """The questions in a candidate's reply that can be asked; what is anything else is left out.

    shown: {function: its code as it was handed in}
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        return []
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return []
    rows = told if isinstance(told, list) else []
    known = {name: _programs(code) for name, code in shown.items()}
    return [question for row in rows if (question := _question(row)) is not None
            and shown.get(question.function) == question.code
            and set(question.programs) <= known[question.function]]


def _programs(code: str) -> frozenset[str]:
    """The code, and every change of it that may be asked about."""
    return frozenset({code} | {each.text for each in [*changes(code), *swaps(code)]})


def _question(row: Any) -> Question | None:
    """One question, if the row is one."""
    if not isinstance(row, dict):
        return None
    options, programs = _texts(row.get("options"), MAX_WORDS), _texts(row.get("programs"), 8000)
    texts = {name: row[name] for name, most in TEXTS.items()
             if isinstance(row.get(name), str) and len(row[name]) <= most}
    answer, line = row.get("answer"), row.get("line")
    if len(texts) < len(TEXTS) or texts["kind"] not in KINDS or not programs:
        return None
    if len(options) != OPTIONS or len(set(options)) != OPTIONS:
        return None
    if type(answer) is not int or not 0 <= answer < OPTIONS or type(line) is not int:
        return None
    shown: dict[str, Any] = {name: "\n".join(_printable(text)) for name, text in texts.items()}
    return Question(**shown,
                    options=tuple(" ".join(_printable(option)) for option in options),
                    answer=answer, line=line, programs=tuple(programs))


def _texts(value: Any, longest: int) -> list[str]:
    """A short list of texts; an empty one if it is anything else."""
    fits = isinstance(value, list) and len(value) <= OPTIONS and all(
        isinstance(text, str) and len(text) <= longest for text in value)
    return value if fits else []


def _printable(text: str) -> Iterator[str]:
    """The lines of a text, without signs that steer a terminal or turn the direction of writing."""
    for line in unbroken(text).split("\n"):
        yield "".join(sign if sign.isprintable() else " " for sign in line)
