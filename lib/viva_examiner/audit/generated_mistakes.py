"""Examine generated mistakes: which of them the exam rejects, and which get through."""

import dataclasses
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from viva_examiner.audit.mutants import Mutant, mutants
from viva_examiner.audit.staff_forks import TaskLimits, in_forks
from viva_examiner.library import Exercise
from viva_examiner.notebook.staff import Notebook

SECRET = "mutate"
CHUNK = 20  # mutants that one process tries
BAR = 0.97  # of all mutants must be rejected
MEMORY_MB = 2048
SLACK = 10  # a mutant may take this many times the solution's time
SPARE = 5.0  # seconds of processor time that it may take beyond that


@dataclass
class MutantCounts:
    """What became of the mutants of one exercise."""

    exercise: Exercise
    killed: dict[str, str] = field(default_factory=dict)  # change: the item that rejected it
    survived: list[str] = field(default_factory=list)
    trouble: str = ""

    @property
    def total(self) -> int:
        return len(self.killed) + len(self.survived)

    @property
    def unexplained(self) -> list[str]:
        """Survivors for which the exam file gives no reason."""
        return [change for change in self.survived if change not in self.exercise.survivors]

    @property
    def stale(self) -> list[str]:
        """Reasons for what does not survive, or is no mutant."""
        return [change for change in self.exercise.survivors if change not in self.survived]


def kill(exercises: list[Exercise], notebooks: dict[str, Notebook | None],
         jobs: int) -> Iterator[MutantCounts]:
    """The killings of the exercises, in their order, each as soon as it is complete."""
    found: list[MutantCounts] = []
    tasks: list[tuple[int, list[Mutant]]] = []
    left: list[int] = []
    for index, exercise in enumerate(exercises):
        notebook = notebooks.get(exercise.homework)
        found.append(MutantCounts(exercise))
        if notebook is None or exercise.name not in notebook.solved:
            found[-1].trouble = "no solution cell of this name in source/"
            left.append(0)
            continue
        some = mutants(notebook.solved[exercise.name])
        chunks = [some[start : start + CHUNK] for start in range(0, len(some), CHUNK)]
        tasks += [(index, chunk) for chunk in chunks]
        left.append(len(chunks))

    def work(task: tuple[int, list[Mutant]]) -> list[tuple[str, str]]:
        index, some = task
        notebook = notebooks[exercises[index].homework]
        assert notebook is not None  # without one there is no task
        return _try(exercises[index], notebook, some)

    following = 0
    for (index, _), ended in in_forks(work, tasks, jobs):
        if ended.value is None:
            found[index].trouble = ended.why
        for change, item in ended.value or ():
            if item:
                found[index].killed[change] = item
            else:
                found[index].survived.append(change)
        left[index] -= 1
        while following < len(found) and not left[following]:
            yield found[following]
            following += 1
    yield from found[following:]


def _try(exercise: Exercise, notebook: Notebook, some: list[Mutant]) -> list[tuple[str, str]]:
    """(change, the item that rejects it or "") of each mutant, each in a process of its own."""
    began = time.process_time()
    solution = notebook.candidates(exercise.candidates)
    report = exercise.examine(solution, SECRET)
    if report.score != exercise.points:
        raise ValueError(f"the notebook's own solution has {report.score:g} points only")
    spent = time.process_time() - began
    _stop_at_first_loss(exercise)

    def work(mutant: Mutant) -> str:
        try:
            candidates = notebook.candidates(exercise.candidates, {exercise.name: mutant.source})
        except Exception as error:
            return f"does not run: {type(error).__name__}"
        report = exercise.examine(candidates, SECRET)
        lost = [outcome.item for outcome in report.outcomes if not outcome.passed]
        return lost[0] if lost else ""

    limits = TaskLimits(seconds=20 * (SLACK * spent + 10), memory_mb=MEMORY_MB,
                    cpu_seconds=math.ceil(SLACK * spent + SPARE))
    return [(mutant.change, ended.why or ended.value)
            for mutant, ended in in_forks(work, some, 1, limits)]


def _stop_at_first_loss(exercise: Exercise) -> None:
    """After one lost item the others are lost unasked. In this process only: it is a fork."""
    lost: list[str] = []

    def hasty(item: Any) -> Any:
        def ask(*args: Any) -> Any:
            if lost:
                raise AssertionError("not asked")
            try:
                return item.ask(*args)
            except BaseException:
                lost.append(item.name)
                raise

        return dataclasses.replace(item, ask=ask)

    exercise.items[:] = [hasty(item) for item in exercise.items]
    exercise.mistakes[:] = []  # no diagnosis: it would cost more than the exam


def lines(killing: MutantCounts) -> list[str]:
    """What a reader of the audit needs to know of one exercise."""
    exercise = killing.exercise
    name = f"{exercise.homework} / {exercise.name}"
    rate = f"{len(killing.killed)} of {killing.total}"
    out = [f"{name:<48} {rate:>10} killed" + (f"  {killing.trouble}" if killing.trouble else "")]
    for change in killing.survived:
        reason = exercise.survivors.get(change)
        out.append(f"  survives: {change}\n            {reason or 'NO REASON GIVEN'}")
    stale = [] if killing.trouble else killing.stale
    return out + [f"  note: a reason for what does not survive: {change}" for change in stale]


def verdict(killings: list[MutantCounts]) -> tuple[str, bool]:
    """The closing line, and whether the bar holds."""
    killed = sum(len(each.killed) for each in killings)
    total = sum(each.total for each in killings)
    rate = killed / total if total else 0.0
    bad = sum(bool(each.unexplained or each.trouble) for each in killings)
    ok = rate >= BAR and not bad
    note = "every survivor has a reason" if not bad else f"{bad} exercises with open questions"
    return f"{killed} of {total} generated mistakes killed: {100 * rate:.1f}%; {note}", ok
