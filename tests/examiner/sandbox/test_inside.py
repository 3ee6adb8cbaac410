"""What is mounted in the cage: a student can read it and everything it imports."""

import ast

from repository import ROOT

INSIDE = ROOT / "lib/viva_examiner/sandbox/inside"


def test_it_imports_nothing_of_ours_but_itself_and_two_modules_of_the_kit():
    """The codec, and what sees which routines run: both import nothing of ours themselves."""
    for path in sorted(INSIDE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path.name} imports relatively"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            ours = [name for name in names if name.startswith("viva")]
            allowed = ("viva_examiner.sandbox.inside", "viva.plain", "viva.routines")
            assert all(name.startswith(allowed) for name in ours), f"{path.name} imports {ours}"


def test_the_folders_above_it_import_nothing():
    for folder in INSIDE.parents[:2]:
        body = ast.parse((folder / "__init__.py").read_text()).body
        assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in body)
