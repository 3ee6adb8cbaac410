"""`defend`: one question about your own code, answered at once by running it.

    defend("linear_attention")        asks
    defend("linear_attention", "b")   answers it; the next call asks another one

It is plain text, so it works wherever a cell prints. The log notes that you tried, and nothing
else: neither the question nor your answer.
"""

import contextlib
import hashlib
import io
import os
import sys
from typing import Any

from viva.case import candidates_of
from viva.checking import judge
from viva.desk import note_defended
from viva.patience import Patience
from viva.sources import source_of
from viva.voce.code import numbered

KINDS = ("now", "swap", "predict", "way")
LETTERS = "abcd"
ASKED: dict[str, int] = {}  # exercise -> how many questions were answered in this session
WAITING: dict[str, Any] = {}  # exercise -> the question that waits for an answer


def defend(exercise: str, answer: str = "") -> None:
    """Ask one question about the code that you wrote for an exercise, or answer it.

    answer: the letter of your choice
    """
    if os.environ.get("NBGRADER_EXECUTION"):
        return  # nobody is there to answer
    try:
        names = candidates_of(exercise)
    except KeyError as error:
        print(error.args[0])
        return
    if answer and exercise in WAITING:
        print(_verdict(exercise, answer))
    elif answer:
        print(f"No question waits for an answer: defend({exercise!r}) asks one.")
    else:
        print(_asked(exercise, names, sys._getframe(1).f_globals))


def _asked(exercise: str, names: tuple[str, ...], notebook: dict[str, Any]) -> str:
    """The text of a question, which then waits for an answer; or why there is none."""
    missing = [name for name in names if name not in notebook]
    if missing:
        return f"Run the cell that defines {' and '.join(missing)}, and its check, before this one."
    candidates = [notebook[name] for name in names]
    from viva.voce.material import chosen, material  # not needed before somebody asks

    WAITING.pop(exercise, None)
    with Patience() as patience, contextlib.redirect_stdout(io.StringIO()):
        if not judge(exercise, *candidates).passed:
            return f"Questions come after the check of {exercise} has passed."
        seed = hashlib.sha256("\n".join(map(source_of, candidates)).encode()).hexdigest()
        seed = f"{seed} {ASKED.get(exercise, 0)}"
        found = [each for each in material(exercise, candidates, seed) if each.kind in KINDS]
        for question in chosen(found, 1, seed):
            WAITING[exercise] = question
    if patience.lost or exercise not in WAITING:
        return f"No question about {exercise} could be made. Explain it to somebody instead."
    note_defended(exercise)
    return _text(exercise)


def _text(exercise: str) -> str:
    question = WAITING[exercise]
    options = [f"  {letter})  {option}"
               for letter, option in zip(LETTERS, question.options, strict=True)]
    call = [f"    {line}" for line in question.call.splitlines()]
    return "\n".join(["This is your code:", "", numbered(question.code), "", question.words, "",
                      *call, "", *options, "",
                      f'Answer with defend("{exercise}", "a"), or b, c, d.'])


def _verdict(exercise: str, answer: str) -> str:
    """Whether an answer is right, and what the run showed."""
    question, letter = WAITING[exercise], answer.strip().lower()[:1]
    if letter not in LETTERS[: len(question.options)] or not letter:
        return f"Answer with one of the letters {', '.join(LETTERS)}."
    del WAITING[exercise]
    ASKED[exercise] = ASKED.get(exercise, 0) + 1
    right = LETTERS[question.answer]
    head = "Right." if letter == right else f"Not so: {right} is right."
    return f"{head} It was run: {question.why}."
