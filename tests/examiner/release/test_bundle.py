"""The student bundle: what is in it, what is not, and that it works on a student's machine."""
import json
import os
import shutil
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from doubling import SOLUTION, doubling_cells, write_course
from repository import ROOT
from viva_examiner.course import Course
from viva_examiner.release.bundle import bundle
from viva_examiner.release.problems import Refused
from viva_examiner.release.run import release

COURSE = Course(ROOT)
HOMEWORKS = [name for name in COURSE.homeworks()
             if (ROOT / f"release/{name}/{name}.ipynb").is_file()]


@pytest.fixture(scope="session")
def student(tmp_path_factory):
    """A folder with the unpacked bundle and a virtual environment that has the kit alone.

    The heavy libraries come from this Python by one line in a .pth file; lib/ does not, because
    the .pth files of a directory named in a .pth file are not read.
    """
    home = tmp_path_factory.mktemp("student")
    path = bundle(COURSE, home)
    zipfile.ZipFile(path).extractall(home)
    folder = home / path.stem
    venv.create(folder / ".venv", with_pip=False)
    python = folder / ".venv/bin/python"
    [wheel] = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps",
                    "--no-index", wheel], check=True)
    [own] = (folder / ".venv/lib").glob("python*/site-packages")
    (own / "heavy.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    return folder


def run(student, *words, timeout=300):
    """A command of the student's Python, away from this repository."""
    env = {"PATH": os.environ["PATH"], "HOME": str(student), "OMP_NUM_THREADS": "1",
           "MPLBACKEND": "Agg"}
    return subprocess.run([student / ".venv/bin/python", *words], cwd=student, env=env,
                          capture_output=True, text=True, timeout=timeout)


def entries(path):
    """(name, bytes) of everything in the bundle and in the wheel inside it."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            yield name, archive.read(name)
            if name.endswith(".whl"):
                with archive.open(name) as inner, zipfile.ZipFile(inner) as wheel:
                    yield from ((name, wheel.read(name)) for name in wheel.namelist())


def test_it_holds_what_it_should_and_nothing_of_the_staff(tmp_path):
    found = dict(entries(bundle(COURSE, tmp_path)))
    top = {name.split("/", 1)[1] for name in found if name.startswith("viva-student-")}
    assert {"README.md", "environment.yml", "requirements.txt"} < top
    assert {f"{name}/{name}.ipynb" for name in HOMEWORKS} < top
    assert "viva/__init__.py" in found
    for name, content in found.items():
        assert not name.startswith(("viva_course", "viva_examiner")), name
        assert not name.endswith((".pyc", ".db")), name
        for word in (b"viva_course", b"viva_examiner", b"BEGIN HIDDEN", b"BEGIN SOLUTION",
                     b"Rubric"):
            assert word not in content, f"{name} holds {word.decode()}"


def test_it_is_the_same_to_the_byte(tmp_path):
    first = bundle(COURSE, tmp_path / "a").read_bytes()
    assert bundle(COURSE, tmp_path / "b").read_bytes() == first


def test_the_kit_is_the_wheels_and_the_staff_packages_are_not_there(student):
    told = run(student, "-c", "import viva; print(viva.__file__, viva.__version__)")
    path, version = told.stdout.split()
    assert Path(path).is_relative_to(student) and student.name.endswith(version)
    for name in ("viva_course", "viva_examiner"):
        assert "ModuleNotFoundError" in run(student, "-c", f"import {name}").stderr


def test_the_pins_are_those_of_the_lock(student):
    lock = (ROOT / "requirements.lock").read_text().lower().split()
    *pins, kit = (student / "requirements.txt").read_text().split()
    assert set(pins) <= set(lock) and "torch==2.13.0" in pins
    assert (student / kit).is_file()


def cells_of(student, homework, solved):
    """Runs a copy of the released notebook as it is, or with the staff's solutions filled in."""
    folder = student / ("solved" if solved else "untouched") / homework
    shutil.copytree(student / homework, folder)
    path = folder / f"{homework}.ipynb"
    notebook = json.loads(path.read_text())
    source = json.loads((ROOT / f"source/{homework}/{homework}.ipynb").read_text())
    answers = {cell["id"]: cell["source"] for cell in source["cells"]
               if cell["metadata"].get("nbgrader", {}).get("solution")}
    if solved:
        for cell in notebook["cells"]:
            cell["source"] = answers.get(cell["id"], cell["source"])
        path.write_text(json.dumps(notebook))
    done = run(student, ROOT / "tests/support/run_as_student.py", path)
    assert done.returncode == 0, done.stderr
    log = json.loads((folder / "submission_log.json").read_text())
    return json.loads(done.stdout.splitlines()[-1]), log["exercises"], set(answers)


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_untouched_nothing_crashes(student, homework):
    cells, exercises, answers = cells_of(student, homework, solved=False)
    for cell in cells:
        assert cell["error"] == "" or cell["id"] in answers, cell
        assert cell["stderr"] == "", cell
    assert exercises and all(entry["status"] == "missing" for entry in exercises.values())


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_solved_every_check_passes(student, homework):
    cells, exercises, _ = cells_of(student, homework, solved=True)
    for cell in cells:
        assert cell["error"] == "" and cell["stderr"] == "", cell
    assert {name: entry["status"] for name, entry in exercises.items()} == {
        name: "passed" for name in exercises}
    source = json.loads((ROOT / f"source/{homework}/{homework}.ipynb").read_text())
    names = [cell["metadata"].get("nbgrader", {}).get("grade_id", "") for cell in source["cells"]]
    assert set(exercises) == {name.removeprefix("check_") for name in names if "check_" in name}


def test_a_homework_that_is_not_fit_is_not_bundled(tmp_path, empty_gradebook):
    course = write_course(tmp_path, doubling_cells())
    shutil.copy(empty_gradebook, tmp_path)
    with pytest.raises(Refused, match="was never released"):
        bundle(course, tmp_path / "dist")
    release(course, "doubling")
    path = tmp_path / "release/doubling/doubling.ipynb"
    notebook = json.loads(path.read_text())
    notebook["cells"][2]["source"] = SOLUTION
    path.write_text(json.dumps(notebook))
    with pytest.raises(Refused, match="shows a line of the solution"):
        bundle(course, tmp_path / "dist")
    assert not (tmp_path / "dist").exists()
