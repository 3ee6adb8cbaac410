"""Examine the exams: every rubric on what is right, what is wrong, and what was never touched.

An exercise is anything with `name`, `points`, `reference`, `items`, `mistakes`, `variants`,
`cases`, `candidates` and `examine(candidates, secret)`; see docs/staff.md. Questions about memory
are asked with less of it (`memory_factor`) of what is right, and with more of what is wrong.
"""

import dataclasses
import functools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from viva.compare import difference, measured
from viva.seam import UNWRITTEN
from viva_examiner.audit import agreeing
from viva_examiner.audit.staff_forks import TaskLimits, in_forks
from viva_examiner.library import Exercise
from viva_examiner.notebook.staff import Notebook

SEEDS = 20  # secrets on which everything right must have full marks
WRONG_SEEDS = 2  # secrets on which every mistake must lose points
CHUNK = 5  # secrets that one process tries
MEMORY_MARGIN = 3  # right solutions need a third of the memory given, wrong ones three times it
SLOW = 0.2  # seconds of CPU for one examination; above it not everybody sits every secret
RIGHT, SOLUTION, WRONG, STUB, IDLE = "right", "notebook", "mistake", "stub", "idle"
IDLE_ANSWERS: tuple[Any, ...] = (0.0, 1.0, True, False, None, [], (0.0, 1.0), math.nan, math.inf,
                                 1e-30, np.zeros((2, 3)))
ONE_SOLUTION = TaskLimits(seconds=300)  # for one wrong solution; some loop for long, none for ever
ONE_TASK = TaskLimits(seconds=3600)  # for all of an exercise's, and for what they are compared with


@dataclass(frozen=True)
class AuditRow:
    """One examination: who was examined, with which secret, and what came of it."""

    kind: str
    name: str
    secret: str
    score: float = 0.0
    failed: tuple[str, ...] = ()  # names of the items that were lost
    recognised: str = ""
    largest: float = 0.0  # error of the passing comparisons, in tolerances
    excess: float = 0.0  # error of the failing comparisons, in tolerances; 0: none failed by value
    trouble: str = ""  # why there is no result
    seconds: float = 0.0
    unwritten: bool = False  # it raised NotImplementedError wherever it was asked
    why: str = ""  # the first sentence of the first item that was lost

    @classmethod
    def back(cls, rows: list[dict]) -> "list[AuditRow]":
        """Rows that have come out of another process."""
        return [cls(**{**row, "failed": tuple(row["failed"])}) for row in rows]


@dataclass
class AuditFinding:
    """All that the audit saw of one exercise."""

    exercise: Exercise
    rows: list[AuditRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # of what could not be tried

    def of(self, *kinds: str) -> list[AuditRow]:
        return [row for row in self.rows if row.kind in kinds]

    def problems(self) -> list[str]:
        """What keeps the exercise from being good, in sentences; empty if nothing does."""
        points, found = self.exercise.points, [*self.notes]
        for row in self.rows:
            if row.trouble:
                found.append(f"{row.kind} {row.name}: {row.trouble}")
        found += self._right_ones_that_lose()
        for row in self.of(WRONG):
            if not row.trouble and row.score >= points:
                found.append(f"mistake {row.name} survives (secret {row.secret})")
            if row.recognised and not same_hint(self.exercise, row.recognised, row.name):
                found.append(f"mistake {row.name} is taken for {row.recognised} "
                             f"(secret {row.secret})")
        for row in self.of(STUB, IDLE):
            if row.score > 0:
                kept = [i.name for i in self.exercise.items if i.name not in row.failed]
                found.append(f"{row.name} earns {row.score:g} points: {', '.join(kept)}")
        if found and self.exercise.mistakes and not self.of(WRONG):  # what stopped them is said
            return list(dict.fromkeys(found))
        if not self.exercise.mistakes:
            return list(dict.fromkeys([*found, "no mistake is declared, so no item is needed"]))
        needed = {item for row in self.of(WRONG) for item in row.failed}
        found += [f"no mistake needs the item {item.name!r}"
                  for item in self.exercise.items if item.name not in needed]
        return list(dict.fromkeys(found))

    def _right_ones_that_lose(self) -> list[str]:
        """A sentence for each right solution and what it loses, whatever the number of secrets."""
        losing: dict[tuple, list[AuditRow]] = {}
        for row in self.of(RIGHT, SOLUTION):
            if not row.trouble and row.score != self.exercise.points:
                losing.setdefault((row.name, row.failed), []).append(row)
        said = []
        for (name, failed), rows in losing.items():
            others = f" and {len(rows) - 1} others" if len(rows) > 1 else ""
            said.append(f"{name} is not written yet" if rows[0].unwritten else
                        f"{name} loses {', '.join(failed)} (secret {rows[0].secret}{others}): "
                        f"{rows[0].why}")
        return said

    def largest_right(self) -> AuditRow | None:
        """The right answer with the largest error."""
        return max(self.of(RIGHT, SOLUTION), key=lambda row: row.largest, default=None)

    def smallest_wrong(self) -> AuditRow | None:
        """Of the mistakes that numbers alone give away, the one nearest to passing."""
        by_value = [row for row in self.of(WRONG) if row.excess]
        return min(by_value, key=lambda row: row.excess, default=None)


def same_hint(exercise: Exercise, one: str, other: str) -> bool:
    """Whether two slugs are one mistake, or two that say the same to a student."""
    hints = {mistake.slug: mistake.hint for mistake in exercise.mistakes}
    return one == other or hints.get(one) == hints.get(other)


def audit(exercises: list[Exercise], notebooks: dict[str, Notebook | None], jobs: int,
          seeds: int = SEEDS) -> Iterator[AuditFinding]:
    """The findings of the exercises, in their order, each as soon as it is complete."""
    secrets = [f"audit {number}" for number in range(seeds)]
    chunks = [secrets[start : start + CHUNK] for start in range(0, seeds, CHUNK)]
    # Wrong ones first: they take longest.
    tasks = [(i, WRONG, secrets[:WRONG_SEEDS]) for i in range(len(exercises))]
    tasks += [(i, RIGHT, chunk) for i in range(len(exercises)) for chunk in chunks]
    tasks.sort(key=lambda task: task[0])
    findings = [AuditFinding(exercise) for exercise in exercises]
    left = {i: 1 + len(chunks) for i in range(len(exercises))}

    def work(task: tuple[int, str, list[str]]) -> tuple[list[dict[str, Any]], list[str]]:
        index, kind, some = task
        exercise = exercises[index]
        sitter = _try_wrong if kind == WRONG else _try_right
        rows, notes = sitter(exercise, notebooks.get(exercise.homework), some)
        return [asdict(row) for row in rows], notes

    following = 0
    for (index, kind, _), ended in in_forks(work, tasks, jobs, ONE_TASK):
        trouble = ended.why if ended.fault else f"{kind}: {ended.why}"  # a fault is reported once
        finding, (rows, notes) = findings[index], ended.value or ([], [trouble])
        finding.rows += AuditRow.back(rows)
        finding.notes += notes
        left[index] -= 1
        while following < len(findings) and not left[following]:
            yield findings[following]
            following += 1


def _try_right(exercise: Exercise, notebook: Notebook | None,
               secrets: list[str]) -> tuple[list[AuditRow], list[str]]:
    """The reference, every variant and the notebook's own solution, on every secret."""
    subjects = [(RIGHT, "the reference", exercise.reference)]
    subjects += [(RIGHT, f"variant {each.name}", each.candidates) for each in exercise.variants]
    notes = []
    if notebook is not None:
        try:
            solution = notebook.candidates(exercise.candidates)
            subjects.append((SOLUTION, "the notebook's solution", solution))
        except Exception as error:
            notes.append(f"the notebook's solution: {type(error).__name__}: {error}")
    _measure_items(exercise)
    exercise.memory_factor = 1 / MEMORY_MARGIN
    rows = [examined(exercise, *subjects[0], secrets[0])]
    if rows[0].seconds < SLOW:
        pairs = [(subject, secret) for secret in secrets for subject in subjects][1:]
    else:  # an exercise that trains: every secret is tried, by one after the other in turn
        pairs = [(subjects[int(secret.split()[-1]) % len(subjects)], secret)
                 for secret in secrets[1:]]
    return rows + [examined(exercise, *subject, secret) for subject, secret in pairs], notes


def _try_wrong(exercise: Exercise, notebook: Notebook | None,
               secrets: list[str]) -> tuple[list[AuditRow], list[str]]:
    """Every mistake, the stub and those that do not even try, each in a process of its own."""
    subjects: list[tuple[str, str, Any]] = []
    notes = []
    exercise.memory_factor = MEMORY_MARGIN
    try:
        stub = notebook.stub(exercise.candidates) if notebook else _blank(exercise)
        subjects.append((STUB, "the untouched cell", stub))
    except Exception as error:
        notes.append(f"the untouched cell: {type(error).__name__}: {error}")
    subjects += [(WRONG, each.slug, each.candidates) for each in exercise.mistakes]
    subjects.append((IDLE, "", None))
    notes += [f"the case {case.name} is not deterministic: let it draw everything from rng"
              for case in exercise.cases if _wavers(exercise, case)]
    for secret in secrets:  # what all of them are compared with is computed once, before the forks
        exercise.examine(_blank(exercise), secret)
        exercise.prepare(secret)
    _measure_items(exercise)
    rows = []

    def work(subject: tuple[str, str, Any]) -> list[dict[str, Any]]:
        sitting = _idle(exercise) if subject[0] == IDLE else [subject]
        return [asdict(examined(exercise, *each, secret)) for each in sitting
                for secret in (secrets[:1] if each[0] == IDLE else secrets)]

    for (kind, name, _), ended in in_forks(work, subjects, 1, ONE_SOLUTION):
        if ended.fault:
            notes.append(ended.why)
        else:
            rows += AuditRow.back(ended.value or []) or [
                AuditRow(kind, name, secrets[0], trouble=ended.why)]
    return rows, notes


def _wavers(exercise: Exercise, case: Any) -> bool:
    """Whether the reference's answer to a case changes from one run to the next."""
    first, again = (case.run(exercise.reference, "audit", "twice") for _ in range(2))
    if first.error is not None or again.error is not None:
        return type(first.error) is not type(again.error)
    return difference(first.value, again.value, 0.0, 0.0) is not None


def examined(exercise: Exercise, kind: str, name: str, candidates: Sequence[Any],
             secret: str) -> AuditRow:
    """One examination, its marks and its margins."""
    began = time.process_time()
    margins: dict[str, list[float]] = {}
    _MARGINS[0] = margins
    report = exercise.examine(candidates, secret)
    lost = [outcome for outcome in report.outcomes if not outcome.passed]
    failed = tuple(outcome.item for outcome in lost)
    passing = [x for item, ratios in margins.items() if item not in failed for x in ratios]
    failing = [x for item in failed for x in margins.get(item, ()) if x > 1]
    return AuditRow(kind, name, secret, float(report.score), failed, report.mistake,
               float(max(passing, default=0.0)), float(max(failing, default=0.0)),
               seconds=time.process_time() - began, unwritten=bool(report.outcomes) and all(
                   outcome.kind == UNWRITTEN for outcome in report.outcomes),
               why=" ".join(lost[0].message.split()) if lost and kind in (RIGHT, SOLUTION) else "")


# {item: errors of its comparisons} of the examination under way
_MARGINS: list[dict[str, list[float]]] = [{}]


def _measure_items(exercise: Exercise) -> None:
    """Let every item note the errors it sees. In this process only: it is a fork."""

    def noting(item: Any) -> Any:
        @functools.wraps(item.ask)
        def ask(*args: Any) -> Any:
            with measured() as errors:
                _MARGINS[0][item.name] = errors
                return item.ask(*args)

        return dataclasses.replace(item, ask=ask)

    exercise.items[:] = [noting(item) for item in exercise.items]


def _idle(exercise: Exercise) -> list[tuple[str, str, Any]]:
    """Solutions that answer whatever they are asked with one and the same thing, or refuse it; and
    those whose answer agrees with everything.
    """

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise ValueError("never")

    answers = {f"to return {value!r:.20} always": lambda *args, _value=value, **kwargs: _value
               for value in IDLE_ANSWERS} | {"to refuse everything": refuse}
    answers |= {f"to agree with everything ({each.truth}, {each})":
                lambda *args, _value=each, **kwargs: _value for each in agreeing.ALL}
    return [(IDLE, name, tuple(
        type("Idle", (), {"__init__": lambda self, *args, **kwargs: None,
                          "__getattr__": lambda self, attribute, _answer=answer: _answer,
                          "__call__": answer}) if isinstance(candidate, type) else answer
        for candidate in exercise.reference)) for name, answer in answers.items()]


def _blank(exercise: Exercise) -> tuple:
    """Functions and classes that nobody has written."""

    def stub(*args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    kinds = (isinstance(candidate, type) for candidate in exercise.reference)
    return tuple(type("Stub", (), {"__init__": stub}) if is_class else stub for is_class in kinds)
