"""Whether a call can be followed with pencil and paper, in two minutes."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from viva.voce.inputs import is_array
from viva.voce.options import text_of
from viva.voce.printing import MAX_NUMBERS, NotPrintable, numbers_in
from viva.voce.running import RunOutcome
from viva.voce.subject import Subject

SOLVERS = re.compile(r"\b(solve|inv|det|cholesky)\(")
SPECTRAL = re.compile(r"\b(pinv|lstsq|svd|svdvals|qr|eig\w*)\(|matrix_rank|\bord=")
ROUNDED = re.compile(r"\b(ceil|floor|round|rint|int)\(")
MAX_FRACTIONS = 16  # numbers on the way that are not whole


def passes_twice(text: str, times: Mapping[int, int]) -> bool:
    """Whether every loop that is reached runs at least twice: else nothing shows that it is one."""
    loops = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For | ast.While)]
    return all(times.get(loop.body[0].lineno, 0) >= 2 for loop in loops
               if times.get(loop.lineno, 0) and loop.body[0].lineno != loop.lineno)


def is_laborious(subject: Subject, traced: RunOutcome) -> bool:
    """Whether a person would have to solve an equation in more than two unknowns, to find the
    directions of a matrix that is neither small nor diagonal, or to work out many fractions or
    numbers that no hand reaches and that are rounded in the end."""
    matrices = [value for value in subject.given if is_array(value) and value.ndim >= 2]
    if SPECTRAL.search(subject.text):
        return any(max(value.shape[-2:]) > 2 and not _is_diagonal(value) for value in matrices)
    if SOLVERS.search(subject.text) and any(min(value.shape[-2:]) > 2 for value in matrices):
        return True
    found = list(_on_the_way(traced))
    if ROUNDED.search(subject.text) and any(
            len(numbers) <= MAX_NUMBERS and text_of(value) is None for value, numbers in found):
        return True
    return sum(not number.is_integer() for _, numbers in found
               for number in numbers) > MAX_FRACTIONS


def _on_the_way(traced: RunOutcome) -> Iterator[tuple[Any, list[float]]]:
    """Each value that a line gave to a local, and its numbers."""
    for steps in traced.steps:
        earlier: dict[str, list[float]] = {}
        for step in steps:
            for name, value in step.values.items():
                try:
                    numbers = numbers_in(value)
                except NotPrintable:
                    continue
                if numbers and numbers != earlier.get(name):
                    earlier[name] = numbers
                    yield value, numbers


def _is_diagonal(value: Any) -> bool:
    """Whether no row and no column has more than one entry that is not zero."""
    return all(bool(((value != 0).sum(axis) <= 1).all()) for axis in (-1, -2))
