"""Messy but honest: the same marks as for the tidy notebook, with a remark; hostile: one line."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

import one_homework
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.autograde.progress import Progress
from viva_examiner.gradebook.submissions import strays
from viva_examiner.records import Graded, Kind, Remark

HOMEWORK = one_homework.HOMEWORK
NAME = f"{HOMEWORK}.ipynb"


def tidy(released):
    return one_homework.answered(released)


def without_metadata(released):
    """Converted and back: ids are still there."""
    notebook = tidy(released)
    for cell in notebook.cells:
        cell.metadata = {}
    return notebook


def copied(released):
    """Copied cell by cell into a new notebook: ids are gone as well."""
    notebook = tidy(released)
    makers = {"code": new_code_cell, "markdown": new_markdown_cell}
    notebook.cells = [makers[cell.cell_type](cell.source) for cell in notebook.cells]
    return notebook


def upside_down(released):
    notebook = tidy(released)
    notebook.cells = notebook.cells[::-1]
    return notebook


def without_imports(released):
    notebook = tidy(released)
    del notebook.cells[0]
    return notebook


MESSY = {"tidy": (tidy, ""), "without_metadata": (without_metadata, "recognised by their ids"),
         "copied": (copied, "recognised by their ids"), "upside_down": (upside_down, "order"),
         "without_imports": (without_imports, "imports was missing")}
PLACES = {"renamed": "final.ipynb", "numbered": f"{HOMEWORK} (1).ipynb", "below": f"work/{NAME}",
          "capitals": NAME.title()}


def folder_as_notebook(folder, data):
    for name in (NAME, "timestamp.txt", "submission_log.json"):
        (folder / name).mkdir()
        (folder / name / "data.csv").write_bytes(b"1")


def pipe_as_notebook(folder, data):
    os.mkfifo(folder / NAME)


def pipe_as_time(folder, data):
    os.mkfifo(folder / "timestamp.txt")
    (folder / NAME).write_bytes(data)


def strange_time(folder, data):
    """dateutil does not raise a ValueError for it."""
    (folder / "timestamp.txt").write_text(f"12:{'1' * 30}Z1e400{'1' * 30}pm")
    (folder / NAME).write_bytes(data)


def sparse_files(folder, data):
    (folder / NAME).write_bytes(data)
    for name in ("data.bin", "other.ipynb"):
        with (folder / name).open("wb") as file:
            file.truncate(200 << 30)


def long_names(folder, data):
    """As long as the file system has them: nothing can be written beside such a name."""
    (folder / NAME).write_bytes(data)
    for name in ("n" * 250, "ü" * 120, "🙂" * 60):
        (folder / name).touch()


def no_permission(folder, data):
    (folder / NAME).write_bytes(data)
    (folder / "data.csv").touch(mode=0)


def many_notebooks(folder, data):
    for number in range(10):
        (folder / f"{number}.ipynb").write_bytes(data + b" " * (8 << 20))
    (folder / NAME).write_bytes(data)


def unknown_cells(folder, data):
    notebook = json.loads(data)
    notebook["cells"] += [{"cell_type": "markdown", "source": "", "metadata": {
        "nbgrader": {"grade_id": f"x{i}"}}} for i in range(60_000)]
    (folder / NAME).write_bytes(json.dumps(notebook).encode())


HOSTILE = {make.__name__: make for make in (
    folder_as_notebook, pipe_as_notebook, pipe_as_time, strange_time, sparse_files, long_names,
    no_permission, many_notebooks, unknown_cells)}
NOTHING_TO_GRADE = ("folder_as_notebook", "pipe_as_notebook", "unknown_cells")
HALF = """def stable_softmax(x, axis=-1):
    return {chr(0xd800): chr(0xdfff)}"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """{student: (test's mark, remarks)} of a class of messy people."""
    course = one_homework.make(tmp_path_factory.mktemp("course"), names=("stable_softmax",))
    release = Path(course.path("release", ".", HOMEWORK)) / NAME

    def hand_in(student, data: bytes, name=NAME):
        path = Path(course.path("submitted", student, HOMEWORK)) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def read():
        return nbformat.read(release, as_version=4)

    for student, (make, _) in MESSY.items():
        hand_in(student, nbformat.writes(make(read())).encode())
    for student, name in PLACES.items():
        hand_in(student, nbformat.writes(tidy(read())).encode(), name)
    umlauts = nbformat.writes(tidy(read())).replace("Overflow!", "Überlauf!")
    hand_in("latin", umlauts.encode("latin-1"))
    other = nbformat.v4.new_notebook(
        cells=[new_code_cell(f"def exercise{i}(): pass") for i in range(5)])
    hand_in("stranger", nbformat.writes(other).encode(), "homework.ipynb")
    bomb = json.loads(nbformat.writes(tidy(read())))
    bomb["cells"][1]["metadata"]["nbgrader"]["points"] = 10**400
    bomb["cells"] += [{"cell_type": "markdown", "source": "", "id": f"x{i}",
                       "metadata": {"nbgrader": {"grade_id": f"<b>{i}"}}} for i in range(1000)]
    bomb["cells"].append({"cell_type": "markdown", "id": "viva-remarks", "metadata": {},
                          "source": "hidden from the TA?"})
    hand_in("bomb", json.dumps(bomb).encode())
    hand_in("many", json.dumps(bomb | {"cells": bomb["cells"] * 10}).encode())
    hand_in("links", nbformat.writes(tidy(read())).encode())
    os.symlink(course.root / "gradebook.db",
               Path(course.path("submitted", "links", HOMEWORK)) / "timestamp.txt")
    os.mkfifo(Path(course.path("submitted", "links", HOMEWORK)) / "pipe")
    for student, make in HOSTILE.items():
        folder = Path(course.path("submitted", student, HOMEWORK))
        folder.mkdir(parents=True)
        make(folder, nbformat.writes(tidy(read())).encode())
    hand_in("half", nbformat.writes(one_homework.answered(
        read(), stable_softmax=HALF)).encode())
    hand_in("script", nbformat.writes(one_homework.answered(
        read(), written_why="<script>document.title='run'</script>")).encode())
    hand_in("loose", b"{}")
    (course.root / "submitted" / "loose" / "x.ipynb").write_text("{}")
    (course.root / "submitted" / os.fsdecode(b"caf\xe9") / HOMEWORK).mkdir(parents=True)
    (course.root / "submitted" / "a\nb" / HOMEWORK).mkdir(parents=True)
    summary = autograde(course, HOMEWORK)
    return course, {graded.student: graded for graded in summary.results}


def mark(graded) -> float | None:
    return graded.marks["test_stable_softmax"].score


@pytest.mark.parametrize("student", MESSY)
def test_a_messy_notebook_has_the_tidy_ones_mark_and_a_remark(results, student):
    graded, expected = results[1][student], MESSY[student][1]
    assert mark(graded) == 5
    said = "\n".join(map(str, graded.remarks))
    assert (expected in said) if expected else not said
    assert graded.marks["written_why"].score is None  # the answer waits for a TA


@pytest.mark.parametrize("student", [*PLACES, "latin", "links"])
def test_a_file_in_another_place_or_form_is_graded(results, student):
    graded = results[1][student]
    assert mark(graded) == 5
    if student in PLACES:
        assert any("was taken as" in line.text for line in graded.remarks)


def test_what_is_not_this_homework_is_flagged_in_one_line(results):
    graded = results[1]["stranger"]
    assert graded.status == "unreadable" and len(graded.remarks) <= 2


def test_hostile_metadata_costs_a_few_lines(results):
    graded = results[1]["bomb"]
    assert mark(graded) == 5 and len(graded.remarks) < 10
    said = [remark.text for remark in graded.remarks]
    assert all("<b>" not in line or "\\" in line or "'" in line for line in said)
    course = results[0]
    text = (Path(course.path("autograded", "bomb", HOMEWORK)) / NAME).read_text()
    cells = json.loads(text)["cells"]
    assert sum(cell["id"] == "viva-remarks" for cell in cells) == 1
    assert any("hidden from the TA?" in "".join(cell["source"]) for cell in cells)
    assert "cells, more than" in results[1]["many"].remarks[-1].text


@pytest.mark.parametrize("student", HOSTILE)
def test_a_hostile_folder_costs_its_own_submission_a_few_lines(results, student):
    graded = results[1][student]
    assert mark(graded) == (0 if student in NOTHING_TO_GRADE else 5)
    assert len(graded.remarks) < 30 and all(line.text.isprintable() for line in graded.remarks)
    folder = Path(results[0].path("autograded", student, HOMEWORK))
    assert (folder / NAME).is_file()
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 1 << 20


def test_half_a_character_is_no_answer_and_ends_nothing(results):
    graded = results[1]["half"]
    assert graded.status == "graded" and mark(graded) == 0


def test_a_run_writes_no_control_characters_on_a_terminal(capsys):
    """A remark could move the cursor, set the title or type for the TA."""
    graded = Graded("eve", HOMEWORK, HOMEWORK, "graded",
                    remarks=(Remark(Kind.LOG, "\x1b]0;title\x07\x1b[2J\ud800"),))
    Progress().on_event("done", graded=graded, known={})
    said = capsys.readouterr().out
    assert said.rstrip("\n").isprintable() and "]0;title" in said


def test_no_link_is_followed(results):
    course, graded = results
    folder = Path(course.path("autograded", "links", HOMEWORK))
    assert not (folder / "timestamp.txt").exists()
    assert "pipe was not taken" in "\n".join(map(str, graded["links"].remarks))


def test_a_students_script_is_text(results):
    text = (Path(results[0].path("autograded", "script", HOMEWORK)) / NAME).read_text()
    answer = next(cell for cell in json.loads(text)["cells"] if cell["id"] == "written_why")
    assert "".join(answer["source"]).startswith("```text\n<script>")


def test_strays_are_named(results):
    said = "\n".join(strays(results[0], HOMEWORK))
    assert "loose/x.ipynb lies outside" in said and "caf" in said
    assert all(line.isprintable() for line in said.splitlines())
    assert not {"a\nb"} & set(results[1])
