"""The lock, the bounds and the conda environment say the same; the machine obeys the lock."""
import os
import re
import shutil
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from repository import ROOT
from viva import doctor

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
KIT = tomllib.loads((ROOT / "lib/pyproject.toml").read_text())["project"]
LOCK_LINES = (ROOT / "requirements.lock").read_text().splitlines()
LOCK = {canonicalize_name(name): Version(version)
        for name, version in (line.split("==") for line in LOCK_LINES)}
EXTRAS = ("test", "cluster", "postgres", "browser", "site")  # what make test, test-browser need
NEEDED = [Requirement(text) for group in
          (PROJECT["dependencies"], *map(PROJECT["optional-dependencies"].get, EXTRAS))
          for text in group]


def test_the_lock_is_exact_and_names_no_place():
    for line in LOCK_LINES:
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", line), line
    assert str(LOCK["torch"]) == "2.13.0"


def test_the_lock_satisfies_the_bounds():
    for requirement in NEEDED + [Requirement(r) for r in KIT["dependencies"]]:
        assert LOCK[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def needs(name):
    """The requirements of an installed package on this machine, without its extras."""
    for text in metadata.requires(name) or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement


def test_the_lock_holds_what_its_packages_need():
    for name in LOCK:
        for requirement in needs(name):
            dependency = canonicalize_name(requirement.name)
            if name == "torch" and dependency not in LOCK:
                continue  # the CUDA build brings its own libraries, with exact pins
            assert LOCK[dependency] in requirement.specifier, f"{name} needs {requirement}"


def test_what_is_installed_is_what_is_locked():
    for name, version in LOCK.items():
        assert Version(metadata.version(name).partition("+")[0]) == version, name


def test_conda_gets_the_same_versions():
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert "python>=3.11,<3.14" in dependencies
    lines = next(d for d in dependencies if isinstance(d, dict))["pip"]
    assert "--constraint requirements.lock" in lines and "--editable ." in lines
    pins = [Requirement(line) for line in lines if not line.startswith("--")]
    assert {(canonicalize_name(pin.name), str(pin.specifier)) for pin in pins} == {
        (name, f"=={LOCK[name]}") for name in (canonicalize_name(r.name) for r in NEEDED)}


def test_the_kit_needs_nothing_that_the_course_does_not_have():
    """Its bounds are wider: students have other versions than the machine that grades."""
    names = [{Requirement(text).name for text in project["dependencies"]}
             for project in (KIT, PROJECT)]
    assert names[0] <= names[1]
    assert SpecifierSet(KIT["requires-python"]).contains("3.11")


def test_the_kits_doctor_knows_the_kits_bounds():
    bounds = {Requirement(text).name: Requirement(text).specifier for text in KIT["dependencies"]}
    assert set(doctor.NEEDED) == set(bounds)
    for name, (oldest, below) in doctor.NEEDED.items():
        said = f">={oldest}" + (f",<{below}" if below else "")
        assert bounds[name] == SpecifierSet(said), name
    oldest, below = doctor.PYTHON
    assert SpecifierSet(KIT["requires-python"]) == SpecifierSet(f">={oldest},<{below}")


def test_every_direct_dependency_has_its_reason():
    for path in (ROOT / "pyproject.toml", ROOT / "lib/pyproject.toml"):
        for line in path.read_text().splitlines():
            if re.match(r'\s+"[A-Za-z0-9-]+(\[\w+\])?[><=]=', line):
                assert re.search(r",\s+# \S+", line), f"{path.name}: {line.strip()}"


def make(folder, *pythons):
    """`make setup` in a fresh folder, on a machine that has only these Python commands."""
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    tools = folder / "bin"
    tools.mkdir()
    (tools / "touch").symlink_to(shutil.which("touch"))
    for name, script in pythons:
        (tools / name).write_text("#!/bin/sh\n" + script)
        (tools / name).chmod(0o755)
    return subprocess.run([shutil.which("make"), "setup"], cwd=folder, capture_output=True,
                          text=True, env={"PATH": str(tools)})


def test_without_a_python_that_fits_set_up_says_so(tmp_path):
    run = make(tmp_path, ("python3", "exit 1\n"))
    assert run.returncode != 0 and not (tmp_path / ".venv").exists()
    assert "Viva needs Python 3.11, 3.12 or 3.13" in run.stderr


def test_set_up_runs_once_and_again_when_the_lock_changes(tmp_path):
    """With a stand-in for Python that notes what it is asked to do."""
    note = f'echo "$*" >> {tmp_path}/asked\n'
    venv = 'if [ "$2" = venv ]; then mkdir -p .venv/bin; cp bin/python3 .venv/bin/python; fi\n'
    copy = f"PATH={os.environ['PATH']}\n"
    run = make(tmp_path, ("python3", copy + note + venv))
    assert run.returncode == 0, run.stderr
    asked = (tmp_path / "asked").read_text()
    assert asked.startswith("-c import sys") and "-m venv .venv" in asked
    assert "-r requirements.lock" in asked and "--editable ." in asked
    again = [shutil.which("make"), "--question", "setup"]
    assert subprocess.run(again, cwd=tmp_path).returncode == 0
    ready = (tmp_path / ".venv/.ready").stat().st_mtime
    os.utime(tmp_path / "requirements.lock", (ready + 1, ready + 1))
    assert subprocess.run(again, cwd=tmp_path).returncode == 1


def test_committed_files_name_no_machine():
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True,
                           check=True)
    places = re.compile(r"/opt/(pypi|wheels)|/work/(main|shared)|extra-index-url\s*=")
    here = Path(__file__).name
    for name in files.stdout.split():
        path = ROOT / name
        if path.suffix in {".png", ".npz", ".safetensors"} or path.name == here:
            continue
        if path.is_file():
            found = places.search(path.read_text(errors="replace"))
            assert not found, f"{name} names a place of one machine: {found.group()}"
