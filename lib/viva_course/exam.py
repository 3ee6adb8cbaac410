"""What an item's question is given: inputs, and the ways to judge an answer."""

import functools

import numpy as np

from viva import case as cases
from viva import seam
from viva.checking import fault
from viva.compare import difference, measured
from viva_course.accounts import account, notes
from viva_course.declared import exercise_named
from viva_course.memory import at_most
from viva_course.parts import ItemLost
from viva_course.records import reference_record


class Exam:
    """One sitting of one item: a generator of its own, and the ways to judge an answer."""

    def __init__(self, exercise, item: str, secret: str, sittings: dict):
        self.exercise = exercise
        self.reference = exercise.reference
        self.secret = secret
        self.rng = cases.generator("exam", secret, exercise.name, item)
        self.seen: list[tuple] = []  # what `same` was given, for the diagnosis
        self.board: list[dict] = []  # rows of the leaderboard
        self.calls = notes()  # of the candidates, where a mark must be explained
        self.account: dict | None = None
        self._sittings = sittings  # answers on the secret cases, shared by the items

    def same(self, got, expected, rtol: float = 1e-9, atol: float = 1e-10, dtype: bool = True):
        """Type, shape, dtype, finiteness and values must be the expected ones, in this order."""
        wrong = difference(got, expected, rtol, atol, dtype)
        self.seen.append((got, rtol, atol, wrong is not None))
        if wrong is not None:
            if self.calls is not None:
                self.account = account(self.exercise, self.calls, pair=(got, expected))
            where = f"{wrong.where}: " if wrong.where else ""
            raise ItemLost(wrong.kind, f"{wrong.headline}: you returned {where}{wrong}")

    def true(self, condition, message: str, kind: str = "condition") -> None:
        """The condition must hold; the message says what a student should know.

        kind: "measured" where the message tells the number that is too large or too small, so
            that it can prove a known mistake
        """
        is_truth = isinstance(condition, bool | np.bool_) or _is_torch_truth(condition)
        if not (is_truth and condition):
            raise ItemLost(kind, message)

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
            if seam.is_engine_error(other):
                raise
            raised = type(other).__name__
            raise ItemLost(
                "raised", f"raised {raised} where {error.__name__} is asked for") from None
        raise ItemLost("raised", f"nothing was raised where {error.__name__} is asked for")

    def within(self, mb: float, function, *args, **kwargs):
        """The answer of a call that gets at most `mb` MB of memory. Compare it: an answer that
        is not compared need not be computed."""
        with self.room(mb, function):
            return function(*args, **kwargs)

    def room(self, mb: float, candidate):
        """A block in which the candidate's process gets at most `mb` MB beyond what it has."""
        return at_most(mb * self.exercise.memory_factor, cases.unwatch(candidate))

    def sitting(self, candidates) -> list[tuple[cases.Case, cases.Answer]]:
        """The candidates' answers to the exam's cases on secret inputs; asked once, kept."""
        for case in self.exercise.asked:
            if case.name not in self._sittings:
                answer = case.run(tuple(map(cases.unwatch, candidates)), "exam", self.secret)
                self._sittings[case.name] = answer
        return [(case, self._sittings[case.name]) for case in self.exercise.asked]


def unmodified(exam: Exam, *candidates) -> None:
    """A question for `Exercise.item`: no function writes into its arguments.

    Asked only of a solution that answers some case rightly, and not every case with one and the
    same thing: a constant earns nothing by it.
    """
    answers, right, decisive = [], [], []
    for case, answer in exam.sitting(candidates):
        if answer.error is not None:
            raise answer.error
        if answer.modified:
            raise ItemLost("modified", f"{answer.modified[0]} changed an argument ({case.title})")
        expected = reference_record(exam.exercise.name, case.name, exam.secret)
        answers.append(answer.value)
        right.append(fault(case, answer, expected) is None)
        if type(expected.get("value")) is not bool:  # half of all guesses of a verdict are right
            decisive.append(right[-1])
    varied = _vary(answers) and _vary(_parts(answers))  # a case may put several into a list
    exam.true(all(right) or (varied and any(decisive or right)), "no case is right yet")


def _is_torch_truth(value) -> bool:
    return type(value).__module__ == "torch" and str(value.dtype) == "torch.bool"


def _vary(values: list) -> bool:
    with measured():  # answers are compared with each other, not with what is right
        return any(difference(each, values[0], 0.0, 0.0) for each in values[1:])


def _parts(value) -> list:
    """What stands in lists and dicts, however deep."""
    if isinstance(value, dict | list | tuple):
        inner = value.values() if isinstance(value, dict) else value
        return [part for each in inner for part in _parts(each)]
    return [value]


@functools.lru_cache(maxsize=1024)
def reference_error(exercise: str, item_name: str, secret: str) -> str:
    """The type of exception (not of a failed question) with which the reference ends, or ""."""
    declared = exercise_named(exercise)
    item = next(item for item in declared.items if item.name == item_name)
    try:
        item.ask(Exam(declared, item.name, secret, {}), *map(cases.watch, declared.reference))
    except AssertionError:
        return ""
    except Exception as error:
        return type(error).__name__
    return ""
