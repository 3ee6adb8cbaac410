"""Every nbgrader command that a course uses, one after the other, on a small course."""
import csv
import shutil
import subprocess
import sys
import zipfile

import nbformat
import pytest

from doubling import doubling_cells, write_course

TEST = "### BEGIN HIDDEN TESTS\nassert math.isclose(double(2), 4)\n### END HIDDEN TESTS"


@pytest.fixture(scope="module")
def root(tmp_path_factory, empty_gradebook):
    cells = doubling_cells()
    cells["test_double"].source = TEST
    course = write_course(tmp_path_factory.mktemp("pipeline"), cells)
    shutil.copy(empty_gradebook, course.root)
    return course.root


def nbgrader(root, *words):
    """An nbgrader command as staff type it in the course's directory."""
    run = subprocess.run([sys.executable, "-m", "nbgrader", *words], cwd=root, text=True,
                         capture_output=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return run.stdout + run.stderr


def submission(root, answer):
    """The released notebook with a body for double, as a student would save it."""
    notebook = nbformat.read(root / "release/doubling/doubling.ipynb", as_version=4)
    stub = "# YOUR CODE HERE\n    raise NotImplementedError()"
    notebook.cells[2].source = notebook.cells[2].source.replace(stub, answer)
    notebook.cells[4].source = "Because it is linear."
    return nbformat.writes(notebook)


def test_from_source_to_feedback(root):
    nbgrader(root, "generate_assignment", "doubling")

    # collected: ada's file by its name, bob's as an archive of his own, which names ada inside
    archive = root / "downloaded/doubling/archive"
    archive.mkdir(parents=True)
    (archive / "ada_doubling-2.ipynb").write_text(submission(root, "return 2 * x"))
    with zipfile.ZipFile(archive / "bob.zip", "w") as bobs:
        bobs.writestr("doubling.ipynb", submission(root, "return 3 * x"))
        bobs.writestr("ada_1_doubling.ipynb", submission(root, "return 3 * x"))
        bobs.writestr("submission_log.json", "{}")
    said = nbgrader(root, "zip_collect", "doubling")
    assert "Regular expression not provided" in said, "zip_collect is not set up: it can be forged"
    assert not (root / "submitted").exists()
    assert not list((root / "downloaded/doubling/extracted").glob("bob/*")), "nothing is unpacked"
    run = subprocess.run([sys.executable, "-m", "viva_examiner.cli", "collect", "doubling",
                          str(archive), "--yes"], cwd=root, text=True, capture_output=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert (root / "submitted/ada/doubling/doubling.ipynb").is_file()
    assert (root / "submitted/bob/doubling/submission_log.json").is_file()

    # a student's own validation: public cells only
    assert "Success" in nbgrader(root, "validate", "submitted/ada/doubling/doubling.ipynb")

    nbgrader(root, "autograde", "doubling")
    nbgrader(root, "export")
    with (root / "grades.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["student_id"]: float(row["so_far"]) for row in rows} == {"ada": 98, "bob": 0}
    assert not any(row["score"] for row in rows), "written answers wait: no mark is final"

    nbgrader(root, "generate_feedback", "doubling")
    page = (root / "feedback/bob/doubling/doubling.html").read_text()
    assert "isclose" not in page, "feedback shows no hidden test"


@pytest.mark.parametrize("line", ["", "import viva_course\n"])  # not in a candidate
def test_a_mark_that_waits_for_a_person_stops_nothing(tmp_path, empty_gradebook, line):
    """The step says which test is open and why; the notebook and the other marks are written."""
    cells = doubling_cells()
    cells["test_double"].source = TEST.replace(
        "assert math.isclose(double(2), 4)", f"{line}assert eval(double(2)) == 4")
    root = write_course(tmp_path, cells).root
    shutil.copy(empty_gradebook, root)
    nbgrader(root, "generate_assignment", "doubling")
    handed_in = root / "submitted/ada/doubling/doubling.ipynb"
    handed_in.parent.mkdir(parents=True)
    handed_in.write_text(submission(root, "return 'sum([x, 2])'.replace('x', str(x))"))
    for again in ((), ("--force",)):
        said = nbgrader(root, "autograde", "doubling", *again)
        assert "ada: test_double: " in said and "runs text that the student's code made" in said
        autograded = nbformat.read(root / "autograded/ada/doubling/doubling.ipynb", as_version=4)
        assert autograded.metadata.viva.marks.test_double.score is None
