"""What a human may want to read: what the examiner noted, code that reaches beyond its exercise.

A sign says what the code does, not why: most of it has an innocent reason. What honest code does
every day (`import sys`, `sys.exit()`, a setting of a library) is no sign. None of it changes a
mark: the examiner's marks do not depend on anything that such code reaches.
"""

import ast
from collections.abc import Iterator

from viva_examiner.notebook.cells import imports_in, tree_of
from viva_examiner.records import Kind
from viva_examiner.report.sheets import Sheet

MODULES = {  # of no use in an exercise
    "ctypes": "calls into C", "socket": "opens connections", "subprocess": "starts programs",
    "nbgrader": "uses the grader", "viva_course": "looks for the staff's library",
    "viva_examiner": "looks for the examiner",
}
USES = {  # of a module that honest code imports as well: how the name ends, and what that does
    "sys.modules": "changes or reads loaded modules", "sys.settrace": "traces what runs",
    "sys.setprofile": "traces what runs", "sys._getframe": "looks at its callers",
    "gc.get_objects": "walks the interpreter's objects",
    "gc.get_referrers": "walks the interpreter's objects",
    "inspect.stack": "looks at its callers", "inspect.currentframe": "looks at its callers",
    "get_ipython.input_transformers_cleanup": "changes cells before they run",
    "get_ipython.input_transformers_post": "changes cells before they run",
    "get_ipython.ast_transformers": "changes cells before they run",
    "get_ipython.run_cell": "runs cells itself", "get_ipython.events": "hooks into the notebook",
    "get_ipython.set_custom_exc": "changes what happens after an error",
}
MAX_SIGNS = 20  # of one student


def log_mismatches(sheets: list[Sheet]) -> list[tuple[str, str]]:
    """(student, remark) about logs that do not fit the notebook."""
    return [(s.student, remark.text) for s in sheets for remark in s.remarks
            if remark.kind == Kind.LOG]


def noted(sheets: list[Sheet]) -> list[tuple[str, str]]:
    """(student, remark) of everything else that the examiner noted."""
    return [(s.student, remark.text) for s in sheets for remark in s.remarks
            if remark.kind != Kind.LOG]


def beyond(sheets: list[Sheet], given: list[str]) -> list[tuple[str, str]]:
    """(student, what their code does). `given`: the staff's own cells, which may do so."""
    usual, known = {sign for source in given for sign in signs(source)}, set(given)
    found = []
    for sheet in sheets:
        own = [cell.source for cell in sheet.cells if cell.solution or not cell.grade_id]
        seen = [sign for source in own if source not in known
                for sign in signs(source) if sign not in usual]
        found += [(sheet.student, what) for what in list(dict.fromkeys(seen))[:MAX_SIGNS]]
    return found


def signs(source: str) -> list[str]:
    """What a cell does that its exercise gives no reason for."""
    tree = tree_of(source)
    if tree is None:
        return []
    imported = imports_in(source)
    tops = dict.fromkeys(module.split(".")[0] for module, _ in imported.values())
    found = [f"imports {top}: {MODULES[top]}" for top in tops if top in MODULES]
    libraries = set(imported) | {"np", "torch", "viva", "check"}
    for node in ast.walk(tree):
        found += _signs_of(node, libraries)
    return list(dict.fromkeys(found))


def _signs_of(node: ast.AST, libraries: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
        targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
        setting = isinstance(getattr(node, "value", None), ast.Constant)  # not another function
        for target in targets:
            if isinstance(target, ast.Attribute) and _root(target) in libraries and not setting:
                yield f"replaces {_dotted(target)}"
    elif isinstance(node, ast.Attribute):
        name = f"{_root(node.value)}.{node.attr}"
        if name in USES:
            yield f"uses {name}: {USES[name]}"
    elif isinstance(node, ast.Call) and _root(node.func) in ("exec", "eval"):
        yield f"calls {_root(node.func)}"
    elif isinstance(node, ast.ClassDef):
        own = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
        if own.keys() & {"__array_ufunc__", "__array_function__"}:
            yield f"class {node.name} answers numpy's functions itself"
        if any(_always_true(own[name]) for name in own.keys() & {"__eq__", "__le__", "__lt__"}):
            yield f"class {node.name} agrees with every comparison"


def _always_true(function: ast.FunctionDef) -> bool:
    last = function.body[-1]
    return len(function.body) == 1 and isinstance(last, ast.Return) and isinstance(
        last.value, ast.Constant) and bool(last.value.value)


def _dotted(node: ast.AST) -> str:
    """The end of an attribute's name; code may nest deeper than a recursion goes."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < 5:
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "…")
    return ".".join(reversed(parts))


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
