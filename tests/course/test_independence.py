"""A mistake costs points where it is made and nowhere else: every solution stands on its own."""
import ast

import nbformat
import pytest

from repository import ROOT
from viva_course.rubric import exercises

HOMEWORKS = sorted(path.stem for path in ROOT.glob("source/*/*.ipynb"))


def bound(tree):
    """Names that a cell defines at its top level."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name.id for target in targets for name in ast.walk(target)
                        if isinstance(name, ast.Name))


def used(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def solution_cells(homework):
    """{grade_id: syntax tree} of the solution cells."""
    notebook = nbformat.read(ROOT / f"source/{homework}/{homework}.ipynb", as_version=4)
    cells = [(cell, cell.metadata.get("nbgrader", {})) for cell in notebook.cells]
    return {about["grade_id"]: ast.parse(cell.source) for cell, about in cells
            if cell.cell_type == "code" and about.get("solution")}


def cells_with_points(homework):
    """The grade_ids of the cells that carry points for code."""
    notebook = nbformat.read(ROOT / f"source/{homework}/{homework}.ipynb", as_version=4)
    found = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells
             if cell.cell_type == "code"]
    return {about["grade_id"] for about in found if about.get("grade") and about.get("points")}


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_no_solution_uses_what_another_one_defines(homework):
    trees = solution_cells(homework)
    owner = {name: cell for cell, tree in trees.items() for name in bound(tree)}
    leaning = [f"{cell} uses {name} of {owner[name]}" for cell, tree in trees.items()
               for name in sorted(used(tree)) if owner.get(name, cell) != cell]
    assert leaning == []


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_every_exercise_is_one_solution_cell_with_its_candidates(homework):
    """So the names that an examination is given are the cell's own.

    Other cells that a student fills in are decisions inside an experiment: nothing tests them.
    """
    trees, declared = solution_cells(homework), exercises(homework)
    assert set(declared) <= set(trees)
    tested = cells_with_points(homework)
    assert tested == {f"test_{name}" for name in declared}
    for name, exercise in declared.items():
        assert set(exercise.candidates) <= set(bound(trees[name])), name


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_an_examination_is_given_no_other_exercises_functions(homework):
    """The test cell names the candidates of its own exercise, in their order."""
    notebook = nbformat.read(ROOT / f"source/{homework}/{homework}.ipynb", as_version=4)
    declared, seen = exercises(homework), set()
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if cell.cell_type == "code" and grade_id.startswith("test_"):
            name = grade_id.removeprefix("test_")
            (call,) = [node for node in ast.walk(ast.parse(cell.source))
                       if isinstance(node, ast.Call)]
            assert [each.id for each in call.args[1:]] == list(declared[name].candidates)
            seen.add(name)
    assert seen == set(declared)
