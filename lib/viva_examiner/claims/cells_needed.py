"""Which parts of a source notebook a claim rests on: those that make the names it uses.

A `with` block (`with look():`) is a part of its own, the rest of its cell another: a figure that
nothing depends on is neither drawn nor trained for, and the claims of a homework take seconds.
"""

import ast
import functools
import symtable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from viva_examiner.notebook.cells import tree_of
from viva_examiner.notebook.metadata import graded

NOTEBOOK = "notebook"  # what a claim's first argument is called
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def code_cells(notebook: NotebookNode) -> list[str]:
    """The sources of all code cells but tests and checks, in order."""
    return [cell.source for cell in notebook.cells
            if cell.cell_type == "code" and not graded(cell).get("grade")]


def names_of(module: Path) -> frozenset[str]:
    """The notebook's names that a module of claims, or its package, uses: `notebook.trained`."""
    return frozenset(
        node.attr for path in (module, module.parent / "__init__.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        and node.value.id == NOTEBOOK)


def needed(cells: list[str], names: frozenset[str]) -> list[str]:
    """The parts of the cells that these names rest on, in order.

    A name that several parts bind is the last one's, for a claim; for a part it is that of the
    nearest one above it. What none binds is left to whoever asks for it.
    """
    parts = [(number, part) for number, cell in enumerate(cells) for part in _parts(cell)]
    wanted: set[int] = set()
    left = [(len(parts), name) for name in names]
    while left:
        before, name = left.pop()
        for number in _makers(parts, before, name):
            if number not in wanted:
                wanted.add(number)
                left += [(number, used) for used in _names(parts[number][1]).used]
    return [parts[number][1] for number in sorted(wanted)]


def _makers(parts: list[tuple[int, str]], before: int, name: str) -> list[int]:
    """The part that binds a name, and what follows in its cell and may fill what was assigned."""
    binders = [number for number, (_, part) in enumerate(parts) if name in _names(part).bound]
    above = [number for number in binders if number < before] or binders
    if not above:
        return []
    maker, (cell, source) = above[-1], parts[above[-1]]
    if name not in _names(source).assigned:
        return [maker]
    return [maker, *(number for number, (other, part) in enumerate(parts)
                     if other == cell and number > maker and name in _names(part).used)]


def _parts(cell: str) -> list[str]:
    """Each `with` block alone, and what stands between them; their lines keep their numbers."""
    tree = tree_of(cell)
    if tree is None:
        return [cell]
    lines, cuts = cell.splitlines(), {0}
    for each in tree.body:
        if isinstance(each, ast.With):
            cuts |= {each.lineno - 1, each.end_lineno or 0}
    found = ["\n" * begin + "\n".join(lines[begin:end])
             for begin, end in pairwise([*sorted(cuts), len(lines)])
             if any(line.strip() for line in lines[begin:end])]
    return found if len(found) > 1 else [cell]


class _Names(NamedTuple):
    """What a part of a cell has to do with names, at its top level."""

    bound: frozenset[str]
    assigned: frozenset[str]  # of these, those that are no functions, classes or imports
    used: frozenset[str]  # from outside


@functools.cache
def _names(source: str) -> _Names:
    tree = tree_of(source)
    if tree is None:
        return _Names(frozenset(), frozenset(), frozenset())
    top = symtable.symtable(ast.unparse(tree), "<cell>", "exec")
    bound = frozenset(each.get_name() for each in top.get_symbols()
                      if each.is_assigned() or each.is_imported() or each.is_namespace())
    assigned = frozenset(each.get_name() for each in top.get_symbols()
                         if each.is_assigned() and not each.is_namespace())
    # the first line at which a name is read, and bound
    at: dict[type, dict[str, int]] = {ast.Load: {}, ast.Store: {}}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and type(node.ctx) in at:
            lines = at[type(node.ctx)]
            lines[node.id] = min(node.lineno, lines.get(node.id, node.lineno))
    read, made = at[ast.Load], at[ast.Store]
    used = {name for name in (each.get_name() for each in top.get_symbols() if each.is_referenced())
            if name not in bound or read.get(name, 0) <= made.get(name, 0)}
    used |= {node.target.id for statement in tree.body if not isinstance(statement, DEFINITIONS)
             for node in ast.walk(statement)
             if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)}
    tables = top.get_children()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        used |= {each.get_name() for each in table.get_symbols()
                 if each.is_referenced() and each.is_global() and each.get_name() not in bound}
    return _Names(bound, assigned, frozenset(used))
