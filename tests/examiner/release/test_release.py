"""Release: what comes out, and that nbgrader's own command gives the same."""
import filecmp
import subprocess
import sys

import nbformat
import pytest
from nbgrader.api import Gradebook

from doubling import released
from repository import ROOT
from viva_examiner.course import Course
from viva_examiner.notebook.canonical import formatted
from viva_examiner.release.problems import ReleaseRefused
from viva_examiner.release.refusals import read, source_problems
from viva_examiner.release.released_faults import problems_of_released
from viva_examiner.release.releasing import generate, release


def test_a_sound_homework_is_released(course):
    made = course()
    assert release(made, "doubling") == []
    text = released(made).read_text()
    notebook = nbformat.read(released(made), as_version=4)
    nbformat.validate(notebook)
    stub, test, written = notebook.cells[2:]
    assert stub.source.endswith('elementwise."""\n    # YOUR CODE HERE\n'
                                "    raise NotImplementedError()")
    assert test.source == "# The hidden tests of double run here after you submit."
    assert written.source == "YOUR ANSWER HERE"
    assert "scaled" not in text and "Rubric" not in text and "viva_course" not in text
    assert text == formatted(released(made)), "a canonical source gives a canonical release"


def test_released_again_it_is_the_same_to_the_byte(course):
    made = course()
    release(made, "doubling")
    first, stamp = released(made).read_bytes(), released(made).stat().st_mtime_ns
    release(made, "doubling")
    assert released(made).read_bytes() == first
    assert released(made).stat().st_mtime_ns == stamp, "an unchanged file is not written"


def test_the_gradebook_knows_it_and_keeps_the_hidden_tests(course):
    made = course()
    release(made, "doubling")
    with Gradebook(f"sqlite:///{made.root}/gradebook.db", "viva") as gradebook:
        notebook = gradebook.find_notebook("doubling", "doubling")
        assert notebook.max_score == 100
        sources = {cell.name: cell.source for cell in notebook.source_cells}
    assert "BEGIN HIDDEN TESTS" in sources["test_double"]


def test_a_source_notebook_is_opened_once(course):
    made = course()
    source, opens = str(made.root / "source/doubling/doubling.ipynb"), []
    sys.addaudithook(lambda event, args: opens.append(args[1]) if event == "open"
                     and str(args[0]) == source else None)
    release(made, "doubling")
    assert opens == ["r"]


def test_data_files_go_along_and_stale_files_go_away(course):
    made = course()
    (made.root / "source/doubling/map.png").write_bytes(b"png")
    released(made).parent.mkdir(parents=True)
    (made.root / "release/doubling/old.csv").write_text("1")
    release(made, "doubling")
    assert sorted(path.name for path in released(made).parent.iterdir()) == [
        "doubling.ipynb", "map.png"]


def test_points_that_do_not_add_up_to_100_are_a_warning(course, cells):
    cells["written_why"].metadata["nbgrader"]["points"] = 3
    assert release(course(), "doubling") == ["doubling: the points add up to 101, not 100"]


def test_a_homework_that_is_not_there(course):
    made = course()
    with pytest.raises(ReleaseRefused, match="choose one of the homeworks: doubling"):
        release(made, "tripling")


def test_graded_cells_cannot_change_once_students_have_handed_in(course, cells):
    made = course()
    release(made, "doubling")
    before = released(made).read_bytes()
    with Gradebook(f"sqlite:///{made.root}/gradebook.db", "viva") as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission("doubling", "ada")
    cells["title"].source = "# Doubling\nA better text."
    release(course(keep_gradebook=True), "doubling")
    after = released(made).read_bytes()
    assert after != before, "prose may change"
    del cells["written_why"]
    with pytest.raises(ReleaseRefused, match="submissions associated with it"):
        release(course(keep_gradebook=True), "doubling")
    assert released(made).read_bytes() == after


def test_nbgrader_itself_refuses_the_same(course, cells):
    """The command that staff know, and formgrader's button, go through the same questions."""
    cells["setup"].source += "\nimport viva_course"
    made = course()
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", "doubling", "--force"]
    run = subprocess.run(command, cwd=made.root, capture_output=True, text=True)
    assert run.returncode != 0 and not released(made).exists()
    assert "cell setup (number 2): mentions viva_course" in run.stderr
    cells["setup"].source = "import math"
    course()
    run = subprocess.run(command, cwd=made.root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    stock = released(made).read_bytes()
    release(made, "doubling")
    assert released(made).read_bytes() == stock, "viva release gives nbgrader's own bytes"


def test_the_committed_release_is_that_of_the_source(tmp_path):
    course = Course(ROOT)
    made = {path.parent.name for path in ROOT.glob("release/*/*.ipynb")}
    assert made == set(course.homeworks()), "run make release and commit release/"
    for homework in course.homeworks():
        source = ROOT / f"source/{homework}/{homework}.ipynb"
        generate(course, homework, tmp_path, gradebook=False)
        new, old = tmp_path / homework, ROOT / "release" / homework
        names = {path.name for path in new.iterdir()}
        assert set(filecmp.cmpfiles(new, old, names, shallow=False)[0]) == names, (
            f"release/{homework} is not up to date: run make release and commit it")
        assert {path.name for path in old.iterdir()} == names
        solved, released = read(source), read(new / source.name)
        assert [*source_problems(source, solved), *problems_of_released(solved, released)] == []
