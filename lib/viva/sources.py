"""The source text of a student's functions, and which library routines it uses."""

import ast
import functools
import inspect
import linecache
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from viva import seam
from viva.case import unwatch

SHORT = {"numpy": "np"}  # libraries as everybody writes them
OWN_CODE = "your own code: writing it is the exercise"


def forbidden_routine(candidates: Sequence[Any], forbidden: Iterable[str],
                      sources: Iterable[str] | None = None) -> str:
    """The library routine that the candidates' source uses though it is forbidden, or "".

    forbidden: routines by their full names; of each the last word counts, wherever it comes from
    Named as the student writes it: `torch.softmax` where scipy's is on the list.
    """
    forbidden = tuple(forbidden)
    for source in sources if sources is not None else map(source_of, candidates):
        if not forbidden or source.isascii() and not _may_use(source, forbidden):
            continue  # nothing to parse for (letters beyond ASCII may stand for others)
        try:
            tree = ast.parse(textwrap.dedent(source))
        except (SyntaxError, ValueError):
            continue
        except (RecursionError, MemoryError):  # nested to hide it: no student writes this by hand
            return forbidden[0]
        used: dict[str, str] = {}
        bare: set[str] = set()
        for node in ast.walk(tree):
            used |= dict(_library_names(node))
            if isinstance(node, ast.Name):
                bare.add(node.id)
        for routine in forbidden:
            name = routine.split(".")[-1]
            if name in used:
                return used[name] or routine
            # the notebook's first cell imports names of the kit: there a bare one is the kit's
            if name in bare and routine.startswith("viva."):
                return routine
    return ""


def reason_against(routine: str, forbidden: Iterable[str]) -> str:
    """What is expected instead of a forbidden routine.

    forbidden: {routine: what to do instead}, or routines which are what the exercise asks to write
    """
    if not isinstance(forbidden, dict):
        return OWN_CODE
    return next((why for name, why in forbidden.items()
                 if name.split(".")[-1] == routine.split(".")[-1]), OWN_CODE)


def _may_use(source: str, forbidden: tuple[str, ...]) -> bool:
    """Whether a source in ASCII could use a routine: the words are there; cheaper than to parse."""
    dotted, named = _mentions(forbidden)
    return bool(dotted.search(source) or "import" in source and named.search(source))


@functools.cache
def _mentions(forbidden: tuple[str, ...]) -> tuple[re.Pattern, re.Pattern]:
    """Patterns of a routine's name after a dot, or alone if it is the kit's; and of any name.

    Between the dot and the name there may be spaces, line ends and comments.
    """
    names, own = ("|".join(each.split(".")[-1] for each in forbidden if each.startswith(room))
                  for room in ("", "viva."))
    space = r"(?:[\s\\]|#[^\n\r]*[\n\r])*"
    alone = rf"|\b(?:{own})\b" if own else ""
    return re.compile(rf"\.{space}(?:{names})\b{alone}"), re.compile(rf"\b(?:{names})\b")


def source_of(candidate: Any) -> str:
    """The source text of a student's function or class; empty where it is not known."""
    candidate = unwatch(candidate)
    try:
        return seam.told_source(candidate) or inspect.getsource(candidate)
    except (OSError, TypeError):
        return _class_in_its_cell(candidate) if isinstance(candidate, type) else ""


def _class_in_its_cell(kind: type) -> str:
    """The text of a class that a notebook's cell defines: its methods know which cell it is."""
    for member in vars(kind).values():
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        function = inspect.unwrap(function) if callable(function) else None
        code: Any = getattr(function, "__code__", None)
        lines = linecache.getlines(code.co_filename) if code else []
        try:
            tree = ast.parse("".join(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.name == kind.__name__ and (
                    node.lineno <= code.co_firstlineno <= (node.end_lineno or 0)):
                return "".join(lines[node.lineno - 1 : node.end_lineno])
    return ""


def _library_names(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(name, the dotted form of it) that a syntax node takes from elsewhere: `x.name` and
    `from x import name`. A bare `name` may be the student's own helper and is not counted.
    """
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            module = node.module or ""
            yield alias.name, f"{SHORT.get(module, module)}.{alias.name}"
    if isinstance(node, ast.Attribute):
        yield node.attr, _dotted(node)


def _dotted(node: ast.Attribute) -> str:
    """`a.b.c` of names alone; empty for a method of anything else."""
    names: list[str] = []
    part: ast.expr = node
    while isinstance(part, ast.Attribute) and len(names) < 9:  # a longer chain is no library's
        names.append(part.attr)
        part = part.value
    if not isinstance(part, ast.Name):
        return ""
    return ".".join([SHORT.get(part.id, part.id), *names[::-1]])
