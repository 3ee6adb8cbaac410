"""What can be read off a cell's text: its hidden regions, the names it binds, uses and imports."""

import ast
import builtins
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from viva_examiner.notebook.markers import BEGIN_HIDDEN, END_HIDDEN

MAX_PARSED = 100_000  # characters; no cell that a person writes is as long
LARGE = 5_000  # characters of a cell of which few are remembered at a time
LINE_END = re.compile("\r\n|\r|\n")  # as the parser counts lines
MAGIC = re.compile(r"\s*[%!?]|[^#\"']*\w\?+\s*$")  # `%time`, `!ls`, `obj?`
TIMED = re.compile(r"^(\s*)%time\s+(?=\S)")  # what follows binds its names in the notebook
ASSIGNED_MAGIC = re.compile(r"^(\s*[\w.,][\w., ]*=\s*)[!%].*")  # `x = !ls`
LOOKS_UP = re.compile(r"(?<![.\w])(?:globals|locals|vars|exec|eval|setattr)\(")
WORD = re.compile(r"[A-Za-z_]\w*")
DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


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
    lines = [TIMED.sub(r"\1", line) for line in LINE_END.split(source)]
    lines = [ASSIGNED_MAGIC.sub(r"\1None", "" if MAGIC.match(line) else line) for line in lines]
    try:
        return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@dataclass(frozen=True)
class Facts:
    """What the rest of this module knows of a cell, read in one go: a parse takes its time."""

    used: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    judges: bool = False
    definitions: dict[str, str] = field(default_factory=dict)


def facts(source: str) -> Facts:
    """Of a cell. Remembered, for every submission has the same tests."""
    return (_facts_of_large if len(source) > LARGE else _facts_of_small)(source)


def _read(source: str) -> Facts:
    tree = tree_of(source)
    if tree is None:
        return Facts()
    nodes = list(ast.walk(tree))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store | ast.Del)}
    bound |= {node.name for node in nodes if isinstance(node, DEFINITIONS)}
    return Facts(
        frozenset(node.id for node in names if not hasattr(builtins, node.id)),
        frozenset(bound | set(_imports(nodes))),
        _decides(nodes),
        _definitions(source, tree),
    )


_facts_of_small = functools.lru_cache(maxsize=2048)(_read)
_facts_of_large = functools.lru_cache(maxsize=64)(_read)  # what is known of one may take megabytes


def names_used(source: str) -> frozenset[str]:
    """Every name a cell reads or binds that is not a builtin."""
    return facts(source).used


def names_bound(source: str) -> frozenset[str]:
    """Every name a cell may bind at its top level (nested bindings count too: better too many)."""
    return facts(source).bound


def names_perhaps_bound(source: str) -> frozenset[str]:
    """The same, with what a cell may bind by a text: `globals()["x"] = 1`, `exec("x = 1")`."""
    tree = tree_of(source) if LOOKS_UP.search(source) else None
    return names_bound(source) | {
        word for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in WORD.findall(node.value)}


def judges(source: str) -> bool:
    """Whether a cell decides about right and wrong: it asserts, raises, or ends in a value."""
    return facts(source).judges


def definition(sources: list[str], name: str) -> str:
    """The text of the last top-level function or class of this name, or ""."""
    return next((found[name] for source in reversed(sources)
                 if name in (found := facts(source).definitions)), "")


def imports_in(source: str) -> dict[str, tuple[str, str]]:
    """{name: (module, attribute or "")} of a cell's import statements."""
    tree = tree_of(source)
    return _imports(ast.walk(tree)) if tree is not None else {}


def _imports(nodes: Iterable[ast.AST]) -> dict[str, tuple[str, str]]:
    found = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                found[alias.asname or top] = (alias.name if alias.asname else top, "")
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name != "*":
                    found[alias.asname or alias.name] = (node.module, alias.name)
    return found


def star_imports_in(source: str) -> list[str]:
    """The modules of which a cell imports everything."""
    tree = tree_of(source)
    return [node.module for node in (ast.walk(tree) if tree is not None else ())
            if isinstance(node, ast.ImportFrom) and node.module and not node.level
            and any(alias.name == "*" for alias in node.names)]


def _decides(nodes: list) -> bool:
    if any(isinstance(node, ast.Assert | ast.Raise) for node in nodes):
        return True
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    named = [getattr(f, "attr", getattr(f, "id", "")) for f in calls]
    return any(re.match(r"(assert|check|test|examine|validate|grade)", n, re.I) for n in named)


def _definitions(source: str, tree: ast.Module) -> dict[str, str]:
    """{name: text} of a cell's top-level functions and classes, without their decorators.

    The lines are split once, as for the parser: ast.get_source_segment would split them again for
    every definition.
    """
    lines = LINE_END.split(source)
    return {node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
            for node in tree.body if isinstance(node, DEFINITIONS)}
