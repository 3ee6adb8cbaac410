"""The kit's modules import each other in one direction."""

import ast
from pathlib import Path

import viva

KIT = Path(viva.__file__).parent
CORE = {path.stem: ast.parse(path.read_text()) for path in KIT.glob("*.py")
        if path.stem not in ("__init__", "warming")}  # warming imports all, when it is called


def imported(tree):
    """The kit's own modules that a module imports, at its top or in a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "viva":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("viva."):
            yield node.module.split(".")[1]


def test_there_is_no_cycle():
    left = {name: set(imported(tree)) & set(CORE) for name, tree in CORE.items()}
    while left:
        free = [name for name, needs in left.items() if not needs & set(left)]
        assert free, f"a cycle among {sorted(left)}"
        for name in free:
            del left[name]
