"""The student bundle: what is in it, and what is not."""
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from doubling import SOLUTION, doubling_cells, write_course
from repository import ROOT
from student_machine import COURSE, HOMEWORKS, run
from viva_examiner.course import Course
from viva_examiner.release.problems import ReleaseRefused
from viva_examiner.release.releasing import release
from viva_examiner.release.student_bundle import bundle


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
    assert {"README.md", "environment.yml", "requirements.txt", "as_graded.txt"} < top
    assert {f"{name}/{name}.ipynb" for name in HOMEWORKS} < top
    assert "viva/__init__.py" in found
    for name, content in found.items():
        assert not name.startswith(("viva_course", "viva_examiner")), name
        assert not name.endswith((".pyc", ".db")), name
        for word in (b"viva_course", b"viva_examiner", b"BEGIN HIDDEN", b"BEGIN SOLUTION",
                     b"Rubric", b"claim:", b"/claim"):
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


def test_students_may_have_other_versions_than_the_grader(student):
    """requirements.txt pins nothing; as_graded.txt, which is optional, has the lock's versions."""
    kit, lab = (student / "requirements.txt").read_text().split()
    assert (student / kit).is_file() and lab == "jupyterlab>=4"
    lock = (ROOT / "requirements.lock").read_text().lower().split()
    pins = (student / "as_graded.txt").read_text().split()
    assert set(pins) <= set(lock) and "torch==2.13.0" in pins


def test_its_page_lists_the_homeworks_in_the_order_of_the_term(student):
    """That of the plan, where two share a week; README and docs/course.md have the same."""
    page = (student / "README.md").read_text()
    listed = re.findall(r"^\| `(\w+)/\1\.ipynb` \|", page, re.M)
    assert listed == COURSE.settings.term and set(listed) == set(HOMEWORKS)
    plan = (ROOT / "docs/course.md").read_text()
    weeks = re.findall(r"^\| \d+ \| (.+?) \|", plan, re.M)
    assert listed != sorted(listed), "else this test shows nothing"
    taught = [name for week in weeks for name in re.findall(r"`(\w+)`", week)]
    assert sorted(taught) == sorted(listed)
    first = [re.findall(r"`(\w+)`", week)[0] for week in weeks]
    assert [name for name in listed if name in first] == first


def test_a_course_without_an_order_lists_by_name(tmp_path):
    for name in ("b", "a", "c"):
        (tmp_path / "source" / name).mkdir(parents=True)
        (tmp_path / "source" / name / f"{name}.ipynb").touch()
    config = tmp_path / "nbgrader_config.py"
    for term, order in (("[]", "abc"), ('["c", "gone"]', "cab")):
        config.write_text(f"c = get_config()\nc.Examiner.term = {term}\n")
        assert "".join(Course(tmp_path).term()) == order


@pytest.mark.parametrize("system, python", [
    ("Linux", ".venv/bin/python"), ("macOS", ".venv/bin/python"),
    ("Windows", r".venv\Scripts\python")])
def test_its_page_has_the_commands_of_each_system(student, system, python):
    """An environment, the CPU build of torch, then the rest; make test-kit runs those of Linux."""
    page = (student / "README.md").read_text()
    [block] = re.findall(rf"^### {system}\n```\n(.*?)```", page, re.S | re.M)
    environment, torch, rest = block.splitlines()
    assert environment in ("python3 -m venv .venv", "py -m venv .venv")
    assert torch.startswith(f"{python} -m pip install torch")
    assert ("/whl/cpu" in torch) == (system == "Linux"), "elsewhere pip's default is the CPU build"
    assert rest == f"{python} -m pip install -r requirements.txt"


def test_its_command_says_that_the_kit_works(student):
    told = run(student, student / ".venv/bin/viva", "doctor", "--student")
    assert told.returncode == 0 and "The kit works here." in told.stdout, told.stdout


def test_the_versions_that_grade_are_what_it_asks_for(student):
    """The page's command for them, where they are: pip has nothing to do."""
    [line] = re.findall(r"^.*-c as_graded.txt$", (student / "README.md").read_text(), re.M)
    program, *words = line.split()
    assert program == ".venv/bin/python" and words[:3] == ["-m", "pip", "install"]
    done = subprocess.run([sys.executable, "-m", "pip", "--python", program, *words[2:],
                           "--no-index"], cwd=student, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Collecting" not in done.stdout


def test_a_homework_that_is_not_fit_is_not_bundled(tmp_path, empty_gradebook):
    course = write_course(tmp_path, doubling_cells())
    shutil.copy(empty_gradebook, tmp_path)
    with pytest.raises(ReleaseRefused, match="has no student kit of its own"):
        bundle(course, tmp_path / "dist")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/pyproject.toml").touch()
    with pytest.raises(ReleaseRefused, match="has never been released"):
        bundle(course, tmp_path / "dist")
    release(course, "doubling")
    path = tmp_path / "release/doubling/doubling.ipynb"
    notebook = json.loads(path.read_text())
    notebook["cells"][2]["source"] = SOLUTION
    path.write_text(json.dumps(notebook))
    with pytest.raises(ReleaseRefused, match="shows a line of the solution"):
        bundle(course, tmp_path / "dist")
    assert not (tmp_path / "dist").exists()
