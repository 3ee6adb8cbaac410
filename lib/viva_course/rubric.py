"""One declaration per exercise: its points, questions, known mistakes and accepted variants.

From it come the hidden test, the partial credit, the diagnosis in the public check, the audit, the
class report and the demo's cohort. Nothing of it is written twice.
"""

import functools
import importlib
import pkgutil
import warnings
from dataclasses import dataclass, field

import numpy as np

from viva import case as cases
from viva.checking import fault, forbidden_routine
from viva.compare import difference
from viva.diagnosis import fitting, is_evidence, one_hint, recognise, same_failures
from viva_course.memory import peak_mb
from viva_course.parts import Item, Mistake, Outcome, Report, Variant

EXERCISES: dict[str, "Exercise"] = {}


class Exam:
    """What an item's question is given: a generator and the ways to judge an answer."""

    def __init__(self, exercise: "Exercise", item: str, secret: str, sittings: dict):
        self.exercise = exercise
        self.reference = exercise.reference
        self.secret = secret
        self.rng = cases.generator("exam", secret, exercise.name, item)
        self.seen: list[tuple] = []  # what `same` was given, for the diagnosis
        self.board: list[dict] = []  # rows of the leaderboard
        self._sittings = sittings  # answers on the secret cases, shared by the items

    def same(self, got, expected, rtol: float = 1e-9, atol: float = 1e-10, dtype: bool = True):
        """Type, shape, dtype, finiteness and values must be the expected ones, in this order."""
        wrong = difference(got, expected, rtol, atol, dtype)
        self.seen.append((got, rtol, atol, wrong is not None))
        if wrong is not None:
            detail = f"; {wrong.detail}" if wrong.detail and wrong.kind != "type" else ""
            raise AssertionError(f"{wrong.headline}: you returned {wrong.got}{detail}")

    def true(self, condition, message: str):
        """The condition must hold; the message says what a student should know."""
        if not (isinstance(condition, bool | np.bool_) and condition):
            raise AssertionError(message)

    def rank(self, name: str, value: float, order: str = "desc"):
        """Put a number on the leaderboard, if this item is passed; "asc": less is better."""
        if np.isfinite(value):
            self.board.append({"name": name, "value": float(f"{value:.6g}"), "order": order})

    def raises(self, error: type[Exception], function, *args, **kwargs):
        """The call must raise this type of exception (or a subclass of it)."""
        try:
            function(*args, **kwargs)
        except error:
            return
        except Exception as other:
            if getattr(other, "viva_engine_error", False):
                raise
            raised = type(other).__name__
            raise AssertionError(f"raised {raised} where {error.__name__} is asked for") from None
        raise AssertionError(f"nothing was raised where {error.__name__} is asked for")

    def peak_mb(self, function, *args, **kwargs) -> float:
        """By how many MB resident memory grew at most during the call."""
        return peak_mb(cases.unwatch(function), *args, **kwargs)

    def sitting(self, candidates) -> list[tuple[cases.Case, cases.Answer]]:
        """The candidates' answers to all public cases on secret inputs; asked once, kept."""
        for case in self.exercise.cases:
            if case.name not in self._sittings:
                answer = case.run(tuple(map(cases.unwatch, candidates)), "exam", self.secret)
                self._sittings[case.name] = answer
        return [(case, self._sittings[case.name]) for case in self.exercise.cases]


@dataclass
class Exercise:
    """An exercise of a homework: the one of `viva_course.reference.<homework>` it is about.

    reference: its functions or classes, in order; the exercise is named after the first
    expects:   what a right answer is, in a sentence for the student; where an exercise has several
               functions, a sentence for each by its name
    """

    name: str
    points: float
    reference: tuple
    expects: str | dict[str, str]
    homework: str = ""
    forbidden: tuple[str, ...] = ()
    items: list[Item] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    variants: list[Variant] = field(default_factory=list)
    survivors: dict[str, str] = field(default_factory=dict)  # generated mistake: why it may pass

    def __post_init__(self):
        self.homework = self.homework or self.reference[0].__module__.split(".")[2]
        known = EXERCISES.get(self.name)
        if known is not None and known.homework != self.homework:
            raise ValueError(f"{self.name} is an exercise of {known.homework} already")
        EXERCISES[self.name] = self

    @property
    def cases(self) -> list[cases.Case]:
        return cases.cases_of(self.name)

    @functools.cached_property
    def candidates(self) -> tuple[str, ...]:
        """The names of the functions or classes, in order."""
        return cases.candidates_of(self.name)

    def item(self, name: str, points: float, says: str):
        """Declare a function `(exam, *candidates)` as a question; it raises to fail."""

        def declare(ask):
            self.items.append(Item(name, points, says, ask))
            return ask

        return declare

    def values(self, points: float, says: str, only: tuple[str, ...] = (), name: str = "values"):
        """Declare the question whether the public cases hold on secret inputs.

        only: names of the cases it consists of; all of them if empty
        """

        def ask(exam, *candidates):
            for case, answer in exam.sitting(candidates):
                if only and case.name not in only:
                    continue
                if isinstance(answer.error, NotImplementedError):
                    raise answer.error
                expected = reference_record(self.name, case.name, exam.secret)
                wrong = fault(case, answer, expected)
                if wrong is not None:
                    raise AssertionError(f"{case.title}: {'; '.join(wrong)}")

        self.items.append(Item(name, points, says, ask, only))

    def mistake(self, slug: str, hint: str, hidden_only: str = ""):
        """Declare a wrong function or class; its name says which candidate it replaces.

        hidden_only: why the public check cannot notice it (memory, long inputs, many seeds)
        """

        def declare(wrong):
            self.mistakes.append(Mistake(slug, hint, self._with(wrong), hidden_only))
            return wrong

        return declare

    def variant(self, name: str):
        """Declare another correct function or class, to be accepted with full marks."""

        def declare(other):
            self.variants.append(Variant(name, self._with(other)))
            return other

        return declare

    def _with(self, replacement) -> tuple:
        name = replacement.__name__
        names = [candidate.__name__ for candidate in self.reference]
        if name not in names:
            raise ValueError(f"{self.name}: {name} is not one of {', '.join(names)}")
        pairs = zip(names, self.reference, strict=True)
        return tuple(replacement if each == name else original for each, original in pairs)

    def examine(self, candidates: tuple, secret: str) -> Report:
        """Ask every question; each item is judged alone, whatever became of the others."""
        total = sum(item.points for item in self.items)
        if abs(total - self.points) > 1e-9:
            raise ValueError(f"{self.name}: the items add up to {total}, not to {self.points}")
        routine = forbidden_routine(candidates, self.forbidden)
        if routine:
            message = f"uses {routine}; writing it yourself is the exercise"
            lost = tuple(Outcome(item.name, item.points, 0.0, message) for item in self.items)
            return Report(self.name, self.homework, lost)
        sittings: dict[str, cases.Answer] = {}
        outcomes = tuple(self._ask(item, candidates, secret, sittings) for item in self.items)
        slug = ""
        if not all(outcome.passed for outcome in outcomes):
            slug = self._recognise(sittings, outcomes, secret)
        hint = next((m.hint for m in self.mistakes if m.slug == slug), "")
        return Report(self.name, self.homework, outcomes, slug, hint)

    def _ask(self, item: Item, candidates, secret, sittings) -> Outcome:
        exam = Exam(self, item.name, secret, sittings)
        try:
            item.ask(exam, *map(cases.watch, candidates))
        except Exception as error:
            if getattr(error, "viva_engine_error", False):
                raise
            message = failure(item, error)
            return Outcome(item.name, item.points, 0.0, message, tuple(exam.seen))
        return Outcome(item.name, item.points, item.points, board=tuple(exam.board))

    def _recognise(self, sittings: dict, outcomes: tuple, secret: str) -> str:
        """The known mistake behind the answers or, if the cases do not show it, the failures."""
        if len(sittings) < len(self.cases):
            return ""  # no item asked the cases
        answers = [sittings[case.name] for case in self.cases]
        expected = {c.name: reference_record(self.name, c.name, secret) for c in self.cases}
        known = mistake_records(self.name, secret)
        if slug := recognise(self.cases, answers, expected, known):
            return slug
        if not any(map(is_evidence, outcomes)):
            return ""
        asked = list(zip(self.cases, answers, strict=True))
        return one_hint([
            slug for slug in fitting(asked, expected, known, proven=False)
            if same_failures(outcomes, mistake_outcomes(self.name, slug, secret))
        ], known)


def failure(item: Item, error: Exception) -> str:
    """The sentence of a failed item: what it asks for, then what happened."""
    if isinstance(error, NotImplementedError):
        return f"{item.says} (not written yet)"
    happened = str(error).strip() if isinstance(error, AssertionError) else (
        f"raised {type(error).__name__}: {str(error).strip()[:200]}")
    return f"{item.says} ({happened})" if happened else item.says


def unmodified(exam: Exam, *candidates) -> None:
    """A question for `Exercise.item`: no function writes into its arguments.

    Asked only of a solution that answers some case rightly: a constant earns nothing by it.
    """
    right = False
    for case, answer in exam.sitting(candidates):
        if answer.error is not None:
            raise answer.error
        if answer.modified:
            raise AssertionError(f"{answer.modified[0]} changed an argument ({case.title})")
        expected = reference_record(exam.exercise.name, case.name, exam.secret)
        right = right or fault(case, answer, expected) is None
    exam.true(right, "no case is right yet")


@functools.lru_cache(maxsize=4096)
def reference_record(exercise: str, case_name: str, secret: str) -> dict:
    """The reference's record on one case with these secret inputs."""
    declared = exercises()[exercise]
    case = next(case for case in declared.cases if case.name == case_name)
    return case.run(declared.reference, "exam", secret).record()


@functools.lru_cache(maxsize=1024)
def mistake_records(exercise: str, secret: str) -> dict:
    """{slug: {"cases": {case: record where the mistake differs}}} on these secret inputs."""
    declared = exercises()[exercise]
    expected = {c.name: reference_record(exercise, c.name, secret) for c in declared.cases}
    return records_of_mistakes(declared, expected, "exam", secret)


@functools.lru_cache(maxsize=1024)
def mistake_outcomes(exercise: str, slug: str, secret: str) -> tuple[Outcome, ...]:
    """What every item says to a known mistake."""
    declared, sittings = exercises()[exercise], {}
    mistake = next(mistake for mistake in declared.mistakes if mistake.slug == slug)
    return tuple(declared._ask(item, mistake.candidates, secret, sittings)
                 for item in declared.items)


def records_of_mistakes(exercise: Exercise, expected: dict, *seed) -> dict:
    """What each known mistake answers on the cases of a seed, where it differs from expected."""
    found = {}
    for mistake in exercise.mistakes:
        wrong = {}
        for case in exercise.cases:
            with warnings.catch_warnings():  # stock nbgrader takes a warning for a failed test
                warnings.simplefilter("ignore")
                answer = case.run(mistake.candidates, *seed)
            if fault(case, answer, expected[case.name]) is not None:
                wrong[case.name] = answer.record()
        found[mistake.slug] = {"hint": mistake.hint, "cases": wrong}
    return found


@functools.cache
def _load() -> None:
    import viva_course.exams

    for module in pkgutil.iter_modules(viva_course.exams.__path__):
        importlib.import_module(f"viva_course.exams.{module.name}")
        for section in cases.load(module.name):
            importlib.import_module(f"viva_course.exams.{module.name}.{section}")


def exercises(homework: str = "") -> dict[str, Exercise]:
    """All exercises by name, or those of one homework."""
    _load()
    return {name: each for name, each in EXERCISES.items() if homework in ("", each.homework)}

