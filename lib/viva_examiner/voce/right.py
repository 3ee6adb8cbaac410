"""Right solutions of an exercise, as a student would have written them: with a text of their own.

The reference, every accepted variant, and the cells of the staff's own notebook.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from viva.sources import source_of
from viva_examiner.library import Exercise
from viva_examiner.notebook.staff import Notebook

REFERENCE, NOTEBOOK = "the reference", "the notebook's solution"


@dataclass(frozen=True)
class Right:
    """One right solution."""

    who: str
    candidates: tuple[Any, ...]
    around: dict[str, Any]  # names that the code and the probes need besides its own


def right_solutions(exercise: Exercise, others: dict[str, Any],
                    notebook: Notebook | None) -> Iterator[Right]:
    """All right solutions of an exercise.

    others: the reference's functions and classes of the whole homework, by name
    """
    rows = [(REFERENCE, exercise.reference)]
    rows += [(f"variant {each.name}", each.candidates) for each in exercise.variants]
    if notebook is not None:
        rows.append((NOTEBOOK, notebook.candidates(exercise.candidates)))
    for who, candidates in rows:
        around = dict(others)
        for candidate, name in zip(candidates, exercise.candidates, strict=True):
            around |= _enclosed(candidate)
            _tell_source(candidate, name)
        yield Right(who, candidates, around)


def references_of(exercises: dict[str, Exercise]) -> dict[str, Any]:
    """{name: function or class of the reference} of some exercises."""
    return {name: each for exercise in exercises.values()
            for name, each in zip(exercise.candidates, exercise.reference, strict=True)}


def _enclosed(candidate: Any) -> dict[str, Any]:
    """What a function takes from the function in which it was written."""
    try:
        return dict(inspect.getclosurevars(candidate).nonlocals)
    except (TypeError, ValueError):
        return {}


def _tell_source(candidate: Any, name: str) -> None:
    """Let a candidate carry its text, as a definition without the decorators of an exam."""
    if getattr(candidate, "__viva_source__", None):
        return
    text = textwrap.dedent(_of_class(candidate) if isinstance(candidate, type)
                           else source_of(candidate))
    try:
        node = next((each for each in ast.parse(text).body
                     if isinstance(each, ast.FunctionDef | ast.ClassDef)), None)
    except SyntaxError:
        node = None
    if node is not None:
        lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
        written = "\n".join(lines).replace(f" {node.name}", f" {name}", 1)
    else:
        written = _of_lambda(candidate, name)
    try:
        candidate.__viva_source__ = written
    except (AttributeError, TypeError):
        pass  # a routine of a library: there is no text to ask about


def _of_class(kind: type) -> str:
    """The text of a class: of several of one name in a file, the one that holds its methods."""
    code = next((each.__code__ for each in vars(kind).values() if hasattr(each, "__code__")), None)
    if code is None or not Path(code.co_filename).is_file():
        return source_of(kind)
    text = Path(code.co_filename).read_text(encoding="utf-8")
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)
             and node.lineno <= code.co_firstlineno <= (node.end_lineno or 0)]
    lines = text.splitlines()
    return "\n".join(lines[found[-1].lineno - 1 : found[-1].end_lineno]) if found else ""


def _of_lambda(candidate: Any, name: str) -> str:
    """A lambda as the function that a student would have written; "" if it is not found."""
    code = getattr(candidate, "__code__", None)
    if code is None or not Path(code.co_filename).is_file():
        return ""
    tree = ast.parse(Path(code.co_filename).read_text(encoding="utf-8"))
    given = list(code.co_varnames[: code.co_argcount])
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)
             and node.lineno == code.co_firstlineno
             and [each.arg for each in node.args.args] == given]
    if len(found) != 1:
        return ""
    return f"def {name}({ast.unparse(found[0].args)}):\n    return {ast.unparse(found[0].body)}"
