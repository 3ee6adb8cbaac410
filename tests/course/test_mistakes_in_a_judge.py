"""Known mistakes are recognised where marks are made: in a judge, with the limits of its cage."""

import copy

import nbformat
import pytest

from repository import ROOT
from viva_course import exercises
from viva_examiner.course import Course
from viva_examiner.demo.cohort import mistake_code
from viva_examiner.notebook.metadata import grade_id
from viva_examiner.release.trial import Trial

HOMEWORK = "kernel_attention"
# each passes the check: only a question with little memory shows it
NEEDS_MEMORY = {"linear_attention": "quadratic", "causal_linear_attention": "materialised_cumsum"}


@pytest.fixture(scope="module")
def marks():
    folder = ROOT / "source" / HOMEWORK
    source = nbformat.read(folder / f"{HOMEWORK}.ipynb", as_version=4)
    notebook, declared = copy.deepcopy(source), exercises(HOMEWORK)
    for cell in notebook.cells:
        if slug := NEEDS_MEMORY.get(grade_id(cell)):
            exercise = declared[grade_id(cell)]
            mistake = next(each for each in exercise.mistakes if each.slug == slug)
            cell.source = mistake_code(source, exercise, mistake)
    with Trial(Course(ROOT)) as trial:
        return trial.solved(notebook, folder).tests


@pytest.mark.parametrize("exercise", NEEDS_MEMORY)
def test_a_mistake_that_only_memory_shows_costs_points_and_is_named(marks, exercise):
    mark, declared = marks[f"test_{exercise}"], exercises(HOMEWORK)[exercise]
    assert 0 < mark.score < declared.points, mark
    hint = next(m.hint for m in declared.mistakes if m.slug == NEEDS_MEMORY[exercise])
    assert [rubric.hint for rubric in mark.rubric] == [hint]
