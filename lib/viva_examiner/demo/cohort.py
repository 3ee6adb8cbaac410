"""Make submissions from a released notebook: solutions filled in, a known mistake, a crash..."""

import ast
import inspect
import textwrap

import nbformat

from viva_examiner.notebook.cells import names_bound, names_used
from viva_examiner.notebook.metadata import grade_id, has_role, is_test

CRASH = "import ctypes\nctypes.string_at(0)  # a null pointer: the process dies"
CHEAT = textwrap.dedent('''
    # Make every comparison true, then every assertion vanish.
    import ast, builtins, numpy as np
    np.allclose = np.array_equal = lambda *a, **k: True
    builtins.AssertionError = type("Calm", (Exception,), {})
    class NoAsserts(ast.NodeTransformer):
        def visit_Assert(self, node):
            return ast.Pass()
    get_ipython().ast_transformers.append(NoAsserts())
    import viva_course
''').strip()


def solutions(source) -> dict[str, str]:
    """{grade_id: code or text} of the solution cells of the staff's notebook."""
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in source.cells
        if has_role(cell, "solution")
    }


def filled(released, answers: dict[str, str]):
    """A copy of a released notebook with these answers in its solution cells."""
    notebook = nbformat.from_dict(released)
    for cell in notebook.cells:
        name = grade_id(cell)
        if name in answers:
            cell.source = answers[name]
    return notebook


def with_first_cell(released, code: str):
    """A copy of a released notebook with code of the student's own before everything."""
    notebook = nbformat.from_dict(released)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(code, id="my-own-cell"))
    return notebook


def mistake_code(source, exercise, mistake) -> str:
    """The solution cell of an exercise with one function replaced by a known mistake.

    Empty if the mistake needs names that a student's notebook does not have.
    """
    wrong = next(
        new for new, old in zip(mistake.candidates, exercise.reference, strict=True)
        if new is not old
    )
    definition = definition_of(wrong)
    if definition is None:
        return ""
    definition.decorator_list = []
    code = ast.unparse(definition)
    place = next(n for n, cell in enumerate(source.cells) if grade_id(cell) == exercise.name)
    known = set().union(*(names_bound(cell.source) for cell in source.cells[: place + 1]
                          if cell.cell_type == "code"))
    if names_used(code) - known - names_bound(code) - _arguments(definition):
        return ""
    return replace_definition(solutions(source)[exercise.name], code)


def definition_of(candidate) -> ast.FunctionDef | ast.ClassDef | None:
    """The syntax of a function or class, found by its line: an exam has many of one name."""
    own = [candidate] if inspect.isfunction(candidate) else vars(candidate).values()
    lines = [f.__code__.co_firstlineno for f in own if inspect.isfunction(f)]
    if not lines:
        return None
    for node in ast.walk(ast.parse(inspect.getsource(inspect.getmodule(candidate)))):
        is_kind = isinstance(node, ast.FunctionDef | ast.ClassDef)
        if is_kind and node.name == candidate.__name__:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= min(lines) <= node.end_lineno:
                return node
    return None


def replace_definition(cell: str, code: str) -> str:
    """A cell's text with its definition of the same name replaced."""
    name = ast.parse(code).body[0].name
    lines = cell.splitlines()
    for node in ast.parse(cell).body:
        if getattr(node, "name", "") == name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
            return "\n".join([*lines[:first], *code.splitlines(), *lines[node.end_lineno :]])
    return f"{cell}\n\n{code}"


def _arguments(definition) -> set[str]:
    return {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}


def tests_of(notebook) -> dict[str, float]:
    """{grade_id: points} of a notebook's test cells."""
    return {
        cell.metadata.nbgrader.grade_id: float(cell.metadata.nbgrader.points)
        for cell in notebook.cells if is_test(cell)
    }
