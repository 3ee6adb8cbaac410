"""Cases: small scenarios that call a student's functions and return plain data.

One declaration serves four purposes, by its seed alone: the public check, the outputs recorded in
a student's log, the hidden exam, and the outputs of known mistakes that give the right hint.
"""

import copy
import functools
import hashlib
import importlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from viva import plain, seam, tables
from viva.compare import NOTHING_RAISED

COPIED = ("__module__", "__name__", "__qualname__", "__doc__")  # known of a proxy without asking it
PUBLIC_SEED = "public"
Noting = Callable[[str, tuple, dict[str, Any], Any], object]
CASES: dict[str, list["Case"]] = {}  # exercise -> its cases, in order of declaration


@dataclass(frozen=True)
class Case:
    """A scenario `(rng, *candidates) -> plain data` with the tolerance of its comparison.

    The scenario's parameters after `rng` name the functions or classes it needs: one, some or all
    of its exercise's candidates.
    """

    exercise: str
    homework: str
    name: str
    title: str
    scenario: Callable
    rtol: float
    atol: float
    dtype: bool
    log: bool
    exam: bool = True

    @functools.cached_property
    def needs(self) -> tuple[str, ...]:
        """The names of the candidates that the scenario is given."""
        return tuple(inspect.signature(self.scenario).parameters)[1:]

    def run(self, candidates: Sequence[Any], *seed: object,
            noting: Noting | None = None) -> "Answer":
        """The answer on the inputs that belong to these words of a seed.

        candidates: all of the exercise's, in their order
        noting: called as noting(name, args, kwargs, output) after every call of a function
        """
        given = dict(zip(candidates_of(self.exercise), candidates, strict=True))
        watched = [watch(given[name], name, noting) for name in self.needs]
        rng = generator(*seed, self.exercise, self.name)
        try:
            answer = Answer(value=self.scenario(rng, *watched))
        except Exception as error:
            if seam.is_engine_error(error):
                raise
            answer = Answer(error=error)
        modified = [name for name, w in zip(self.needs, watched, strict=True)
                    if isinstance(w, Watched) and w.modified]
        return Answer(answer.value, answer.error, tuple(modified))


@dataclass(frozen=True)
class Answer:
    """What a scenario gave: a value or an error, and which functions changed their arguments."""

    value: object = None
    error: Exception | None = None
    modified: tuple[str, ...] = field(default=())

    def record(self) -> dict:
        """The answer as plain data, for a log or a file of expected outputs."""
        if self.error is not None:
            return {"raised": type(self.error).__name__}
        return {"value": self.value}


def case(exercise: str, rtol: float = 1e-9, atol: float = 1e-10, dtype: bool = True,
         log: bool = True,
         exam: bool = True) -> Callable[[Callable], Callable]:
    """Declare a function `(rng, *candidates) -> plain data` as a case of an exercise.

    rtol, atol: the tolerance; the default suits float64 arithmetic that differs in order only
    dtype: whether arrays must have the expected dtype
    log: whether a student's outputs are recorded in the submission log
    exam: whether the exam asks it again on secret inputs; not where an item of its own asks more.
        Such a case shows a stated rule in the check, and is not logged
    """

    def declare(scenario: Callable) -> Callable:
        title = (scenario.__doc__ or scenario.__name__.replace("_", " ")).strip().splitlines()[0]
        # viva.cases.<homework>, or a part of it: viva.cases.<homework>.<part>
        homework = scenario.__module__.removeprefix("viva.cases.").split(".")[0]
        new = Case(exercise, homework, scenario.__name__, title, scenario, rtol, atol, dtype,
                   log and exam, exam)
        others = CASES.setdefault(exercise, [])
        if others and others[0].homework != homework:
            raise ValueError(f"{exercise} is an exercise of {others[0].homework} already: "
                             f"{homework} must give its own another name")
        others[:] = [old for old in others if old.name != new.name] + [new]
        return scenario

    return declare


def rule(exercise: str, **options: Any) -> Callable[[Callable], Callable]:
    """Declare a case that shows a rule of the text in the check, which an item of the exam asks
    more of: `case` with exam=False."""
    return case(exercise, exam=False, **options)


def cases_of(exercise: str) -> list[Case]:
    """The cases of an exercise; of all sections only its own is loaded.

    Raises KeyError with a sentence for the student.
    """
    if exercise not in CASES:
        entry = tables.entry_of(exercise)
        importlib.import_module(f"viva.cases.{entry.homework}.{entry.section}")
    return CASES.setdefault(exercise, [])


def candidates_of(exercise: str) -> tuple[str, ...]:
    """The functions or classes of an exercise, in order. Raises KeyError like `cases_of`."""
    return tables.entry_of(exercise).functions


def cases_with(function: str) -> list[Case]:
    """The cases that need a function. Raises KeyError if no exercise has such a function."""
    found = [name for name in tables.names() if function in tables.ENTRIES[name].functions]
    known = [case for name in found or [function] for case in cases_of(name)]
    return [case for case in known if function in case.needs]


def generator(*words: object) -> np.random.Generator:
    """A generator that depends on every word and on nothing else."""
    digest = hashlib.sha256("\x1f".join(map(str, words)).encode()).digest()
    # default_rng of the first 16 bytes as an integer, for half the time
    return np.random.Generator(np.random.PCG64(np.frombuffer(digest, "<u4", 4)))


def outcome(function: Callable, *args: Any, **kwargs: Any) -> str:
    """The name of the exception that a call raises, or "no exception"."""
    try:
        function(*args, **kwargs)
    except Exception as error:
        if seam.is_engine_error(error):
            raise
        return type(error).__name__
    return NOTHING_RAISED


def candidate_side(driver: Callable) -> Callable:
    """Let a function of a cases module run in the student's process, wherever that is.

    In a notebook it is an ordinary call. In the examiner, where candidates are proxies of objects
    in a sandbox, the call is made inside the sandbox, with plain data in and out.

    There the student's code can replace it. So it makes things that only exist there (a module, a
    parameter, a vocabulary), or repeats a call some hundred times and hands back what only a right
    solution can compute from the inputs; never a verdict, a flag, a count of its own or a measured
    size. What a class is, is asked from the examiner: a scenario calls it as it calls a function.
    """

    @functools.wraps(driver)
    def call(*args: Any, **kwargs: Any) -> Any:
        args = tuple(unwatch(arg) for arg in args)
        kwargs = {name: unwatch(arg) for name, arg in kwargs.items()}
        for candidate in (*args, *kwargs.values()):
            remote = seam.caller_in_candidate(candidate)
            if remote is not None:
                return remote(driver.__module__, driver.__qualname__, args, kwargs)
        return driver(*args, **kwargs)

    return call


class Watched:
    """A function that is given copies of its arguments, and remembers if it changed them."""

    def __init__(self, function: Callable, name: str = "", noting: Noting | None = None) -> None:
        self.function, self.name, self.noting = function, name, noting
        self.modified = False
        functools.update_wrapper(self, function, COPIED, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args = tuple(unwatch(arg) for arg in args)
        kwargs = {name: unwatch(arg) for name, arg in kwargs.items()}
        given = [_copy(arg) for arg in (*args, *kwargs.values())]
        output = None
        try:
            named = dict(zip(kwargs, given[len(args) :], strict=True))
            output = self.function(*given[: len(args)], **named)
            return output
        finally:
            changed = seam.has_changed_arguments(self.function)
            pairs = zip(given, (*args, *kwargs.values()), strict=True)
            self.modified |= bool(changed) or any(_changed(a, b) for a, b in pairs)
            if self.noting is not None:
                copies = [_copy(arg) for arg in (*args, *kwargs.values())]
                named = dict(zip(kwargs, copies[len(args) :], strict=True))
                self.noting(self.name, tuple(copies[: len(args)]), named, output)


def watch(candidate: Any, name: str = "", noting: Noting | None = None) -> Any:
    """A function wrapped in Watched; classes and other objects as they are."""
    is_function = callable(candidate) and not seam.is_class(candidate)
    return Watched(candidate, name, noting) if is_function else candidate


def unwatch(value: Any) -> Any:
    """The function inside a Watched; anything else as it is."""
    return value.function if isinstance(value, Watched) else value


def _is_data(value: object) -> bool:
    try:
        plain.pack(value)
    except (plain.NotPlain, RecursionError):
        return False
    return True


def _copy(value: Any) -> Any:
    if type(value) in plain.SCALARS:  # nobody can change them
        return value
    if isinstance(value, np.ndarray):
        return value.copy()
    if _is_graph(value) or not _is_data(value):
        return value
    return copy.deepcopy(value)


def _is_graph(value: object) -> bool:
    return bool(getattr(value, "requires_grad", False))  # a copy would cut the autograd graph


def _changed(after: Any, before: Any) -> bool:
    if after is before:
        return False
    if isinstance(before, np.ndarray):
        return after.tobytes() != before.tobytes()
    if not _is_data(after):
        return True  # it went in as plain data
    return plain.pack(after) != plain.pack(before)
