"""Whether a homework yields enough questions: for whoever solved all of it, and for half of it."""

import collections
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from viva.voce.material import chosen
from viva.voce.question import Question
from viva_examiner.voce.proof import QuestionProof, Yield
from viva_examiner.voce.right import REFERENCE

COUNT, KINDS = 5, 3  # questions for a submission that is right, and their kinds
HALF = 2  # questions for a submission that solved half
SHARE = 0.95  # of the right submissions


@dataclass(frozen=True)
class Coverage:
    """What one submission would be asked."""

    who: str
    count: int
    kinds: int

    @property
    def is_enough(self) -> bool:
        return self.count >= COUNT and self.kinds >= KINDS


def covered(proofs: Sequence[QuestionProof]) -> list[Coverage]:
    """What right submissions would be asked: the reference, and it with one exercise solved in
    another way."""
    plain = {proof.exercise.name: _reference(proof) for proof in proofs}
    found = [_covered(REFERENCE, list(plain.values()))]
    for proof in proofs:
        for asked in proof.asked:
            if asked.who != REFERENCE:
                mixed = plain | {proof.exercise.name: asked.questions}
                found.append(_covered(f"{proof.exercise.name}, {asked.who}", list(mixed.values())))
    return found


def halves(proofs: Sequence[QuestionProof]) -> list[Coverage]:
    """The same for whoever solved half of the exercises: the first, the last, every other one."""
    every = [_reference(proof) for proof in proofs]
    middle = (len(every) + 1) // 2
    return [_covered("the first half", every[:middle]), _covered("the last half", every[-middle:]),
            _covered("every other one", every[::2])]


def problems(homework: str, proofs: Sequence[QuestionProof]) -> Iterator[str]:
    """What keeps the questions of a homework from being good, in sentences."""
    for proof in proofs:
        name = proof.exercise.name
        if proof.trouble:
            yield f"{name}: no questions: {proof.trouble}"
        for asked in proof.asked:
            yield from (f"{name}, {asked.who}: a key is false: {why}" for why in asked.false)
        if not proof.trouble and not _reference(proof) and not getattr(proof.exercise, "whys", ()):
            yield f"{name}: no question can be generated, and no `why` is declared"
    every = covered(proofs)
    lacking = [each for each in every if not each.is_enough]
    if len(lacking) > (1 - SHARE) * len(every):
        yield (f"{homework}: {len(lacking)} of {len(every)} right submissions get fewer than "
               f"{COUNT} questions of {KINDS} kinds: {'; '.join(each.who for each in lacking[:5])}")
    yield from (f"{homework}: {each.who} of the exercises gets {each.count} questions"
                for each in halves(proofs) if each.count < HALF)


def table(homework: str, proofs: Sequence[QuestionProof]) -> list[str]:
    """The yield of a homework: questions by kind for the reference, and the least of any other."""
    head = f"questions about {homework}"
    lines = [f"{head:<42} {'reference':<34} {'others':>8} refused   CPU s"]
    for proof in proofs:
        kinds = collections.Counter(each.kind for each in _reference(proof))
        least = [len(each.questions) for each in proof.asked if each.who != REFERENCE]
        words = " ".join(f"{kind} {count}" for kind, count in kinds.items()) or "none"
        span = f"{min(least)}-{max(least)}" if least else "-"
        refused = sum(len(each.refused) for each in proof.asked)
        seconds = max((each.seconds for each in proof.asked), default=0.0)
        lines.append(f"  {proof.exercise.name:<40} {words:<34} {span:>8} {refused:>7} "
                     f"{seconds:>7.1f}")
    every = covered(proofs)
    enough = sum(each.is_enough for each in every)
    least_kinds = min(each.kinds for each in every)
    lines.append(f"  {enough} of {len(every)} right submissions have {COUNT} questions of {KINDS} "
                 f"kinds (fewest kinds: {least_kinds}); half: "
                 + ", ".join(str(each.count) for each in halves(proofs)))
    return lines


def _reference(proof: QuestionProof) -> list[Question]:
    found: list[Yield] = [each for each in proof.asked if each.who == REFERENCE]
    return found[0].questions if found else []


def _covered(who: str, exercises: Sequence[Sequence[Question]]) -> Coverage:
    found = [question for some in exercises for question in some]
    asked = chosen(found, COUNT, who)
    return Coverage(who, len(asked), len({each.kind for each in asked}))
