"""Wheels of the student kit, of the examiner alone and of the whole course, from clean copies."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

from viva_examiner.release.problems import Problem, ReleaseRefused

KIT = "viva"
BUILD = "from setuptools import build_meta; build_meta.build_wheel('..')"
EPOCH = "315619200"  # the zip format's first moment


def kit_wheel(lib: Path, work: Path) -> Path:
    """The wheel of the student kit; Refused if anything but the kit got in."""
    licence = [lib.parent / "LICENSE"] if (lib.parent / "LICENSE").is_file() else []
    copy = {path: path.relative_to(lib) for path in _packaged(lib / KIT, lib / "pyproject.toml")}
    copy |= {path: Path(path.name) for path in (lib / "pyproject.toml", *licence)}
    wheel = _built(copy, work)
    names = zipfile.ZipFile(wheel).namelist()
    foreign = [name for name in names if name.split("/")[0].split("-")[0] not in (KIT, "viva_kit")]
    if foreign:
        raise ReleaseRefused("the student kit", [Problem(
            foreign[0], "does not belong in the wheel",
            "look at packages.find in lib/pyproject.toml")])
    return wheel


def course_wheel(root: Path, work: Path) -> Path:
    """The wheel of kit, course and examiner together, for staff's machines only."""
    files = [*_packaged(root / "lib", root / "pyproject.toml"), root / "pyproject.toml",
             root / "LICENSE"]
    return _built({path: path.relative_to(root) for path in files}, work)


def examiner_wheel(lib: Path, work: Path) -> Path:
    """The wheel of the examiner for other courses: the kit's core, none of our homeworks."""
    project = lib / "examiner.toml"
    rooms = (lib / KIT, lib / KIT / "voce")
    core = [path for path in _packaged(lib / KIT, project) if path.parent in rooms]
    files = [*core, *_packaged(lib / "viva_examiner", project)]
    copy = {path: path.relative_to(lib) for path in files}
    copy |= {project: Path("pyproject.toml"), lib.parent / "LICENSE": Path("LICENSE"),
             lib.parent / "docs" / "adopt.md": Path("README.md")}
    return _built(copy, work)


def _packaged(folder: Path, project: Path) -> list[Path]:
    """Code, and the kinds of data files that the project itself declares."""
    declared = tomllib.loads(project.read_text())["tool"]["setuptools"]["package-data"]
    kinds = {".py", *(Path(pattern).suffix for some in declared.values() for pattern in some)}
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in kinds]


def _built(files: dict[Path, Path], work: Path) -> Path:
    """The wheel of a copy of these files; {where a file is: where it goes}."""
    copy = work / "copy"
    for path, place in files.items():
        new = copy / place
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(path.read_bytes())
        new.chmod(0o644)
    done = subprocess.run([sys.executable, "-c", BUILD], cwd=copy, capture_output=True, text=True,
                          env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH})
    if done.returncode != 0:
        raise ReleaseRefused("the wheel", [Problem("setuptools", done.stderr[-2000:].strip(),
                                                   "fix pyproject.toml, then build it again")])
    [wheel] = work.glob("*.whl")
    return wheel
