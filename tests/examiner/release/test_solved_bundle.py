"""The student bundle with the staff's solutions filled in: every check of every notebook passes."""

import pytest

from student_machine import HOMEWORKS, checks_of, run_notebooks, shown


@pytest.fixture(scope="module")
def ran(request):
    return run_notebooks(lambda: request.getfixturevalue("student"), solved=True)


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_solved_every_check_passes(ran, homework):
    known = shown(homework, solved=True)
    if known.before:
        return
    cells, exercises = ran[homework]
    for cell in cells:
        assert cell["error"] == "" and cell["stderr"] == "", cell
    assert {name: entry["status"] for name, entry in exercises.items()} == {
        name: "passed" for name in exercises}
    assert set(exercises) == checks_of(homework)
    known.keep()
