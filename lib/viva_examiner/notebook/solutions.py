"""What the instructor's own notebook says its functions do, read off its text.

A test may hand something to the student's code outside of a call: through a global name, or by
looking at an argument afterwards. How far that may go is decided here, by the text of staff, and
never by what a submission would like to know.
"""

import ast
import builtins
import symtable
from typing import TYPE_CHECKING

from viva_examiner.notebook.cells import tree_of
from viva_examiner.notebook.metadata import is_test

if TYPE_CHECKING:
    from nbformat import NotebookNode

CHANGING = frozenset(
    "append extend insert pop remove sort reverse clear update add discard setdefault popitem "
    "appendleft popleft rotate fill resize put itemset difference_update intersection_update "
    "symmetric_difference_update drop rename fillna add_".split())


def globals_read(source: str) -> frozenset[str]:
    """The global names that functions of a cell read, those of builtins included if rebound."""
    try:
        waiting, found = [symtable.symtable(source, "<cell>", "exec")], set()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        if table.get_type() != "module":
            found |= {symbol.get_name() for symbol in table.get_symbols()
                      if symbol.is_global() and symbol.is_referenced()}
    return frozenset(found)


def globals_written(source: str) -> frozenset[str]:
    """The names that functions of a cell declare `global`: a call may bind them again."""
    tree = tree_of(source)
    return frozenset(name for node in (ast.walk(tree) if tree is not None else ())
                     if isinstance(node, ast.Global) for name in node.names)


def globals_bound(source: str) -> frozenset[str]:
    """The names that a cell binds at its top level."""
    try:
        table = symtable.symtable(source, "<cell>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(symbol.get_name() for symbol in table.get_symbols()
                     if symbol.is_assigned() or symbol.is_imported())


def functions_that_change(source: str) -> frozenset[str]:
    """The functions of a cell, methods included, that change an argument in place.

    `X -= 1` changes X if that is an array or a list, and nothing else: there `f:0` and `f:X` stand
    for the one argument, and `f:` says that there is one.
    """
    found, tree = set(), tree_of(source)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef):
            names = _arguments(node)
            if _changes_an_argument(node, names):
                found.add(node.name)
            updated = {part.target.id for part in ast.walk(node) if isinstance(part, ast.AugAssign)
                       and isinstance(part.target, ast.Name)}.intersection(names)
            for name in updated:
                found |= {f"{node.name}:{word}" for word in ("", name, names.index(name))}
    return frozenset(found)


def _arguments(function: ast.FunctionDef) -> list[str]:
    given = function.args
    every = [arg.arg for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return every[1:] if every[:1] == ["self"] else every


def _changes_an_argument(function: ast.FunctionDef, names: list[str]) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(
                node.ctx, ast.Store | ast.Del) and _base(node) in names:
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (
                node.func.attr in CHANGING and _base(node.func) in names):
            return True
        if isinstance(node, ast.Call) and any(word.arg == "inplace" for word in node.keywords):
            return True
    return False


def _base(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def facts_of(notebook: "NotebookNode") -> dict[str, tuple[str, ...]]:
    """Of an instructor's notebook: `reads`, the globals that functions outside of its tests read;
    `changes`, those of its functions that change an argument; `shadows`, the builtins it binds.
    """
    reads: set[str] = set()
    changes: set[str] = set()
    bound: set[str] = set()
    for cell in notebook.cells:
        if cell.cell_type == "code" and not is_test(cell):
            reads |= globals_read(cell.source)
            changes |= functions_that_change(cell.source)
            bound |= globals_bound(cell.source)
    own = {name for name in reads if not hasattr(builtins, name) or name in ("input", "print")}
    return {"reads": tuple(sorted(own)), "changes": tuple(sorted(changes)),
            "shadows": tuple(sorted(name for name in bound if hasattr(builtins, name)))}
