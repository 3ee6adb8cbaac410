"""`viva new` and `viva rename`: what they write, and one clear sentence for an author's slip."""

import ast
import shutil
import subprocess
import sys

import nbformat
import pytest

from repository import ROOT
from viva_course.authoring import AuthorError, lay_out, rename, unwritten
from viva_course.authoring.rooms import Rooms, exercises_in, table_text
from viva_examiner.notebook.canonical import formatted
from viva_examiner.notebook.metadata import grade_id, graded


@pytest.fixture
def root(tmp_path):
    """An empty checkout with one exercise of another homework."""
    table = tmp_path / "lib/viva/cases/other/__init__.py"
    table.parent.mkdir(parents=True)
    table.write_text('EXERCISES = {"first": [["taken", "helper"]]}\n')
    return tmp_path


def cells(root, homework="warmup"):
    notebook = nbformat.read(Rooms(root, homework).notebook, as_version=4)
    return {grade_id(cell) or cell.id: cell for cell in notebook.cells}


def test_a_homework_is_laid_out_in_every_room(root):
    paths = lay_out(root, "warmup", ["cosine:5", "distance"])
    rooms = Rooms(root, "warmup")
    assert rooms.table() == {"cosine": [["cosine"]], "distance": [["distance"]]}
    for folder in (rooms.cases, rooms.reference, rooms.exams, rooms.claims):
        assert {path.stem for path in folder.glob("*.py")} == {"__init__", "cosine", "distance"}
    assert all(path.is_file() for path in paths) and len(paths) == 14
    found = cells(root)
    assert list(found)[:2] == ["title", "setup"] and list(found)[-2:] == ["summary", "submit"]
    assert graded(found["test_cosine"])["points"] == 5
    assert {"cosine", "check_cosine", "test_cosine", "cosine-hints", "cosine-idea"} <= set(found)
    exam = (rooms.exams / "cosine.py").read_text()
    assert "values(4.5, " in exam and "unmodified(0.5, " in exam


def test_exercises_are_added_before_the_closing_cells(root):
    lay_out(root, "warmup", ["cosine"])
    before = cells(root)["cosine-idea"].source
    lay_out(root, "warmup", ["distance:7.5"])
    assert list(Rooms(root, "warmup").table()) == ["cosine", "distance"]
    names = list(cells(root))
    assert names.index("cosine-hints") < names.index("distance-idea") < names.index("summary")
    assert cells(root)["cosine-idea"].source == before
    assert cells(root)["distance-idea"].source.startswith("## 2. ")
    assert graded(cells(root)["test_distance"])["points"] == 7.5


def test_an_exercise_joins_the_section_that_is_named(tmp_path):
    """It once stood behind the survey, and the table was changed without a word."""
    root = checkout(tmp_path, "kernel_attention")
    rooms = Rooms(root, "kernel_attention")
    claims = {path.name for path in rooms.claims.glob("*.py")}
    paths = lay_out(root, "kernel_attention", ["cosine:5"], "features")
    assert rooms.table()["features"][-1] == ["cosine"]
    assert {path.relative_to(root).as_posix() for path in paths} == {
        "lib/viva/cases/kernel_attention/features.py",
        "lib/viva/cases/kernel_attention/__init__.py",
        "lib/viva_course/reference/kernel_attention/features.py",
        "lib/viva_course/exams/kernel_attention/features.py",
        "source/kernel_attention/kernel_attention.ipynb"}
    names = list(cells(root, "kernel_attention"))
    assert names.index("test_poly_features") < names.index("cosine-idea")
    assert names.index("cosine-hints") + 1 == names.index("linear_attention-idea")
    for path in paths[:-1]:
        ast.parse(path.read_text())
    words = "kernel_attention has no section featurs: its sections are sim"
    with pytest.raises(AuthorError, match=words):
        lay_out(root, "kernel_attention", ["sine"], "featurs")
    assert claims == {path.name for path in rooms.claims.glob("*.py")}


def test_a_new_section_comes_before_the_closing_experiment(tmp_path):
    root = checkout(tmp_path, "kernel_attention")
    lay_out(root, "kernel_attention", ["cosine"])
    names = list(cells(root, "kernel_attention"))
    assert names.index("test_MultiHeadLinearAttention") < names.index("cosine-idea")
    assert names.index("cosine-hints") < names.index("closing-idea") < names.index("summary")


def test_the_words_of_the_templates_are_found_until_they_are_replaced(root):
    lay_out(root, "warmup", ["cosine"])
    sources = [cell.source for cell in cells(root).values()]
    found = dict(unwritten(root, "warmup", sources))
    left = [name for number, name in enumerate(cells(root)) if number in found]
    assert left == ["title", "cosine-idea", "cosine", "cosine-look", "cosine-hints", "summary"]
    assert {path.as_posix() for path in found if not isinstance(path, int)} == {
        "lib/viva/cases/warmup/cosine.py", "lib/viva_course/exams/warmup/cosine.py"}


@pytest.mark.parametrize("homework", sorted(set(exercises_in(ROOT).values())))
def test_no_homework_of_ours_has_a_word_of_the_templates(homework):
    path = Rooms(ROOT, homework).notebook
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    assert list(unwritten(ROOT, homework, sources)) == []


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
    with pytest.raises(AuthorError, match=f"^{sentence}"):
        lay_out(root, homework, wanted)
    assert not (root / "lib/viva/cases" / homework).exists()


def test_nothing_that_is_there_is_written_over(root):
    lay_out(root, "warmup", ["cosine"])
    with pytest.raises(AuthorError, match="name the exercises to add"):
        lay_out(root, "warmup", [])
    with pytest.raises(AuthorError, match="cosine is an exercise of warmup already"):
        lay_out(root, "warmup", ["cosine"])


def test_an_exercise_is_renamed_everywhere(root):
    lay_out(root, "warmup", ["cosine", "cosine_distance"])
    reference = Rooms(root, "warmup").reference
    rename(root, "cosine", "angle")
    rooms = Rooms(root, "warmup")
    assert list(rooms.table()) == ["angle", "cosine_distance"]
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
    with pytest.raises(AuthorError, match=sentence):
        rename(root, old, new)


def checkout(tmp_path, homework):
    """A copy of the course with one homework's notebook and tests."""
    for folder in ("lib/viva", "lib/viva_course", f"source/{homework}",
                   f"tests/homeworks/{homework}"):
        shutil.copytree(ROOT / folder, tmp_path / folder,
                        ignore=shutil.ignore_patterns("__pycache__", "expected"))
    return tmp_path


def test_an_exercise_with_the_name_of_its_homework_is_renamed(tmp_path):
    """It once was renamed in every import of the homework, too: 18 files could not be loaded."""
    root = checkout(tmp_path, "kernel_attention")
    rename(root, "kernel_attention", "weighted_average")
    rooms = Rooms(root, "kernel_attention")
    assert rooms.table()["similarities"][0][:2] == ["weighted_average", "softmax_sim"]
    code = """
import viva_course
exercise = viva_course.exercises("kernel_attention")["weighted_average"]
from viva_course.reference import kernel_attention as reference
assert exercise.reference[0] is reference.weighted_average
assert exercise.examine(exercise.reference, "a secret").score == exercise.points
"""
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(root / "lib")},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = cells(root, "kernel_attention")
    assert {"weighted_average", "check_weighted_average", "test_weighted_average"} <= set(found)
    assert 'begin("kernel_attention"' in "".join(cell.source for cell in found.values())
    assert "def weighted_average(" in found["weighted_average"].source


def test_what_a_library_calls_so_keeps_its_name(tmp_path):
    root = checkout(tmp_path, "optimizers")
    tests = Rooms(root, "optimizers").tests / "test_more.py"
    tests.write_text("import torch\nfrom viva_course.reference import optimizers as reference\n"
                     "pair = reference.AdamW, torch.optim.AdamW  # not torch.optim.AdamW\n")
    rename(root, "AdamW", "Decoupled")
    assert tests.read_text().endswith(
        "pair = reference.Decoupled, torch.optim.AdamW  # not torch.optim.AdamW\n")


def test_a_long_table_stays_within_the_line():
    table = {"short": [["one"], ["two", "three"]],
             "long": [[f"function_number_{number}" for number in range(12)]]}
    text = table_text(table)
    assert max(map(len, text.splitlines())) <= 100
    assert text.splitlines()[1] == '    "short": [["one"], ["two", "three"]],'
    scope = {}
    exec(text, scope)
    assert scope["EXERCISES"] == table
