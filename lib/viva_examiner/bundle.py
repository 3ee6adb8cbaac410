"""The student bundle: what a student downloads, one zip, the same bytes on every run.

    viva-student-<version>/
        README.md  environment.yml  requirements.txt
        viva_kit-<version>-py3-none-any.whl       the package viva, nothing else
        <homework>/<homework>.ipynb               as released, with its data files
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from viva_examiner.bundle_text import environment, readme, requirements
from viva_examiner.refusals import read, released_problems
from viva_examiner.refusals_problem import Problem, Refused, graded

KIT = "viva"
KIT_FILES = {".py", ".json", ".safetensors", ".npz", ".css", ".html", ".js"}
MOMENT = (1980, 1, 1, 0, 0, 0)  # the zip format's first; every entry has it


def bundle(course, target):
    """Builds the zip into the directory target and returns its path; raises Refused."""
    homeworks = [homework_of(course, name) for name in course.homeworks()]
    with tempfile.TemporaryDirectory(prefix="viva-bundle-") as work:
        wheel = build_wheel(course.root / "lib", Path(work))
        version = wheel.name.split("-")[1]
        top = f"viva-student-{version}"
        pins = requirements(student_pins(course.root), wheel.name)
        entries = {
            f"{top}/README.md": readme(homeworks, version, course.settings).encode(),
            f"{top}/environment.yml": environment().encode(),
            f"{top}/requirements.txt": pins.encode(),
            f"{top}/{wheel.name}": wheel.read_bytes(),
        }
    for homework in homeworks:
        folder = homework["folder"]
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            if ".ipynb_checkpoints" not in path.parts:
                entries[f"{top}/{folder.name}/{path.relative_to(folder)}"] = path.read_bytes()
    target = Path(target)
    target.mkdir(parents=True, exist_ok=True)
    return write_zip(target / f"{top}.zip", entries)


def homework_of(course, name):
    """Name, title, points and released folder of a homework; Refused if not fit to hand out."""
    folder = Path(course.path("release", ".", name))
    notebook = folder / f"{name}.ipynb"
    if not notebook.is_file():
        raise Refused(name, [Problem("the release", f"{name} was never released",
                                     f"run `viva release {name}`")])
    released = read(notebook)
    source = Path(course.path("source", ".", name)) / f"{name}.ipynb"
    problems = released_problems(source, released)
    if problems:
        raise Refused(name, problems)
    heading = re.search(r"^# (.+)$", released.cells[0].source if released.cells else "", re.M)
    points = sum(graded(cell).get("points", 0) for cell in released.cells)
    return {"name": name, "title": heading.group(1) if heading else name, "points": points,
            "folder": folder}


def build_wheel(lib, work):
    """The wheel of the student kit, built from a clean copy so that nothing else can get in."""
    copy = work / "kit"
    for path in sorted((lib / KIT).rglob("*")):
        if path.is_file() and path.suffix in KIT_FILES:
            new = copy / path.relative_to(lib)
            new.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, new)
            new.chmod(0o644)
    shutil.copyfile(lib / "pyproject.toml", copy / "pyproject.toml")
    if (lib.parent / "LICENSE").is_file():
        shutil.copyfile(lib.parent / "LICENSE", copy / "LICENSE")
    command = "from setuptools import build_meta; build_meta.build_wheel('..')"
    subprocess.run([sys.executable, "-c", command], cwd=copy, check=True, capture_output=True,
                   env={**os.environ, "SOURCE_DATE_EPOCH": "315619200"})
    [wheel] = work.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    foreign = [name for name in names if name.split("/")[0].split("-")[0] not in (KIT, "viva_kit")]
    if foreign:
        raise Refused("the student kit", [Problem(foreign[0], "does not belong into the wheel",
                                                  "look at packages.find in lib/pyproject.toml")])
    return wheel


def student_pins(root):
    """{package: exact version} of what the kit needs, and JupyterLab, as in requirements.lock."""
    lock = dict(line.split("==") for line in (root / "requirements.lock").read_text().split())
    lock = {name.lower(): version for name, version in lock.items()}
    kit = tomllib.loads((root / "lib/pyproject.toml").read_text())["project"]["dependencies"]
    names = [re.match(r"[\w.-]+", text).group().lower() for text in kit]
    return {name: lock[name] for name in [*names, "jupyterlab"]}


def write_zip(path, entries):
    """Writes {name: bytes} as a zip that depends on nothing else; complete or not at all."""
    new = path.with_name(f".{path.name}.new")
    with zipfile.ZipFile(new, "w") as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, MOMENT)
            info.external_attr = 0o100644 << 16
            info.create_system = 3  # unix, wherever it was built
            archive.writestr(info, entries[name], zipfile.ZIP_DEFLATED, 9)
    os.replace(new, path)
    return path
