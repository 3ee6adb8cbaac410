"""`example`: the arguments that a public case gives to a function, to try it by hand."""

import copy
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from viva import case as cases
from viva import plain

LITERAL = 60  # characters of a call that is written out; a longer one fetches its arguments


@dataclass(frozen=True)
class Call:
    """A call of a student's function by a case, and what came of it."""

    name: str
    args: tuple
    kwargs: dict
    output: object = None


_last: dict[tuple[str, str], list[Call]] = {}  # (exercise, case) -> calls of the last failed check


def keep(case: cases.Case, calls: list[Call]) -> None:
    """Remember the calls of a case that failed, so that they can be tried by hand.

    A notebook need not import `example` for it: the line that is shown can be pasted as it is.
    """
    _last[case.exercise, case.name] = calls
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        shell.user_ns.setdefault("example", example)


def example(function: str, case: str, call: int = 1) -> tuple:
    """The arguments of a function in a public case: f(*example("f", "case")).

    call: which of the case's calls of this function, from 1
    """
    for known in cases.cases_with(function):
        if known.name == case:
            calls: list[Call | None] = [*_last.get((known.exercise, case), ())] or [
                _first_call(known, function)]
            found = [each for each in calls if each is not None and each.name == function]
            if len(found) >= call:
                return copy.deepcopy(found[call - 1].args)
    raise LookupError(f"no call {call} of {function} in a case {case!r}: run its check first")


class _Reached(BaseException):
    """The function was called: nothing else of the case need be run."""


def _first_call(case: cases.Case, function: str) -> Call | None:
    """The first call of a function by a case, without any student's code."""
    reached = []

    def stop(*args: Any, **kwargs: Any) -> NoReturn:
        reached.append(Call(function, args, kwargs))
        raise _Reached

    def missing(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError

    stand_ins = [stop if name == function else missing for name in case.needs]
    try:
        case.scenario(cases.generator(cases.PUBLIC_SEED, case.exercise, case.name), *stand_ins)
    except (_Reached, Exception):
        pass
    return next(iter(reached), None)


def line_to_paste(case: cases.Case, calls: list[Call], path: tuple) -> str:
    """The call that gave the wrong answer, as a line of code; empty if it cannot be written.

    path: the way to the wrong part in the case's answer; a part for each call says which it was
    """
    if not calls:
        return ""
    first, count = path[0] if path else (0, 1)
    chosen = calls[first] if isinstance(first, int) and count == len(calls) else calls[0]
    if not all(map(_is_short, chosen.kwargs.values())):
        return ""
    named = [f"{name}={value!r}" for name, value in chosen.kwargs.items()]
    literal = [_literal(value) for value in chosen.args]
    if all(literal) and len(line := f"{chosen.name}({', '.join([*literal, *named])})") <= LITERAL:
        return line
    same = [each for each in calls if each.name == chosen.name]
    number = next(i for i, each in enumerate(same, 1) if each is chosen)
    which = f", {number}" if number > 1 else ""
    fetched = f'*example("{chosen.name}", "{case.name}"{which})'
    return f"{chosen.name}({', '.join([fetched, *named])})"


def _is_short(value: object) -> bool:
    if isinstance(value, tuple | list):
        return len(value) <= 4 and all(map(_is_short, value))
    return type(value) in plain.SCALARS and len(repr(value)) <= LITERAL


def _literal(value: object) -> str:
    """A value as code; empty where that would be long."""
    if _is_short(value):
        return repr(value)
    if isinstance(value, np.ndarray) and value.size <= 6 and value.dtype in (np.float64, np.int64):
        return f"np.array({value.tolist()})"
    return ""


def is_returned(value: object, calls: list[Call]) -> bool:
    """Whether a part of a case's answer is what a function returned, and not computed from it."""
    return any(_holds(each.output, value) for each in calls)


def _holds(output: Any, value: object) -> bool:
    if output is value or (type(output) is type(value) is float and output == value):
        return True
    parts = output.values() if isinstance(output, dict) else (
        output if isinstance(output, list | tuple) else ())
    return any(_holds(part, value) for part in parts)
