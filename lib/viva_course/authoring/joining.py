"""A stub put at the end of a module that is there: its imports above, its code below."""

import ast


def joined(module: str, stub: str) -> str:
    """The text of a module followed by that of a stub, and the imports that it lacked.

    The stub's docstring is left out: the module has one.
    """
    imports, code = _parts(stub)
    there = _bound(ast.parse(module))
    missing = [ast.unparse(node) for node in imports if not _names(node) <= there]
    lines = module.rstrip("\n").split("\n")
    head = _head(ast.parse(module))
    lines[head:head] = missing if there or not missing else ["", *missing]
    return "\n".join(lines) + "\n\n\n" + code


def _parts(stub: str) -> tuple[list[ast.Import | ast.ImportFrom], str]:
    """(the imports of a stub, its text after them)."""
    tree = ast.parse(stub)
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return imports, "\n".join(stub.split("\n")[_head(tree):]).lstrip("\n")


def _head(tree: ast.Module) -> int:
    """How many lines the docstring and the imports of a module take."""
    head = 0
    for node in tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and not isinstance(node, ast.Import | ast.ImportFrom):
            break
        head = node.end_lineno or head
    return head


def _names(node: ast.Import | ast.ImportFrom) -> set[str]:
    return {alias.asname or alias.name for alias in node.names}


def _bound(tree: ast.Module) -> set[str]:
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return set().union(*map(_names, imports)) if imports else set()
