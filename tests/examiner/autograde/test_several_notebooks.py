"""Several notebooks an assignment (`ps1/problem1.ipynb`), as nbgrader allows, in each command."""

import csv
import shutil
import zipfile

import nbformat
import pytest
from nbformat.v4 import new_notebook

import courses
from plain_course import SQUARES, solution
from plain_course import test as graded_test
from viva_examiner import cli
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.autograde.progress import Progress
from viva_examiner.course import Course
from viva_examiner.notebook.canonical import KERNEL, dumps

TESTS = {"problem1": "test_squares", "problem2": "test_partial"}


def notebook(name: str):
    cells = [solution("squares", SQUARES), graded_test(TESTS[name])]
    return nbformat.from_dict(new_notebook(cells=cells, metadata=KERNEL))


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A course that `viva release` and `viva collect` have filled."""
    root = tmp_path_factory.mktemp("several") / "course"
    (root / "source" / "ps1").mkdir(parents=True)
    (root / "nbgrader_config.py").write_text(courses.EXAMINED.format(root=str(root), extra=""))
    (root / "gradebook.db").write_bytes(courses.empty_gradebook())
    for name in TESTS:
        (root / "source" / "ps1" / f"{name}.ipynb").write_text(dumps(notebook(name)))
    return root


def viva(root, monkeypatch, *words) -> int:
    monkeypatch.chdir(root)
    return cli.main(list(words))


def test_from_release_to_export(root, monkeypatch, capsys, examiner_here):
    assert Course(root).homeworks() == ["ps1"]
    assert viva(root, monkeypatch, "release", "ps1") == 0, capsys.readouterr()
    assert {path.stem for path in (root / "release/ps1").iterdir()} == set(TESTS)
    assert "BEGIN SOLUTION" not in (root / "release/ps1/problem2.ipynb").read_text()

    with zipfile.ZipFile(root / "ada.zip", "w") as archive:  # one right, one untouched
        archive.write(root / "source/ps1/problem1.ipynb", "problem1.ipynb")
        archive.write(root / "release/ps1/problem2.ipynb", "problem2.ipynb")
    assert viva(root, monkeypatch, "collect", "ps1", "ada.zip", "--yes") == 0, capsys.readouterr()
    assert {path.stem for path in (root / "submitted/ada/ps1").glob("*.ipynb")} == set(TESTS)

    capsys.readouterr()
    course = Course(root)
    autograde(course, "ps1", on_event=Progress().on_event, run=examiner_here.run)
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "2 notebooks (2 a submission) to grade"
    assert "ada, problem1: 3 of 3" in told and "ada, problem2: 0 of 4" in told
    assert {name: score for (_, name), (score, *_) in courses.grades(course, "ps1").items()} == {
        "test_squares": 3, "test_partial": 0}

    for command in ("report", "feedback", "export"):
        assert viva(root, monkeypatch, command, "ps1") == 0, capsys.readouterr()
    pages = {path.stem for path in (root / "feedback/ada/ps1").glob("*.html")}
    assert pages == set(TESTS)
    with (root / "exports/ps1-csv.csv").open() as file:
        [row] = csv.DictReader(file)
    assert "ada" in row.values() and "3" in [value.removesuffix(".0") for value in row.values()]


def test_gradescope_takes_one_notebook_and_says_so(root, monkeypatch, capsys):
    assert viva(root, monkeypatch, "gradescope", "ps1") == 2
    assert "ps1 has 2 notebooks (problem1, problem2)" in capsys.readouterr().err


def test_a_notebook_that_grades_nothing_is_not_handed_out(root, tmp_path, monkeypatch, capsys):
    copy = tmp_path / "course"
    shutil.copytree(root / "source", copy / "source")
    (copy / "nbgrader_config.py").write_text(courses.EXAMINED.format(root=str(copy), extra=""))
    nbformat.write(new_notebook(), copy / "source/ps1/answers.ipynb")
    assert viva(copy, monkeypatch, "release", "ps1") == 1
    assert "file answers.ipynb: lies beside the notebook" in capsys.readouterr().err
