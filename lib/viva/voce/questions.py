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

import random
from collections.abc import Iterator
from typing import Any

from viva.voce.changes import changes, swaps
from viva.voce.kinds import now, predict, which
from viva.voce.labour import is_laborious, passes_twice
from viva.voce.options import is_worth_asking, text_of
from viva.voce.printing import MAX_NUMBERS, NotPrintable, numbers_in
from viva.voce.question import Question
from viva.voce.subject import Subject
from viva.voce.way import shapes_on_the_way, values_on_the_way

PARTS = 3  # of a result that is too large, those that are asked about


def questions(subject: Subject, seed: str) -> Iterator[Question]:
    """All questions that can be asked about a subject, in no particular order."""
    before = subject.run(traced=True)
    if before.failed or not passes_twice(subject.text, before.times):
        return
    draw = random.Random(f"{seed} {subject.call}")
    yield from shapes_on_the_way(subject, before, draw)
    yield from values_on_the_way(subject, before, draw)
    if not is_laborious(subject, before):
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
    if not is_worth_asking(subject, before.value):
        return
    draw = random.Random(f"{seed} {subject.call}")
    tried = [(change, subject.run(change.text)) for change in changes(subject.text)
             if change.line in before.lines]
    swapped = [(change, subject.run(change.text)) for change in swaps(subject.text)
               if change.line in before.lines and change.line + 1 in before.lines]
    yield from now(subject, before, tried, swapped, draw)
    yield from which(subject, before, tried, draw)
    yield from predict(subject, before, tried, draw)


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
