"""The student bundle as it is handed out: every released notebook runs, and nothing is done yet."""

import pytest

from student_machine import HOMEWORKS, answers_of, run_notebooks, shown


@pytest.fixture(scope="module")
def ran(request):
    return run_notebooks(lambda: request.getfixturevalue("student"), solved=False)


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_untouched_nothing_crashes(ran, homework):
    known = shown(homework, solved=False)
    if known.before:
        return
    cells, exercises = ran[homework]
    answers = answers_of(homework)
    for cell in cells:
        assert cell["error"] == "" or cell["id"] in answers, cell
        assert cell["stderr"] == "", cell
    assert exercises and all(entry["status"] == "missing" for entry in exercises.values())
    known.keep()
