"""Questions of the kind "input": for which of these calls does a change matter?"""

import random
from collections.abc import Iterator, Sequence

from viva.voce.changes import Change, changes
from viva.voce.labour import is_laborious, passes_twice
from viva.voce.options import OPTIONS, text_of
from viva.voce.question import Question
from viva.voce.subject import Subject

Outcomes = tuple[str, str, str]  # a call, its result, its result after the change
LONGEST = 100  # letters of a call that is one option of four


def differing_inputs(subjects: Sequence[Subject], seed: str) -> Iterator[Question]:
    """Of four calls one returns something else after a change, and three do not.

    subjects: calls of one function. That three do not is no proof for other inputs, and none is
    claimed: the question is about these four.
    """
    unique = {subject.call: subject for subject in subjects if len(subject.call) <= LONGEST}
    before = {call: subject.run(traced=True) for call, subject in unique.items()}
    usable = {call: text for call, ran in before.items() if (text := text_of(ran.value))
              and passes_twice(unique[call].text, ran.times)
              and not is_laborious(unique[call], ran)}
    if len(usable) < OPTIONS:
        return
    text = next(iter(unique.values())).text
    for change in changes(text):
        draw = random.Random(f"{seed} {change.text}")
        moved: list[Outcomes] = []
        stayed: list[Outcomes] = []
        for call, was in usable.items():
            if change.line not in before[call].lines:
                continue
            ran = unique[call].run(change.text)
            became = None if ran.failed else text_of(ran.value)
            if became is None:
                continue
            (stayed if became == was else moved).append((call, was, became))
        if moved and len(stayed) >= OPTIONS - 1:
            key = draw.choice(moved)
            yield _question(unique[key[0]], change, key, draw.sample(stayed, OPTIONS - 1), draw)


def _question(subject: Subject, change: Change, key: Outcomes,
              others: list[Outcomes], draw: random.Random) -> Question:
    calls = [key, *others]
    draw.shuffle(calls)
    return Question("input", subject.name, "", subject.text,
                    tuple(call.replace("\n", "; ") for call, _, _ in calls), calls.index(key),
                    change.line, "", tuple(text for _, *both in calls for text in both),
                    (change.text,))
