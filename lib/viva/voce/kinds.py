"""Questions about a change, and about the code as it is: now, swap, which, predict."""

import random
import re
from collections.abc import Iterator

from viva.voce.changes import Change
from viva.voce.options import OPTIONS, all_matter, chosen, is_worth_asking, text_of
from viva.voce.printing import is_multiple, structure
from viva.voce.question import Question
from viva.voce.running import RunOutcome
from viva.voce.subject import Subject

Tried = list[tuple[Change, RunOutcome]]
AS_BEFORE = 0.5  # of the changes that do not show, those that are asked about
DRAWN = re.compile(r"manual_seed|default_rng|random")  # nobody foresees what a generator draws


def now(subject: Subject, before: RunOutcome, tried: Tried, swapped: Tried,
        draw: random.Random) -> Iterator[Question]:
    """One line changes, or two change places. "As before" is offered, so it is the answer now and
    then: where the change shows with other numbers, and not with these."""
    for change, ran in [*tried, *swapped]:
        if ran.failed or not is_worth_asking(subject, ran.value):
            continue
        if text_of(ran.value) == text_of(before.value):
            if draw.random() > AS_BEFORE or not _shows_elsewhere(subject, change):
                continue
        elif is_multiple(ran.value, before.value):
            continue
        same_line = [(other.value, each.text) for each, other in tried
                     if each.line == change.line and each is not change and not other.failed]
        elsewhere = [(other.value, each.text) for each, other in tried
                     if each.line != change.line and not other.failed]
        draw.shuffle(elsewhere)
        picked = chosen(subject, ran.value, [*same_line, (before.value, subject.text), *elsewhere],
                        draw, change.text)
        if picked is None:
            continue
        options, place, programs = picked
        yield Question("swap" if change.kind == "swap" else "now", subject.name, subject.call,
                       subject.text, options, place, change.line, str(text_of(before.value)),
                       (), programs)


def _shows_elsewhere(subject: Subject, change: Change) -> bool:
    """Whether the call returns something else after a change, with other numbers in an array."""
    return any(text_of(subject.run(change.text, use).value) != text_of(subject.run(use=use).value)
               for use in subject.others)


def which(subject: Subject, before: RunOutcome, tried: Tried,
          draw: random.Random) -> Iterator[Question]:
    """One result, four changes of different lines."""
    by_line: dict[int, list[tuple[Change, str]]] = {}
    for change, ran in tried:
        text = None if ran.failed else text_of(ran.value)
        if text is not None and text != text_of(before.value) and (
                structure(ran.value) == structure(before.value)):
            by_line.setdefault(change.line, []).append((change, text))
    if len(by_line) < OPTIONS:
        return
    for line, found in by_line.items():
        change, text = draw.choice(found)
        lines = [each for each in by_line if each != line]
        draw.shuffle(lines)
        kept = [(change, text)]
        for other in lines:
            fitting = [each for each in by_line[other] if each[1] not in {t for _, t in kept}]
            if fitting and len(kept) < OPTIONS:
                kept.append(draw.choice(fitting))
        programs = [each.text for each, _ in kept]
        if len(kept) < OPTIONS or not all_matter(subject, programs):
            continue
        draw.shuffle(kept)
        options = tuple(f"line {each.line}: {each.after.strip()}" for each, _ in kept)
        yield Question("which", subject.name, subject.call, subject.text, options,
                       [each for each, _ in kept].index(change), line,
                       str(text_of(before.value)), tuple(got for _, got in kept),
                       tuple(each.text for each, _ in kept))


def predict(subject: Subject, before: RunOutcome, tried: Tried,
            draw: random.Random) -> Iterator[Question]:
    """What does the code do as it is? Never where the call draws random numbers."""
    if DRAWN.search(subject.call):
        return
    wrong = [(ran.value, change.text) for change, ran in tried if not ran.failed]
    draw.shuffle(wrong)
    picked = chosen(subject, before.value, wrong, draw, subject.text)
    if picked is not None:
        options, place, programs = picked
        yield Question("predict", subject.name, subject.call, subject.text, options, place,
                       programs=programs)
