"""`viva new` and `viva rename`: what they write, and one clear sentence for an author's slip."""

import ast
import shutil
import subprocess
import sys

import nbformat
import pytest

from repository import ROOT
from viva_course.authoring import Slip, lay_out, rename
from viva_course.authoring.rooms import Rooms, sections_line
from viva_examiner.notebook.canonical import formatted
from viva_examiner.notebook.metadata import grade_id, graded


@pytest.fixture
def root(tmp_path):
    """An empty checkout with one exercise of another homework."""
    exam = tmp_path / "lib/viva_course/exams/other/first.py"
    exam.parent.mkdir(parents=True)
    exam.write_text('first = Exercise("taken", 3, (f,), "a number")\n')
    return tmp_path


def cells(root, homework="warmup"):
    notebook = nbformat.read(Rooms(root, homework).notebook, as_version=4)
    return {grade_id(cell) or cell.id: cell for cell in notebook.cells}


def test_a_homework_is_laid_out_in_every_room(root):
    paths = lay_out(root, "warmup", ["cosine:5", "distance"])
    rooms = Rooms(root, "warmup")
    assert rooms.sections() == ["cosine", "distance"]
    for folder in (rooms.cases, rooms.reference, rooms.exams):
        assert {path.stem for path in folder.glob("*.py")} == {"__init__", "cosine", "distance"}
    assert all(path.is_file() for path in paths) and len(paths) == 11
    found = cells(root)
    assert list(found)[:2] == ["title", "setup"] and list(found)[-2:] == ["summary", "submit"]
    assert graded(found["test_cosine"])["points"] == 5
    assert {"cosine", "check_cosine", "test_cosine", "cosine-hints", "cosine-idea"} <= set(found)
    assert 'points=5' in (rooms.exams / "cosine.py").read_text()


def test_exercises_are_added_before_the_closing_cells(root):
    lay_out(root, "warmup", ["cosine"])
    before = cells(root)["cosine-idea"].source
    lay_out(root, "warmup", ["distance:7.5"])
    assert Rooms(root, "warmup").sections() == ["cosine", "distance"]
    names = list(cells(root))
    assert names.index("cosine-hints") < names.index("distance-idea") < names.index("summary")
    assert cells(root)["cosine-idea"].source == before
    assert cells(root)["distance-idea"].source.startswith("## 2. ")
    assert graded(cells(root)["test_distance"])["points"] == 7.5


def test_what_is_written_passes_the_lint(root):
    for name in ("lib/viva/case.py", "lib/viva_course/rubric.py", "lib/viva_course/sections.py",
                 "tests/support/exam_checks.py"):  # so that the order of imports can be told
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    lay_out(root, "warmup", ["cosine:5", "scaled_dot_product_scores:1"])
    path = Rooms(root, "warmup").notebook
    path.write_text(formatted(path))
    assert formatted(path) == path.read_text()
    shutil.copy(ROOT / "pyproject.toml", root)
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", "."], cwd=root,
                          capture_output=True, text=True)
    assert [line for line in done.stdout.splitlines() if "-->" in line and "/other/" not in line
            ] == [], done.stdout


@pytest.mark.parametrize("homework, wanted, sentence", [
    ("3d", [], "'3d' cannot be the name of a homework"),
    ("warmup", ["two words"], "'two words' cannot be the name of an exercise"),
    ("warmup", ["lambda"], "'lambda' cannot be the name of an exercise"),
    ("warmup", ["taken"], "taken is an exercise of other already: choose another name"),
    ("warmup", ["one", "one"], "one is given twice"),
    ("warmup", ["one:many"], "one:many: points are a number above 0, as in one:5"),
])
def test_a_slip_is_told_in_a_sentence(root, homework, wanted, sentence):
    with pytest.raises(Slip, match=f"^{sentence}"):
        lay_out(root, homework, wanted)
    assert not (root / "lib/viva/cases" / homework).exists()


def test_nothing_that_is_there_is_written_over(root):
    lay_out(root, "warmup", ["cosine"])
    with pytest.raises(Slip, match="name the exercises to add"):
        lay_out(root, "warmup", [])
    with pytest.raises(Slip, match="cosine is an exercise of warmup already"):
        lay_out(root, "warmup", ["cosine"])


def test_an_exercise_is_renamed_everywhere(root):
    lay_out(root, "warmup", ["cosine", "cosine_distance"])
    reference = Rooms(root, "warmup").reference
    rename(root, "cosine", "angle")
    rooms = Rooms(root, "warmup")
    assert rooms.sections() == ["angle", "cosine_distance"]
    assert (reference / "angle.py").is_file() and not (reference / "cosine.py").exists()
    for path in rooms.code():
        ast.parse(path.read_text())
    found = cells(root)
    assert {"angle", "check_angle", "test_angle", "angle-hints"} <= set(found)
    assert "examine(\"angle\", angle)" in found["test_angle"].source
    assert found["cosine_distance"].source.startswith("def cosine_distance(")
    words = "".join(path.read_text() for path in rooms.code()) + str(found)
    assert words.count("cosine") == words.count("cosine_distance")


@pytest.mark.parametrize("old, new, sentence", [
    ("cosin", "angle", "there is no exercise named cosin"),
    ("cosine", "distance", "distance is an exercise of warmup already"),
    ("cosine", "x", "x is a name in warmup already: the two would become one"),
    ("cosine", "an angle", "'an angle' cannot be the name of an exercise"),
])
def test_a_name_that_cannot_be_is_refused(root, old, new, sentence):
    lay_out(root, "warmup", ["cosine", "distance"])
    with pytest.raises(Slip, match=sentence):
        rename(root, old, new)


def test_many_sections_stay_within_the_line():
    names = [f"section_number_{number}" for number in range(12)]
    text = sections_line(names)
    assert max(map(len, text.splitlines())) <= 100
    scope = {}
    exec(text, scope)
    assert scope["SECTIONS"] == tuple(names)
    exec(sections_line(["one"]), scope)
    assert scope["SECTIONS"] == ("one",)
