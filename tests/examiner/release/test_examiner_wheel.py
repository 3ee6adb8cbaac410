"""viva-examiner, installed where torch, matplotlib and scikit-learn are not, grades a course."""

import email
import importlib.metadata
import os
import shutil
import subprocess
import tomllib
import venv
import zipfile
from pathlib import Path

import nbgrader
import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import courses
from repository import ROOT
from viva_examiner.course import Course
from viva_examiner.failure import EXTRAS
from viva_examiner.release.wheels import examiner_wheel

NOT_NEEDED = ("torch", "matplotlib", "sklearn", "viva_course")
QUICKSTART = Path(nbgrader.__file__).parent / "docs/source/user_guide/source"
TESTS = {"correct_squares": 1, "squares_invalid_input": 1, "correct_sum_of_squares": 0.5,
         "sum_of_squares_uses_squares": 0.5}


def needs_of(name: str, extras=("",), found=None) -> set[str]:
    """The distributions that pip would install for this one, itself included."""
    found = set() if found is None else found
    for text in importlib.metadata.requires(name) or ():
        need = Requirement(text)
        if need.marker is not None and not any(need.marker.evaluate({"extra": e}) for e in extras):
            continue
        key = (need.name.lower().replace("_", "-"), tuple(sorted(need.extras)))
        if key not in found:
            found.add(key)
            needs_of(need.name, (*need.extras, ""), found)
    return {each for each, _ in found}


def install(name: str, site: Path) -> None:
    """The files of an installed distribution, as links, in another environment."""
    for file in importlib.metadata.files(name) or ():
        source, place = Path(file.locate()), site / str(file)
        if ".." in file.parts or file.suffix == ".pyc" or not source.is_file():
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            try:
                os.link(source, place)
            except OSError:  # another file system
                place.write_bytes(source.read_bytes())


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of an environment with the wheel, what it needs, and nothing else."""
    root = tmp_path_factory.mktemp("adopter")
    wheel = examiner_wheel(ROOT / "lib", root)
    project = tomllib.loads((ROOT / "lib/examiner.toml").read_text())["project"]
    venv.create(root / "env", symlinks=True)
    zipfile.ZipFile(wheel).extractall(root / "unpacked")
    [site] = (root / "env/lib").glob("python*/site-packages")
    direct = {Requirement(text).name for text in project["dependencies"]}
    for name in direct.union(*map(needs_of, direct)):
        install(name, site)
    zipfile.ZipFile(wheel).extractall(site)
    return root / "env/bin/python"


def test_its_metadata_is_what_an_index_shows(python):
    [about] = (python.parents[2] / "unpacked").glob("viva_examiner-*.dist-info")
    said = email.message_from_string((about / "METADATA").read_text())
    assert said["Description-Content-Type"] == "text/markdown"
    assert said.get_payload().startswith("# The examiner in your own nbgrader course")
    assert said["License-Expression"] == "BSD-3-Clause" and said["License-File"] == "LICENSE"
    named = [each.rsplit(" ", 1)[1] for each in said.get_all("Classifier") if ":: 3." in each]
    fits = SpecifierSet(said["Requires-Python"])
    assert named == [f"3.{minor}" for minor in range(8, 20) if f"3.{minor}" in fits]
    assert set(said.get_all("Provides-Extra")) == set(EXTRAS.values())


LATER = ("doctor", "explain ps1 ada", "report ps1", "export ps1")
NOT_FOR_THEM = ("demo", "audit ps1", "new x y:1", "grade-log ps1")  # each says why in a sentence


def test_its_needs_are_the_courses_with_equal_bounds():
    course, alone = (tomllib.loads((ROOT / name).read_text())["project"]
                     for name in ("pyproject.toml", "lib/examiner.toml"))
    extras = alone["optional-dependencies"]
    known = {*course["dependencies"], *(text for name in ("cluster", "postgres")
                                        for text in course["optional-dependencies"][name]),
             "numpy>=1.26,<3"}  # an adopter's notebooks may be older than ours; the kit's own bound
    assert {*alone["dependencies"], *(text for texts in extras.values() for text in texts)} <= known
    assert set(extras) == set(EXTRAS.values())


def test_what_an_extra_brings_is_asked_for_in_a_sentence(python, course):
    """Without Dask and the LMS's libraries, their commands say what to install."""
    for words, extra in (("autograde ps1 --cluster tcp://127.0.0.1:1", "cluster"),
                         ("cluster keys", "cluster"), ("lms push ps1", "lms")):
        done = subprocess.run([python, "-m", "viva_examiner.cli", *words.split()], cwd=course.root,
                              capture_output=True, text=True)
        assert done.returncode == 2 and "Traceback" not in done.stderr, f"{words}\n{done.stderr}"
        if "not installed" in done.stderr:
            assert f"viva-examiner[{extra}]" in done.stderr
        else:
            assert words.startswith("lms")  # it is not connected, and says so first


@pytest.fixture
def course(tmp_path):
    """nbgrader's quickstart, with its own solution and the untouched notebooks handed in."""
    root = tmp_path / "course"
    shutil.copytree(QUICKSTART / "ps1", root / "source" / "ps1")
    (root / "nbgrader_config.py").write_text(courses.EXAMINED.format(root=str(root), extra=""))
    (root / "gradebook.db").write_bytes(courses.empty_gradebook())
    courses.nbgrader_here(root, "generate_assignment", "ps1")
    shutil.copytree(root / "source" / "ps1", root / "submitted" / "ada" / "ps1")
    shutil.copytree(root / "release" / "ps1", root / "submitted" / "bob" / "ps1")
    return Course(root)


def test_it_grades_without_torch_and_without_our_homeworks(python, course):
    absent = f"import importlib.util as u; assert not any(map(u.find_spec, {NOT_NEEDED}))"
    subprocess.run([python, "-c", absent], cwd=course.root, check=True)
    done = subprocess.run([python, "-m", "viva_examiner.cli", "autograde", "ps1"], cwd=course.root,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ada, problem1: 3 of 3, 3 wait for a TA" in done.stdout
    marks = courses.grades(course, "ps1")
    for name, points in TESTS.items():
        assert marks["ada", name][0] == points and marks["bob", name][0] == 0, name
    for words in (*LATER, *NOT_FOR_THEM):
        done = subprocess.run([python, "-m", "viva_examiner.cli", *words.split()], cwd=course.root,
                              capture_output=True, text=True)
        said = done.stdout + done.stderr
        assert (done.returncode == 0) == (words in LATER), f"{words}\n{said}"
        assert "Traceback" not in said and len(said.splitlines()) < 40, f"{words}\n{said}"
