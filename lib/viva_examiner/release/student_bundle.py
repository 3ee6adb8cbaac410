"""The student bundle: what a student downloads, one zip, the same bytes on every run.

    viva-student-<version>/
        README.md  environment.yml  requirements.txt  as_graded.txt
        viva_kit-<version>-py3-none-any.whl       the package viva, nothing else
        <homework>/<homework>.ipynb               as released, with its data files
"""
import re
import tempfile
import tomllib
from pathlib import Path

from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.files import zipped
from viva_examiner.notebook.metadata import graded
from viva_examiner.release.bundle_text import Homework, as_graded, environment, readme, requirements
from viva_examiner.release.problems import Problem, ReleaseRefused
from viva_examiner.release.refusals import read
from viva_examiner.release.released_faults import problems_of_released
from viva_examiner.release.wheels import kit_wheel


def bundle(course: Course, target: Path) -> Path:
    """Builds the zip into the directory target and returns its path; raises Refused."""
    if not (course.root / "lib" / "pyproject.toml").is_file():
        raise ReleaseRefused("the bundle", [Problem(
            "lib/", "this course has no student kit of its own",
            "hand out release/, as nbgrader does")])
    homeworks = [homework_of(course, name) for name in course.term()]
    with tempfile.TemporaryDirectory(prefix="viva-bundle-") as work:
        wheel = kit_wheel(course.root / "lib", Path(work))
        version = wheel.name.split("-")[1]
        top = f"viva-student-{version}"
        pins = student_pins(course.root)
        entries = {
            f"{top}/README.md": readme(homeworks, version, course.limits, pins).encode(),
            f"{top}/environment.yml": environment().encode(),
            f"{top}/requirements.txt": requirements(wheel.name).encode(),
            f"{top}/as_graded.txt": as_graded(pins).encode(),
            f"{top}/{wheel.name}": wheel.read_bytes(),
        }
    for homework in homeworks:
        folder = homework.folder
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            if ".ipynb_checkpoints" not in path.parts:
                entries[f"{top}/{folder.name}/{path.relative_to(folder)}"] = path.read_bytes()
    path = Path(target) / f"{top}.zip"
    write_whole(path, zipped(entries))
    return path


def homework_of(course: Course, name: str) -> Homework:
    """Name, title, points and released folder of a homework; Refused if not fit to hand out."""
    folder = Path(course.path("release", ".", name))
    notebook = folder / f"{name}.ipynb"
    if not notebook.is_file():
        raise ReleaseRefused(name, [Problem("the release", f"{name} has never been released",
                                            f"run `viva release {name}`")])
    released = read(notebook)
    source = Path(course.path("source", ".", name)) / f"{name}.ipynb"
    problems = list(problems_of_released(read(source), released))
    if problems:
        raise ReleaseRefused(name, problems)
    heading = re.search(r"^# (.+)$", released.cells[0].source if released.cells else "", re.M)
    points = sum(graded(cell).get("points", 0) for cell in released.cells)
    return Homework(name, heading.group(1) if heading else name, points, folder)


def student_pins(root: Path) -> dict[str, str]:
    """{package: exact version} of what the kit needs, and JupyterLab, as in requirements.lock."""
    lock = dict(line.split("==") for line in (root / "requirements.lock").read_text().split())
    lock = {name.lower(): version for name, version in lock.items()}
    kit = tomllib.loads((root / "lib/pyproject.toml").read_text())["project"]["dependencies"]
    names = [found[0].lower() for text in kit if (found := re.match(r"[\w.-]+", text))]
    return {name: lock[name] for name in [*names, "jupyterlab"]}
