"""Questions about one function or class, each with four options and one right answer.

    now       one line is changed; what does this call return now?
    swap      two neighbouring lines change places; what does it return now?
    which     this call returns something else after one change; which of four was it?
    predict   what does this call return?
    way       what is this variable, or its shape, after this line?
    input     for which of these calls does a change matter?
    memory    by how much does the peak of the memory grow when N doubles?

Every answer is the result of a run. A question is made only if its answer is one of four that are
printed differently, and if nothing in it is idle: every array influences an option.
"""

import ast
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from viva.voce.changes import changes, swaps
from viva.voce.inputs import is_array
from viva.voce.kinds import now, predict, which
from viva.voce.options import is_worth_asking, text_of
from viva.voce.printing import MAX_NUMBERS, NotPrintable, numbers_in
from viva.voce.question import Question
from viva.voce.running import Ran
from viva.voce.subject import Subject
from viva.voce.way import shapes_on_the_way, values_on_the_way

SOLVERS = re.compile(r"\b(solve|inv|det|cholesky)\(")
SPECTRAL = re.compile(r"\b(pinv|lstsq|svd|svdvals|qr|eig\w*)\(|matrix_rank|\bord=")
ROUNDED = re.compile(r"\b(ceil|floor|round|rint|int)\(")
PARTS = 3  # of a result that is too large, those that are asked about


def questions(subject: Subject, seed: str) -> Iterator[Question]:
    """All questions that can be asked about a subject, in no particular order."""
    before = subject.run(traced=True)
    if before.failed or not _passes_twice(subject.text, before.times):
        return
    draw = random.Random(f"{seed} {subject.call}")
    yield from shapes_on_the_way(subject, before, draw)
    yield from values_on_the_way(subject, before, draw)
    if not ROUNDED.search(subject.text) or _is_exact(before):
        yield from _of_results(subject, seed)


def _of_results(subject: Subject, seed: str) -> Iterator[Question]:
    """Questions about what the call returns, or about parts of that."""
    before = subject.run()
    if before.failed:
        return
    if _has_parts(before.value):
        for place in range(min(len(before.value), PARTS)):
            yield from _of_results(subject.part(place), seed)
        return
    if not is_worth_asking(subject, before.value) or _is_laborious(subject):
        return
    draw = random.Random(f"{seed} {subject.call}")
    tried = [(change, subject.run(change.text)) for change in changes(subject.text)
             if change.line in before.lines]
    swapped = [(change, subject.run(change.text)) for change in swaps(subject.text)
               if change.line in before.lines and change.line + 1 in before.lines]
    yield from now(subject, before, tried, swapped, draw)
    yield from which(subject, before, tried, draw)
    yield from predict(subject, before, tried, draw)


def _passes_twice(text: str, times: Mapping[int, int]) -> bool:
    """Whether every loop that is reached runs at least twice: else nothing shows that it is one."""
    loops = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For | ast.While)]
    return all(times.get(loop.body[0].lineno, 0) >= 2 for loop in loops
               if times.get(loop.lineno, 0) and loop.body[0].lineno != loop.lineno)


def _is_exact(before: Ran) -> bool:
    """Whether every number on the way can be reached by hand: rounding hides those that cannot."""
    for value in (value for steps in before.steps for step in steps
                  for value in step.values.values()):
        try:
            if 0 < len(numbers_in(value)) <= MAX_NUMBERS and text_of(value) is None:
                return False
        except NotPrintable:
            continue
    return True


def _is_laborious(subject: Subject) -> bool:
    """Whether a person would have to solve an equation in more than two unknowns, or to find the
    directions of a matrix that is neither small nor diagonal."""
    matrices = [value for value in subject.given if is_array(value) and value.ndim >= 2]
    if SPECTRAL.search(subject.text):
        return any(max(value.shape[-2:]) > 2 and not _is_diagonal(value) for value in matrices)
    return bool(SOLVERS.search(subject.text)) and any(
        min(value.shape[-2:]) > 2 for value in matrices)


def _is_diagonal(value: Any) -> bool:
    """Whether no row and no column has more than one entry that is not zero."""
    return all(bool(((value != 0).sum(axis) <= 1).all()) for axis in (-1, -2))


def _has_parts(value: Any) -> bool:
    """Whether only parts of a result can be asked about: it is too large, or partly not exact."""
    if isinstance(value, tuple | list):
        return text_of(value) is None
    if getattr(value, "ndim", 0) < 2:
        return False
    try:
        return len(numbers_in(value)) > MAX_NUMBERS
    except NotPrintable:
        return False
