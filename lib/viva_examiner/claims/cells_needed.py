"""Which cells of a source notebook a claim rests on: those that make the names it uses.

A figure that nothing depends on is not drawn, so that the claims of a homework take seconds.
"""

import ast
import functools
import symtable
from pathlib import Path

from nbformat import NotebookNode

from viva_examiner.notebook.cells import tree_of
from viva_examiner.notebook.metadata import graded

NOTEBOOK = "notebook"  # what a claim's first argument is called


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
    """The cells that these names rest on, in order.

    A name that several cells bind is the last one's, for a claim; for a cell it is that of the
    nearest cell above it. What none binds is left to whoever asks for it.
    """
    wanted: set[int] = set()
    left = [(len(cells), name) for name in names]
    while left:
        before, name = left.pop()
        binders = [number for number, cell in enumerate(cells) if name in _names(cell)[0]]
        above = [number for number in binders if number < before] or binders
        if above and above[-1] not in wanted:
            wanted.add(above[-1])
            left += [(above[-1], used) for used in _names(cells[above[-1]])[1]]
    return [cells[number] for number in sorted(wanted)]


@functools.cache
def _names(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """(names that a cell binds at its top level, names that it needs from outside)."""
    tree = tree_of(source)
    if tree is None:
        return frozenset(), frozenset()
    top = symtable.symtable(ast.unparse(tree), "<cell>", "exec")
    bound = frozenset(each.get_name() for each in top.get_symbols()
                      if each.is_assigned() or each.is_imported() or each.is_namespace())
    # the first line at which a name is read, and bound
    at: dict[type, dict[str, int]] = {ast.Load: {}, ast.Store: {}}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and type(node.ctx) in at:
            lines = at[type(node.ctx)]
            lines[node.id] = min(node.lineno, lines.get(node.id, node.lineno))
    read, made = at[ast.Load], at[ast.Store]
    used = {name for name in (each.get_name() for each in top.get_symbols() if each.is_referenced())
            if name not in bound or read.get(name, 0) <= made.get(name, 0)}
    tables = top.get_children()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        used |= {each.get_name() for each in table.get_symbols()
                 if each.is_referenced() and each.is_global() and each.get_name() not in bound}
    return bound, frozenset(used)
