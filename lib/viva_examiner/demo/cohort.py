"""Make submissions from a released notebook: solutions filled in, a known mistake, a crash..."""

import ast
import inspect
import sys
import textwrap
from typing import Any

import nbformat
from nbformat import NotebookNode

from viva_examiner.library import Exercise, Mistake
from viva_examiner.notebook.cells import names_bound, names_used
from viva_examiner.notebook.claim_marks import without_claims
from viva_examiner.notebook.metadata import grade_id, has_role

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


def solutions(source: NotebookNode) -> dict[str, str]:
    """{grade_id: code or text} of the solution cells of the staff's notebook, as a student would
    write them: without the marks of claims, which are for release alone."""
    return {
        cell.metadata.nbgrader.grade_id: without_claims(cell.source)
        for cell in source.cells
        if has_role(cell, "solution")
    }


def filled(released: NotebookNode, answers: dict[str, str]) -> NotebookNode:
    """A copy of a released notebook with these answers in its solution cells."""
    notebook = nbformat.from_dict(released)
    for cell in notebook.cells:
        name = grade_id(cell)
        if name in answers:
            cell.source = answers[name]
    return notebook


def with_first_cell(released: NotebookNode, code: str) -> NotebookNode:
    """A copy of a released notebook with code of the student's own before everything."""
    notebook = nbformat.from_dict(released)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(code, id="my-own-cell"))
    return notebook


def mistake_code(source: NotebookNode, exercise: Exercise, mistake: Mistake) -> str:
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
    needed = names_used(code) - names_bound(code) - _arguments(definition)
    if (needed | _names_in_defaults(definition)) - known:
        return ""
    return replace_definition(solutions(source)[exercise.name], code)


def _names_in_defaults(definition: ast.FunctionDef | ast.ClassDef) -> set[str]:
    """What the defaults of arguments name: `least=least` takes a value of the exam along."""
    defaults = [each for node in ast.walk(definition) if isinstance(node, ast.arguments)
                for each in [*node.defaults, *node.kw_defaults] if each is not None]
    return {node.id for each in defaults for node in ast.walk(each) if isinstance(node, ast.Name)}


def definition_of(candidate: Any) -> ast.FunctionDef | ast.ClassDef | None:
    """The syntax of a function or class, found by its line: an exam has many of one name."""
    own = [candidate] if inspect.isfunction(candidate) else vars(candidate).values()
    lines = [f.__code__.co_firstlineno for f in own if inspect.isfunction(f)]
    if not lines:
        return None
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[candidate.__module__]))):
        if isinstance(node, ast.Lambda) and [node.lineno] == lines:
            value = ast.Return(node.body)
            return ast.fix_missing_locations(
                ast.FunctionDef(candidate.__name__, node.args, [value], []))
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        last = node.end_lineno or first
        if node.name == candidate.__name__ and first <= min(lines) <= last:
            return node
    return None


def replace_definition(cell: str, code: str) -> str:
    """A cell's text with its definition of the same name replaced."""
    name = getattr(ast.parse(code).body[0], "name", None)
    lines = cell.splitlines()
    for node in ast.parse(cell).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
            return "\n".join([*lines[:first], *code.splitlines(), *lines[node.end_lineno :]])
    return f"{cell}\n\n{code}"


def _arguments(definition: ast.AST) -> set[str]:
    return {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}
