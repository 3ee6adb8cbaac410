"""What the public check makes of the known mistakes: does it notice them, and name the cause?

A rule that the text states is a public case, so the check must notice a mistake unless it is
declared as one that only the hidden exam can see. A cause must never be wrong, also for mistakes
that nobody has thought of: those are tried by taking each one out of the catalogue, and by two
mistakes at once, in two functions of an exercise.
"""

import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from viva.checking import judge
from viva_course.expected import public_record
from viva_course.records import replaced

BARS = {"noticed": 0.95, "named": 0.85}  # of what the check may notice, and of what it notices


@dataclass
class Noticed:
    """The table's row of one exercise, and at the end of one homework."""

    name: str
    tried: int = 0
    noticed: int = 0
    named: int = 0
    hidden_only: int = 0
    misnamed: list[str] = field(default_factory=list)  # another mistake's cause was named
    unnoticed: list[str] = field(default_factory=list)
    nameless: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # right solutions that the check refuses

    def problems(self) -> list[str]:
        """What is below a bar, in sentences; empty if nothing is."""
        found = [f"the public check refuses the right solution {each}" for each in self.refused]
        found += [f"the public check names a wrong cause: {each}" for each in self.misnamed]
        for word, part, whole, missing in (
                ("noticed", self.noticed, self.tried, self.unnoticed),
                ("named", self.named, self.noticed, self.nameless)):
            if part < BARS[word] * whole:
                found.append(f"the public check has {word} {part} of {whole} mistakes, less than "
                             f"{BARS[word]:.0%}: not {', '.join(missing)}")
        return found


@dataclass(frozen=True)
class CheckTable:
    """What the public check makes of a homework's mistakes: a table, and what is below a bar."""

    rows: list[Noticed]

    @property
    def problems(self) -> list[str]:
        return self.rows[-1].problems()

    @property
    def table(self) -> str:
        """The rows for a terminal."""
        lines = [f"{'public check':28} mistakes  noticed  named  wrongly  hidden only"]
        for row in self.rows:
            lines.append(f"{row.name:28} {row.tried:8}  {row.noticed:7}  {row.named:5}  "
                         f"{len(row.misnamed):7}  {row.hidden_only:11}")
        return "\n".join(lines)


def noticing(homework: str, rows: list[dict]) -> CheckTable:
    """The table of a homework, from what `noticed` gave for its exercises."""
    total, found = Noticed(homework), [Noticed(**row) for row in rows]
    for row in found:
        for name in ("tried", "noticed", "named", "hidden_only"):
            setattr(total, name, getattr(total, name) + getattr(row, name))
        for name in ("misnamed", "unnoticed", "nameless", "refused"):
            getattr(total, name).extend(f"{row.name}: {each}" for each in getattr(row, name))
    return CheckTable([*found, total])


def noticed(exercise) -> dict:
    """The row of one exercise as plain data, which can be kept."""
    return asdict(of_exercise(exercise))


def of_exercise(exercise) -> Noticed:
    """What the check says to every mistake, to each without knowing it, and to what is right."""
    row, public = Noticed(exercise.name), public_record(exercise)
    hints = {mistake.slug: mistake.hint for mistake in exercise.mistakes}
    right = [("reference", exercise.reference)]
    right += [(variant.name, variant.candidates) for variant in exercise.variants]
    row.refused = [name for name, candidates in right
                   if not _judged(exercise, candidates, public).passed]
    for mistake in exercise.mistakes:
        verdict = _judged(exercise, mistake.candidates, public)
        named = {hints[slug] for slug in verdict.causes}
        if named - {mistake.hint}:
            row.misnamed.append(f"{mistake.slug} taken for {', '.join(verdict.causes)}")
        if mistake.hidden_only:
            row.hidden_only += 1
            continue
        row.tried += 1
        if verdict.passed:
            row.unnoticed.append(mistake.slug)
            continue
        row.noticed += 1
        row.named += mistake.hint in named
        row.nameless += [mistake.slug] if not named else []
        others = {slug: each for slug, each in public["mistakes"].items()
                  if each["hint"] != mistake.hint}
        unknown = _judged(exercise, mistake.candidates, public | {"mistakes": others})
        if len(unknown.causes) == 1:  # two that together give every answer describe it truly
            row.misnamed.append(f"{mistake.slug}, if it were not known, taken for "
                                f"{', '.join(unknown.causes)}")
    for one, other, candidates in pairs_of(exercise):
        causes = _judged(exercise, candidates, public).causes
        if {hints[slug] for slug in causes} - {one.hint, other.hint}:
            row.misnamed.append(f"{one.slug} with {other.slug} taken for {', '.join(causes)}")
    return row


def pairs_of(exercise) -> Iterator[tuple]:
    """(mistake, mistake, candidates) for each mistake, with one of the function after its own."""
    known = {name: [each for each in exercise.mistakes if replaced(exercise, each) == name]
             for name in exercise.candidates}
    wrong = [name for name, mistakes in known.items() if mistakes]
    for name, following in zip(wrong, wrong[1:] + wrong[:1], strict=True) if wrong[1:] else ():
        place = exercise.candidates.index(following)
        for number, one in enumerate(known[name]):
            other = known[following][number % len(known[following])]
            candidates = list(one.candidates)
            candidates[place] = other.candidates[place]
            yield one, other, tuple(candidates)


def _judged(exercise, candidates, public: dict):
    with warnings.catch_warnings():  # mistakes divide by zero
        warnings.simplefilter("ignore")
        return judge(exercise.name, *candidates, public=public)
