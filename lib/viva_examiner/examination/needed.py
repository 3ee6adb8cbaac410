"""Which cells of a submission decide no mark, and may be left out when only marks are wanted.

A cell may be left out if it is one of the cells that staff released, character for character, and
if nothing that runs could notice: it binds no name that a running cell uses, changes no global
state, and shares no changeable data with a running cell. What a student wrote or changed always
runs. So the decision rests on staff's own text and never on what a cell says about itself. Where a
running cell looks names up at run time, it cannot be known what it needs, and every cell runs.
"""

import ast
import functools
import re
import symtable
from collections.abc import Iterable, Iterator

from nbformat import NotebookNode

from viva_examiner.notebook.cells import imports_in, names_bound, names_used, tree_of
from viva_examiner.notebook.metadata import is_test

# Calls and settings that reach further than their cell; a cell that has one of them runs.
STATEFUL = re.compile(r"(?<![.\w])(?:begin|globals|exec|eval|setattr|delattr|get_ipython)\(|"
                      r"\b(?:set_default_\w+|seterr|rcParams|environ|chdir|reload)\b")
# Ways to a name that no parser sees.
LOOKS_UP = re.compile(
    r"(?<![.\w])(?:globals|locals|vars|eval|exec|get_ipython|__import__|dir)\(|\b__(?:main|globals|"
    r"dict|builtins)__\b|\b(?:import_module|_getframe|currentframe|user_ns|attrgetter)\b|"
    r"\bsys\.modules\b")
MAGIC = re.compile(r"^[^\S\n]*[%!?]", re.M)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def left_out(cells: list[NotebookNode], ordinary: Iterable[str]) -> frozenset[int]:
    """Numbers of the cells that no mark depends on.

    cells: of a restored submission
    ordinary: sources of the code cells that staff released and that are not graded
    """
    known = frozenset(ordinary)
    may = {number for number, cell in enumerate(cells)
           if cell.cell_type == "code" and "nbgrader" not in cell.metadata
           and cell.source in known and _is_contained(cell.source)}
    code = {number: cell.source for number, cell in enumerate(cells) if cell.cell_type == "code"}
    while True:
        runs = {number: source for number, source in code.items() if number not in may}
        if any(map(LOOKS_UP.search, runs.values())):
            return frozenset()
        used = frozenset().union(*map(_globals_used, runs.values()))
        data = frozenset().union(*(_data_of(source) for source in runs.values()))
        needed = {number for number in may
                  if _bound(code[number]) & used or _globals_used(code[number]) & data}
        if not needed:
            return frozenset(may)
        may -= needed


def still_known(known: dict, cells: list[NotebookNode]) -> dict:
    """The known marks of those tests that bind nothing for a test that has to be asked again.

    Imports do not count: those are the instructor's.
    """
    found = dict(known)
    needed: set[str] = set()
    for cell in reversed([cell for cell in cells if is_test(cell)]):
        name, source = cell.metadata.nbgrader.grade_id, cell.source
        if name in found and (names_bound(source) - imports_in(source).keys()) & needed:
            del found[name]
        if name not in found:
            needed |= names_used(source)
    return found


def _is_contained(source: str) -> bool:
    """Whether a cell's effects end with it, names that it binds aside."""
    tree = tree_of(source)
    if tree is None or MAGIC.search(source) or STATEFUL.search(source):
        return False
    own = _bound(source) | _names_stored(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Global | ast.Nonlocal | ast.Import | ast.ImportFrom):
            return False
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store
                                                                          | ast.Del):
            base: ast.expr = node
            while isinstance(base, ast.Attribute | ast.Subscript):
                base = base.value
            if isinstance(base, ast.Name) and base.id not in own:
                return False  # it writes into something of another cell
    return True


@functools.lru_cache(maxsize=1024)
def _globals_used(source: str) -> frozenset[str]:
    """The global names that a cell reads, in its functions too; every name if nobody can know."""
    try:
        waiting, found = [symtable.symtable(source, "<cell>", "exec")], set()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return names_used(source) | frozenset(re.findall(r"\w+", source))
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        top = table.get_type() == "module"
        found |= {symbol.get_name() for symbol in table.get_symbols()
                  if symbol.is_referenced() and (top or symbol.is_global())}
    return frozenset(found)


def _names_stored(tree: ast.AST) -> frozenset[str]:
    """Every name that is assigned anywhere in a cell, in its functions too, and parameters."""
    nodes = list(ast.walk(tree))
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(names | {n.arg for n in nodes if isinstance(n, ast.arg)})


def _top_level(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that run with the cell itself: bodies of functions and classes are passed over."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp,
                                 ast.DictComp, ast.GeneratorExp)):
            waiting += ast.iter_child_nodes(node)


def _bound(source: str) -> frozenset[str]:
    """The global names that a cell binds."""
    tree, found = tree_of(source), set()
    for node in _top_level(tree) if tree is not None else ():
        if isinstance(node, DEFINITIONS):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return frozenset(found)


def _data_of(source: str) -> frozenset[str]:
    """Names of changeable data that a cell makes: anything assigned but constants."""
    tree, found = tree_of(source), set()
    for node in _top_level(tree) if tree is not None else ():
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            if _is_constant(node.value):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name.id for target in targets for name in ast.walk(target)
                      if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        elif isinstance(node, ast.For | ast.AsyncFor | ast.withitem | ast.NamedExpr
                        | ast.AugAssign):
            target = getattr(node, "target", None) or getattr(node, "optional_vars", None)
            found |= {name.id for name in ast.walk(target)
                      if isinstance(name, ast.Name)} if target is not None else set()
    return frozenset(found)


def _is_constant(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_constant, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _is_constant(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_constant(node.left) and _is_constant(node.right)
    return isinstance(node, ast.Constant)
