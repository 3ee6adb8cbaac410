"""Faults of a generated notebook: what survived of the answers, and what does not run."""
import ast
import re
from collections.abc import Iterator

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from viva_examiner.notebook import claim_marks
from viva_examiner.notebook.markers import HIDDEN_TESTS, LOOKS_LIKE_ONE, SOLUTION, regions
from viva_examiner.notebook.metadata import graded
from viva_examiner.release.problems import Problem, where
from viva_examiner.release.source_faults import kept_state, widget_state

STAFF = re.compile(r"\bviva_(course|examiner)\b")
TEXT_STUB = "YOUR ANSWER HERE"
SHARED_TAG = "shares-solution"
# Characters, blanks not counted. Shorter lines say nothing by themselves; a line of code below
# INSIDE counts only as a whole line, above it also inside another line or in prose.
CODE_LINE, PROSE_LINE, INSIDE = 8, 24, 12
# Lines that any two cells may have in common without giving anything away.
COMMONPLACE = re.compile(r"""
    (import|from)\s.* | (def|class)\s.* | return\s+\w+(,\s*\w+)* | raise\s+NotImplementedError.*
    | [\w,\s*()]+=\s*[\w.\[\]]+\.(shape|size|dtype)(\(\))?(\[[-\d:]+\])?
    | \w+\s*=\s*(np|numpy|torch)\.(random\.default_rng|Generator)\(\w*\)
    | (torch\.manual_seed|np\.random\.seed)\(\w+\) | (fig\b|ax\b|axes\b|plt\.).*
    | (for|while|if|elif|with|else)\b.*: | @\w[\w.]* | \#+\s*[-=]* | ["']{3}.*
""", re.VERBOSE)


def problems_of_released(source: NotebookNode, released: NotebookNode) -> Iterator[Problem]:
    """Everything about the generated notebook that leaks an answer or breaks a student's run."""
    secrets = list(secret_lines(source))
    for index, cell in enumerate(released.cells):
        place = where(index, cell)
        yield from kept_state(place, cell)
        yield from _markers(place, cell)
        yield from _survivors(place, cell, secrets)
        if cell.cell_type == "code":
            yield from _code(place, cell)
        elif graded(cell).get("solution") and cell.source != TEXT_STUB:
            yield Problem(place, "keeps a part of the model answer or its rubric",
                          "take the markers out of the cell: nbgrader then replaces all of it")
    yield from widget_state(released)


def secret_lines(source: NotebookNode) -> Iterator[tuple[str, str, str]]:
    """(squeezed line, the line, where it comes from) of all that students must not see."""
    for index, cell in enumerate(source.cells):
        info, lines = graded(cell), []
        if info.get("solution"):
            public, secret, _ = regions(cell.source, SOLUTION)
            marked = len(public) < len(cell.source.split("\n"))
            lines += secret if marked else public
        if info.get("grade"):
            lines += regions(cell.source, HIDDEN_TESTS)[1]
        shortest = CODE_LINE if cell.cell_type == "code" else PROSE_LINE
        for line in map(str.strip, lines):
            bare = line if line.startswith("#") else line.split("  #")[0]
            small = len(squeeze(bare)) < shortest or squeeze(bare) == squeeze(TEXT_STUB)
            if not small and not (cell.cell_type == "code" and COMMONPLACE.fullmatch(bare)):
                yield squeeze(bare), line, where(index, cell)


def squeeze(text: str) -> str:
    """The text without blanks, so that spacing hides nothing."""
    return re.sub(r"\s+", "", text)


def _markers(place: str, cell: NotebookNode) -> Iterator[Problem]:
    for line in cell.source.split("\n"):
        if LOOKS_LIKE_ONE.search(line):
            yield Problem(place, f"keeps a marker: {line.strip()}",
                          "write markers as ### BEGIN SOLUTION or ### BEGIN HIDDEN TESTS, with END")
        if found := claim_marks.LOOKS_LIKE_ONE.search(line):
            yield Problem(place, f"keeps the mark of a claim: {found[0]}", "write it as <!-- "
                          "claim: id --> and <!-- /claim -->, in a Markdown cell")


def _survivors(place: str, cell: NotebookNode,
               secrets: list[tuple[str, str, str]]) -> Iterator[Problem]:
    if SHARED_TAG in cell.metadata.get("tags", []):
        return
    text, lines = squeeze(cell.source), set(map(squeeze, cell.source.split("\n")))
    for squeezed, line, origin in secrets:
        if squeezed in (text if len(squeezed) >= INSIDE else lines):
            yield Problem(place, f"shows a line of the solution of {origin}: {line}",
                          "put it inside the markers or word it differently; if it may be seen, "
                          f"tag the cell {SHARED_TAG}")


def _code(place: str, cell: NotebookNode) -> Iterator[Problem]:
    staff = STAFF.search(cell.source)
    if staff:
        yield Problem(place, f"mentions {staff.group()}, which students do not have",
                      "move the line between ### BEGIN HIDDEN TESTS and ### END HIDDEN TESTS")
    try:
        code = TransformerManager().transform_cell(cell.source)
        compile(code, place, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        yield Problem(place, f"does not parse without its solution: {error}",
                      "put the markers around whole statements inside the body of the function")
        return
    if graded(cell).get("solution"):
        for line in lines_after_stub(ast.parse(code)):
            yield Problem(place, f"line {line} comes after the stub and is a part of the solution",
                          "move ### END SOLUTION to the end of the function")


def lines_after_stub(tree: ast.AST) -> Iterator[int]:
    """Line numbers of statements that follow a `raise NotImplementedError` in the same block."""
    for node in ast.walk(tree):
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(node, block, None)
            if not isinstance(statements, list) or isinstance(node, ast.Module):
                continue
            stubs = [i for i, each in enumerate(statements) if _is_stub(each)]
            if stubs and stubs[0] + 1 < len(statements):
                yield statements[stubs[0] + 1].lineno


def _is_stub(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Raise) and statement.exc is not None and (
        "NotImplementedError" in ast.unparse(statement.exc))
