"""Signs of attempts to cheat, for a human to judge: what the examiner noted, what code tries.

None of it changes a mark: the examiner's marks do not depend on anything these attempts reach.
"""

import ast

from viva_examiner.notebook.cells import imports_in, tree_of
from viva_examiner.report.sheets import Sheet

ODD_MODULES = {
    "ctypes": "calls into C", "gc": "walks the interpreter's objects", "inspect": "reads code",
    "socket": "opens connections", "subprocess": "starts programs", "builtins": "changes builtins",
    "importlib": "imports by name", "sys": "reaches into the interpreter",
    "nbgrader": "uses the grader", "viva_course": "looks for the staff's library",
    "viva_examiner": "looks for the examiner",
}
MAX_SIGNS = 20  # of one student
LOG = "the submitted log"  # how remarks about a log begin


def log_mismatches(sheets: list[Sheet]) -> list[tuple[str, str]]:
    """(student, remark) about logs that do not fit the notebook."""
    return [(s.student, remark) for s in sheets for remark in s.remarks if remark.startswith(LOG)]


def noted(sheets: list[Sheet]) -> list[tuple[str, str]]:
    """(student, remark) of everything else that the examiner noted."""
    return [(s.student, remark) for s in sheets for remark in s.remarks
            if not remark.startswith(LOG)]


def attempts(sheets: list[Sheet], given: list[str]) -> list[tuple[str, str]]:
    """(student, what their code tries). `given`: the staff's own cells, which may do so."""
    usual, known = {sign for source in given for sign in signs(source)}, set(given)
    found = []
    for sheet in sheets:
        own = [cell.source for cell in sheet.cells if cell.solution or not cell.grade_id]
        seen = [sign for source in own if source not in known
                for sign in signs(source) if sign not in usual]
        found += [(sheet.student, what) for what in list(dict.fromkeys(seen))[:MAX_SIGNS]]
    return found


def signs(source: str) -> list[str]:
    """What a cell does that an honest solution has no reason to do."""
    tree = tree_of(source)
    if tree is None:
        return []
    imported = imports_in(source)
    tops = dict.fromkeys(module.split(".")[0] for module, _ in imported.values())
    found = [f"imports {top}: {ODD_MODULES[top]}" for top in tops if top in ODD_MODULES]
    libraries = set(imported) | {"np", "torch", "viva", "check"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            for target in targets:
                if isinstance(target, ast.Attribute) and _root(target) in libraries:
                    found.append(f"replaces {_dotted(target)}")
        elif isinstance(node, ast.Call) and _root(node.func) in ("get_ipython", "exec", "eval"):
            found.append(f"calls {_root(node.func)}")
        elif isinstance(node, ast.ClassDef):
            own = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            if own & {"__eq__", "__ne__", "__le__", "__array_ufunc__", "__array_function__"}:
                found.append(f"class {node.name} defines its own comparisons")
    return list(dict.fromkeys(found))


def _dotted(node) -> str:
    """The end of an attribute's name; code may nest deeper than a recursion goes."""
    parts = []
    while isinstance(node, ast.Attribute) and len(parts) < 5:
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "…")
    return ".".join(reversed(parts))


def _root(node) -> str:
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
