"""For code that does not attack: the mark that stock nbgrader gives, or a flag; no silent zero.

Each pattern is an assignment of our own. Its right submission earns what stock gives, its wrong one
loses as in stock, its hostile one gains nothing, whoever's mark counts.
"""

import nbformat
import patterns_libraries
import patterns_names
import patterns_objects
import patterns_values
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade
from pattern import POINTS, Pattern, notebook

from viva_examiner.examination import second_opinion
from viva_examiner.examination.grade import grade
from viva_examiner.limits import Limits
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.released import released_from
from viva_examiner.records import Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

PATTERNS = [pattern for module in (patterns_names, patterns_values, patterns_objects,
                                   patterns_libraries) for pattern in module.PATTERNS]
LIMITS = Limits(cell_seconds=20, question_seconds=20, submission_seconds=60)
every_pattern = pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.name)


@pytest.fixture(scope="module")
def warm():
    preload = ("numpy", "pandas", "sympy", "matplotlib.pyplot", "IPython", "viva")
    with WarmInterpreter(preload, LIMITS) as warm:
        yield warm


@pytest.fixture
def examined(warm, tmp_path):
    """A function that gives the scores of a submission, by test."""
    def scores(pattern: Pattern, solution: str, whose: str) -> list[float | None]:
        for name, text in pattern.files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        released = released_from(notebook(pattern.cells(pattern.right)), "hw", "hw",
                                 folder=str(tmp_path), second_opinion=whose)
        handed_in = nbformat.writes(notebook(pattern.cells(solution))).encode()
        files = {name: text.encode() for name, text in pattern.handed_in.items()}
        graded = grade(warm, released, Work(handed_in, files, student="ada"), LIMITS)
        return [mark.score for mark in graded.marks.values()]
    return scores


def stock(warm, pattern: Pattern, solution: str) -> list[float]:
    """What stock nbgrader gives; that this is so, the last test asks nbgrader itself."""
    cells = notebook(pattern.cells(solution)).cells
    tests = [cell.metadata.nbgrader.grade_id for cell in cells if is_test(cell)]
    files = {name: text.encode() for name, text in (pattern.handed_in | pattern.files).items()}
    found = second_opinion.stock_marks(warm, LIMITS, "ada", files, cells, set(tests), 60)
    return [found[name] for name in tests]


@every_pattern
def test_right_is_as_in_stock(examined, warm, pattern):
    wanted = stock(warm, pattern, pattern.right)
    assert wanted == [POINTS] * len(pattern.tests)
    scores = examined(pattern, pattern.right, "open")
    if pattern.flagged:
        assert None in scores and 0.0 not in scores
    else:
        assert scores == pytest.approx(wanted)


@every_pattern
def test_wrong_loses_as_in_stock(examined, warm, pattern):
    wanted = stock(warm, pattern, pattern.wrong)
    assert min(wanted) < POINTS
    scores = examined(pattern, pattern.wrong, "examiner")
    assert all(ours is None or ours <= theirs + 0.01 for ours, theirs in
               zip(scores, wanted, strict=True)), (scores, wanted)
    if not pattern.flagged:
        assert scores == pytest.approx(wanted, abs=0.01)


@every_pattern
def test_hostile_gains_nothing(examined, pattern):
    """Whoever's mark counts, short of stock's own: no test that deserves none gives a point."""
    honest = examined(pattern, pattern.wrong, "examiner")
    for whose in ("examiner", "open"):
        scores = examined(pattern, pattern.hostile, whose)
        assert all(score is None or score <= max(mark or 0, 0) for score, mark in
                   zip(scores, honest, strict=True)), scores


@pytest.mark.parametrize("which", ("right", "wrong"))
def test_what_is_called_stock_is_stock(warm, tmp_path, which):
    """All patterns as one notebook, run by nbclient and scored by nbgrader, and run our way."""
    cells, files = [], {}
    for pattern in PATTERNS:
        cells += pattern.cells(getattr(pattern, which))
        files |= pattern.handed_in | pattern.files
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    real = notebook(cells)
    NotebookClient(real, timeout=60, allow_errors=True, kernel_name="python3",
                   resources={"metadata": {"path": str(tmp_path)}}).execute()
    tests = [cell for cell in real.cells if is_test(cell)]
    names = {cell.metadata.nbgrader.grade_id for cell in tests}
    ours = second_opinion.stock_marks(
        warm, LIMITS, "ada", {name: text.encode() for name, text in files.items()},
        notebook(cells).cells, names, 60)
    theirs = {cell.metadata.nbgrader.grade_id: round(determine_grade(cell)[0], 2) for cell in tests}
    assert ours == theirs
