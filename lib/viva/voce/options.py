"""The four options of a question: each the result of a run, all printed differently."""

import random
from collections.abc import Sequence
from typing import Any

from viva.voce.printing import NotPrintable, apart, numbers_in, printed, structure
from viva.voce.subject import Subject

OPTIONS = 4
SLACKS = (1.0, 10.0)  # what is printed must be the same with ten times the tolerance


def is_worth_asking(subject: Subject, value: Any) -> bool:
    """Neither one of the arguments nor one number again and again; and it can be printed."""
    text = text_of(value)
    if text is None or text in map(text_of, subject.given):
        return False
    if isinstance(value, str):
        return bool(value)
    numbers = numbers_in(value)
    return bool(numbers) and (len(numbers) == 1 or len(set(numbers)) > 1)


def text_of(value: Any) -> str | None:
    """A result as it is printed, if it is printed alike with a larger tolerance; else None."""
    try:
        texts = {printed(value, slack) for slack in SLACKS}
    except (NotPrintable, TypeError, ValueError, OverflowError):
        return None
    return texts.pop() if len(texts) == 1 else None


def chosen(subject: Subject, right: Any, wrong: Sequence[tuple[Any, str]], draw: random.Random,
           program: str) -> tuple[tuple[str, ...], int, tuple[str, ...]] | None:
    """(options, place of the right one, the code behind each), or None if there are too few.

    wrong: (result, the code that gave it), the most tempting first
    """
    answer = text_of(right)
    if answer is None:
        return None
    kept: list[tuple[str, Any, str]] = [(answer, right, program)]
    for value, code in wrong:
        text = text_of(value)
        if text is None or structure(value) != structure(right):
            continue
        if all(text != known and apart(value, other) for known, other, _ in kept):
            kept.append((text, value, code))
        if len(kept) == OPTIONS:
            break
    if len(kept) < OPTIONS or not all_matter(subject, [code for _, _, code in kept]):
        return None
    if any(text_of(subject.run(code).value) != text for text, _, code in kept):
        return None  # it does not return the same every time
    draw.shuffle(kept)
    texts = tuple(text for text, _, _ in kept)
    return texts, texts.index(answer), tuple(code for _, _, code in kept)


def all_matter(subject: Subject, programs: Sequence[str]) -> bool:
    """Whether every array that is shown influences some option."""
    unique = list(dict.fromkeys(programs))
    before = [text_of(subject.run(code).value) for code in unique]
    return all(any(text_of(subject.run(code, use).value) != text
                   for code, text in zip(unique, before, strict=True))
               for use in subject.others)
