"""What can be read off a cell's text: its hidden regions, the names it binds, uses and imports."""

import ast
import builtins
import functools
import re
from dataclasses import dataclass

from viva_examiner.notebook.markers import BEGIN_HIDDEN, END_HIDDEN

MAX_PARSED = 200_000  # characters; no cell that a person writes is as long


@dataclass(frozen=True)
class Segment:
    """A stretch of a test cell that is hidden from students, or visible to them."""

    source: str
    hidden: bool


def split_hidden(source: str) -> list[Segment]:
    """A cell's visible and hidden stretches, in order; empty ones are left out."""
    segments, position = [], 0
    while begin := BEGIN_HIDDEN.search(source, position):
        segments.append(Segment(source[position : begin.start()], hidden=False))
        end = END_HIDDEN.search(source, begin.end())
        stop = end.start() if end else len(source)
        segments.append(Segment(source[begin.end() : stop], hidden=True))
        position = end.end() if end else len(source)
    segments.append(Segment(source[position:], hidden=False))
    return [segment for segment in segments if has_code(segment.source)]


def has_code(source: str) -> bool:
    """Whether there is anything in it but comments and white space."""
    lines = (line.strip() for line in source.splitlines())
    return any(line and not line.startswith("#") for line in lines)


def tree_of(source: str) -> ast.Module | None:
    """The syntax tree; lines of IPython magic are passed over; None if it does not parse."""
    if len(source) > MAX_PARSED:
        return None  # a parser takes hundreds of times the memory of what it reads
    lines = ["" if re.match(r"\s*[%!?]", line) else line for line in source.splitlines()]
    try:
        return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _remembered(read):
    """Parse a cell once: every submission has the same tests. Not the giant ones, for memory."""
    quick = functools.lru_cache(maxsize=1024)(read)
    return functools.wraps(read)(lambda source: (quick if len(source) < 50_000 else read)(source))


@_remembered
def names_used(source: str) -> frozenset[str]:
    """Every name a cell reads that is not a builtin."""
    tree = tree_of(source)
    if tree is None:
        return frozenset()
    loads = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return frozenset(name for name in loads if not hasattr(builtins, name))


@_remembered
def names_bound(source: str) -> frozenset[str]:
    """Every name a cell may bind at its top level (nested bindings count too: better too many)."""
    tree = tree_of(source)
    bound = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            bound.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
    return frozenset(bound | set(imports_in(source)))


def imports_in(source: str) -> dict[str, tuple[str, str]]:
    """{name: (module, attribute or "")} of a cell's import statements."""
    tree, found = tree_of(source), {}
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                found[alias.asname or top] = (alias.name if alias.asname else top, "")
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name != "*":
                    found[alias.asname or alias.name] = (node.module, alias.name)
    return found


@_remembered
def judges(source: str) -> bool:
    """Whether a cell decides about right and wrong: it asserts, raises, or ends in a value."""
    tree = tree_of(source)
    if tree is None:
        return False
    if any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(tree)):
        return True
    calls = [n.func for n in ast.walk(tree) if isinstance(n, ast.Call)]
    named = [getattr(f, "attr", getattr(f, "id", "")) for f in calls]
    return any(re.match(r"(assert|check|test|examine|validate|grade)", n, re.I) for n in named)


def definition(sources: list[str], name: str) -> str:
    """The text of the last top-level function or class of this name, or ""."""
    return next((found[name] for source in reversed(sources)
                 if name in (found := _definitions(source))), "")


@_remembered
def _definitions(source: str) -> dict[str, str]:
    """{name: text} of a cell's top-level functions and classes."""
    tree = tree_of(source)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {node.name: ast.get_source_segment(source, node) or ""
            for node in (tree.body if tree is not None else []) if isinstance(node, kinds)}
