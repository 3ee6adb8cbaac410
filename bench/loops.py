"""Tests of public nbgrader courses that call a student's function in a loop, and how often.

    python bench/loops.py DIR…

DIR: folders with instructor notebooks (as `source/` of a course). Nothing of them is run.
"""

import argparse
import ast
from pathlib import Path

import nbformat
from adopters import notebooks_of

from viva_examiner.adopt import both_ways, loops
from viva_examiner.notebook.cells import tree_of
from viva_examiner.notebook.metadata import is_test

REPEATS = (*loops.LOOPS, *loops.COMPREHENSIONS, ast.While)


def called(node: ast.AST, names: set[str]) -> set[str]:
    """The functions of the student's that are called below a node."""
    return names & {each.func.id for each in ast.walk(node)
                    if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    tests = repeats = often = 0
    for path in [p for folder in parser.parse_args().folders for p in notebooks_of(folder)]:
        notebook = both_ways.upgrade(nbformat.read(path, as_version=4))
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        names = loops.defined(cell.source for cell in code if not is_test(cell))
        for cell in filter(is_test, code):
            tests += 1
            tree = tree_of(cell.source)
            for node in ast.walk(tree) if tree is not None else ():
                if isinstance(node, REPEATS) and (found := called(node, names)):
                    repeats += 1
                    print(f"{path.name} {cell.metadata.nbgrader.grade_id}: {', '.join(found)} in "
                          f"`{ast.unparse(node).splitlines()[0][:80]}`")
            often += bool(loops.asks_often(cell.source, names))
    print(f"\n{tests} tests, {repeats} loops around a function of a student, {often} tests that "
          f"call one {loops.MANY:,} times or more as far as their text tells")


if __name__ == "__main__":
    main()
