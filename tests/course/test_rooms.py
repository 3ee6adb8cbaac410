"""A homework is one stem, a package in every room, its sections by one name in all of them."""

import importlib
import re
import subprocess
import sys

import nbformat
import pytest

import viva
import viva_course
from repository import ROOT
from viva import case, tables
from viva_course import declared
from viva_course.authoring import lay_out
from viva_course.faults import LIBRARY, StaffFault
from viva_examiner.sandbox.preload import HEAVY

ROOMS = {"cases": LIBRARY / "viva" / "cases", "reference": LIBRARY / "viva_course" / "reference",
         "exams": LIBRARY / "viva_course" / "exams"}
HOMEWORKS = sorted(path.parent.name for path in ROOMS["cases"].glob("*/__init__.py"))


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_sections_have_one_name_in_every_room(homework):
    sections = set(tables.sections_of(homework))
    for room, folder in ROOMS.items():
        files = {path.stem for path in (folder / homework).glob("*.py")} - {"__init__"}
        assert sections <= files, room


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_an_exercise_stands_in_the_same_section_of_every_room(homework):
    for exercise in viva_course.exercises(homework).values():
        section = re.match(rf"viva_course/exams/{homework}/(\w+)\.py", exercise.place).group(1)
        assert {each.scenario.__module__ for each in exercise.cases} == {
            f"viva.cases.{homework}.{section}"}
        assert exercise.reference[0].__module__ == f"viva_course.reference.{homework}.{section}"


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_the_reference_exports_every_candidate(homework):
    reference = importlib.import_module(f"viva_course.reference.{homework}")
    for exercise in viva_course.exercises(homework).values():
        assert exercise.candidates[0] == exercise.name
        assert {name for each in exercise.cases for name in each.needs} <= {*exercise.candidates}
        assert tuple(getattr(reference, name) for name in exercise.candidates) == exercise.reference


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_exercises_and_written_questions_make_100_points(homework):
    path = ROOT / "source" / homework / f"{homework}.ipynb"
    roles = [cell.metadata.get("nbgrader", {}) for cell in nbformat.read(path, as_version=4).cells]
    assert sum(role["points"] for role in roles if role.get("grade")) == 100
    in_exams = {each.name: each.points for each in viva_course.exercises(homework).values()}
    assert in_exams == {role["grade_id"].removeprefix("test_"): role["points"] for role in roles
                        if role.get("grade_id", "").startswith("test_")}


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_a_notebook_that_trains_with_torch_uses_one_thread(homework):
    """Networks this small take many times as long when threads wait for each other."""
    cells = nbformat.read(ROOT / "source" / homework / f"{homework}.ipynb", as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    trains = re.search(r"\.backward\(\)|autograd\.grad\(|torch\.optim", code)
    assert not trains or re.search(r'set_num_threads\(1\)|"OMP_NUM_THREADS", "1"', code)


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_a_homework_is_laid_out_as_viva_new_does_it(homework, tmp_path):
    """The same packages, tests and cells, in their order; a section may hold several exercises."""
    exercises = viva_course.exercises(homework).values()
    names = {each.name for each in exercises}
    written = lay_out(tmp_path, homework, [f"{each.name}:{each.points:g}" for each in exercises])
    for path in written:
        if "claims" not in path.parts:  # `viva claims` lists the homeworks that have none yet
            assert path.stem in names or (ROOT / path.relative_to(tmp_path)).is_file(), path
    here, fresh = (nbformat.read(path, as_version=4).cells
                   for path in (ROOT / written[-1].relative_to(tmp_path), written[-1]))
    wanted = [cell.id for cell in fresh]
    assert [cell.id for cell in here if cell.id in set(wanted)] == wanted
    cells = {cell.id: cell for cell in here}
    for cell in fresh:
        roles = dict(cells[cell.id].metadata.get("nbgrader", {}))
        roles.pop("cell_type", None)  # nbgrader's own note
        assert (cells[cell.id].cell_type, roles) == (
            cell.cell_type, cell.metadata.get("nbgrader", {})), cell.id


def test_every_exercise_of_a_table_has_cases_and_an_exam():
    for homework in HOMEWORKS:
        names = tables.exercises_of(homework)
        assert list(viva_course.exercises(homework)) == names
        assert all(case.cases_of(name) for name in names)


def test_checking_one_exercise_loads_one_section():
    modules = run("import sys; from viva import case; case.cases_of('purifier');"
                  "print(*(m for m in sys.modules if m.startswith('viva.cases.')))")
    sections = [name for name in modules if name.count(".") == 3]  # of the others only the table
    assert sections and all(name.startswith("viva.cases.purification.") for name in sections)


def test_examining_one_exercise_loads_one_homework():
    modules = run("import sys; from viva_course import declared as d; d.exercise_named('purifier')"
                  "; print(*(m for m in sys.modules if m.startswith('viva_course.exams.')))")
    assert modules and all(name.startswith("viva_course.exams.purification") for name in modules)
    modules = run("import sys, viva_course; viva_course.exercises('purification');"
                  "print(*(m for m in sys.modules if m.startswith('viva_course.exams.')))")
    assert modules and all(name.startswith("viva_course.exams.purification") for name in modules)


def test_exams_of_notebooks_without_torch_load_no_torch():
    """A worker has what its course's notebooks name; to import torch besides takes it a second."""
    light = [homework for homework in HOMEWORKS if not any(
        re.search(HEAVY["torch"], path.read_bytes()) for path in
        (ROOT / "source" / homework).glob("*.ipynb"))]
    assert "purification" in light
    modules = run("import sys, viva_course\n"
                  f"for homework in {light}: viva_course.exercises(homework)\n"
                  "print(*sys.modules)")
    assert "viva_course.exams.purification" in modules and "torch" not in modules


def test_two_homeworks_may_not_share_an_exercises_name(monkeypatch):
    monkeypatch.setattr(tables, "ENTRIES", {"f": tables.ExerciseEntry("one", "a", ("f",))})
    with pytest.raises(ValueError, match="f is an exercise of one and of two: rename one of them"):
        tables.enter("two", {"b": [["f", "g"]]})


def test_what_the_table_has_and_no_exam_declares_is_told(monkeypatch):
    monkeypatch.setitem(tables.ENTRIES, "f", tables.ExerciseEntry("purification", "losses", ("f",)))
    with pytest.raises(StaffFault, match="table of purification, but .*losses does not declare it"):
        declared.exercise_named("f")


def test_in_the_kit_neither(monkeypatch):
    def scenario(rng, purifier):
        """a case"""

    case.cases_of("purifier")
    scenario.__module__ = "viva.cases.other.section"
    with pytest.raises(ValueError, match="purifier is an exercise of purification already: other"):
        case.case("purifier")(scenario)
    assert all(each.homework == "purification" for each in case.cases_of("purifier"))


def test_the_kit_alone_knows_its_homeworks():
    assert tables.homeworks() == sorted(HOMEWORKS)
    assert viva.__version__
