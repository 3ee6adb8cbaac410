"""What a test looks at that only one process would show: read off its text.

Here a test and the student's code live in two processes, and values are copied between them. Where
a test replaces functions, looks at the state of the process, asks whether two objects are the same,
or changes a value that the student's code may hold too, the answer here may be kinder than in one
kernel. Such a test is run the stock way as well, and a difference is left to a person.
"""

import ast
import builtins
import re
from collections.abc import Collection, Iterator
from typing import Any

from viva_examiner.notebook.cells import imports_in, tree_of

REPLACED = "the test replaces functions to watch the student's code"
STATE = "the test looks at the state of the process that the student's code runs in"
SAME = "the test asks whether two objects are the same one"
KEPT = "the test changes a value that the student's code may still hold"

USUAL = frozenset("np numpy pd torch math random time builtins os plt sys".split())
REPLACES = re.compile(r"\b(?:patch|monkeypatch)\b|\bsetattr\(|\bset_trace\b|\bsettrace\(|"
                      r"\bsys\.modules\b|\bvars\(|\b__dict__\b")
LOOKS = re.compile(
    r"\b(?:errstate|seterr|setrecursionlimit|setprofile|tracemalloc|environ|getenv|getcwd|"
    r"get_state|getstate|get_printoptions|get_option|get_fignums|threading|getrefcount|"
    r"getcontext|rcParams|get_default_dtype|is_grad_enabled|get_num_threads|gc|"
    r"warns|assertWarns\w*)\b|record *= *True|filter(?:warnings)?\(\s*[\"'](?:error|always)")
COMPARES = re.compile(r"\bid\(|\b(?:shares_memory|may_share_memory|assertIs|assertIsNot)\b|"
                      r"\.base\b|\bdata_ptr\b")
CHANGES = frozenset("append extend insert pop remove sort reverse clear update add discard fill "
                    "setdefault popitem appendleft popleft resize itemset put zero_ fill_ add_ "
                    "sub_ mul_ div_ copy_ drop_duplicates setflags".split())
OURS = frozenset(dir(builtins)) | USUAL


def one_kernel_shows(source: str) -> frozenset[str]:
    """Sentences about what a test would see in one kernel and does not see here; usually none."""
    tree = tree_of(source)
    found = {REPLACED: bool(REPLACES.search(source)), STATE: bool(LOOKS.search(source)),
             SAME: bool(COMPARES.search(source))}
    if tree is not None:
        found[REPLACED] |= _replaces(tree, source)
        found[SAME] |= any(map(_asks_for_the_same, ast.walk(tree)))
        found[KEPT] = _changes_what_is_shared(tree, source)
    return frozenset(why for why, seen in found.items() if seen)


def _replaces(tree: ast.AST, source: str) -> bool:
    """Whether functions of the test's own are put where the student's code finds a library's."""
    modules = {name for name, (_, attribute) in imports_in(source).items() if not attribute}
    stored = [node.value for node in ast.walk(tree)
              if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del)]
    return any(isinstance(base, ast.Name) and (base.id in modules or base.id in USUAL)
               for base in stored)


def _asks_for_the_same(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    return any(isinstance(how, ast.Is | ast.IsNot) for how in node.ops) and all(
        isinstance(side, ast.Name | ast.Subscript | ast.Call | ast.Attribute)
        and not (isinstance(side, ast.Call) and _root(side.func) == "type") for side in sides)


def _changes_what_is_shared(tree: ast.AST, source: str) -> bool:
    """Whether a name that went into a call of the student's code, or came from one, is changed
    further down.
    """
    own = OURS | imports_in(source).keys() | {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    shared: dict[str, int] = {}  # name -> the first line on which it is
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for name in _names_of(node, own):
            shared[name] = min(line, shared.get(name, line))
    return any(line >= shared.get(name, line + 1) for name, line in _changed(tree))


def _names_of(node: Any, own: Collection[str]) -> set[str]:
    """The names that come from a call of the student's code here, or go into one."""
    if isinstance(node, ast.Assign) and any(_is_theirs(part, own) for part in ast.walk(node.value)):
        parts = [part for target in node.targets for part in ast.walk(target)]
    elif _is_theirs(node, own):
        inputs = [*node.args, *(each.value for each in node.keywords)]
        parts = [part for each in inputs for part in ast.walk(each)]
    else:
        return set()
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _is_theirs(node: ast.AST, own: Collection[str]) -> bool:
    """Whether this is a call of something that the test does not know as its own."""
    return isinstance(node, ast.Call) and _root(node.func) not in own and not (
        isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES)


def _changed(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """(name, line) of every place at which the value of a name is changed."""
    for node in ast.walk(tree):
        place: ast.AST
        if isinstance(node, ast.AugAssign):
            place = node.target
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(
                node.ctx, ast.Store | ast.Del):
            place = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (
                node.func.attr in CHANGES):
            place = node.func.value
        else:
            continue
        yield _root(place), node.lineno


def _root(node: ast.AST) -> str:
    """The name with which a chain of attributes, items and calls begins; "" if with none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
