"""Which exercises a cell checks or examines: read off its syntax, nothing is run."""

import ast

from viva_examiner.notebook.cells import tree_of


def exercises_called(source: str, function: str) -> list[tuple[str, tuple[str, ...]]]:
    """[(exercise, names of the candidates)] of the calls of `check` or `examine` in a cell."""
    found = []
    for node in ast.walk(tree_of(source) or ast.Module([], [])):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        first, *rest = node.args
        if called == function and isinstance(first, ast.Constant):
            found.append((str(first.value), tuple(ast.unparse(each) for each in rest)))
    return found
