"""A student's machine: the unpacked bundle, and a Python that has nothing of the staff's."""

import json
import os
import shutil
import site
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

from repository import ROOT
from shown import Shown
from viva_examiner.course import Course
from viva_examiner.notebook.metadata import grade_id, has_role
from viva_examiner.release.student_bundle import bundle

COURSE = Course(ROOT)
STUDENT = "ada"
HOMEWORKS = [name for name in COURSE.homeworks()
             if (ROOT / f"release/{name}/{name}.ipynb").is_file()]


def set_up(home: Path) -> Path:
    """The folder with the unpacked bundle and a virtual environment that has the kit alone."""
    path = bundle(COURSE, home)
    zipfile.ZipFile(path).extractall(home)
    folder = home / path.stem
    python = without_kit(folder / ".venv")
    [wheel] = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps",
                    "--no-index", wheel], check=True)
    return folder


def without_kit(folder: Path) -> Path:
    """The Python of a new virtual environment with what is here, but with none of our packages.

    The libraries come from this Python by one line in a .pth file; lib/ does not, because the .pth
    files of a directory named in a .pth file are not read.
    """
    venv.create(folder, with_pip=False)
    [own] = (folder / "lib").glob("python*/site-packages")
    (own / "heavy.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    return folder / "bin/python"


def run(student, *words, timeout=1800):
    """A command of the student's Python, away from this repository; without training that takes
    minutes, which has tests of its own."""
    env = {"PATH": os.environ["PATH"], "HOME": str(student), "OMP_NUM_THREADS": "1",
           "MPLBACKEND": "Agg", "VIVA_TRAIN": "0", "VIVA_STUDENT": STUDENT}
    return subprocess.run([student / ".venv/bin/python", *words], cwd=student, env=env,
                          capture_output=True, text=True, timeout=timeout)


def source_cells(homework: str) -> list[dict]:
    """The cells of the staff's notebook."""
    return json.loads((ROOT / f"source/{homework}/{homework}.ipynb").read_text())["cells"]


def answers_of(homework: str) -> dict[str, str]:
    """{cell id: what the staff wrote} of the cells that students fill in."""
    return {cell["id"]: cell["source"] for cell in source_cells(homework)
            if has_role(cell, "solution")}


def shown(homework: str, solved: bool) -> Shown:
    """What a run of `run_notebooks` rests on."""
    here = Path(__file__)
    return Shown(homework, "solved" if solved else "untouched", ROOT / "release" / homework,
                 ROOT / "source" / homework, here, here.with_name("run_as_student.py"),
                 ROOT / "tests/examiner/release", ROOT / "lib/viva_examiner/release",
                 ROOT / "lib/pyproject.toml")


def run_notebooks(machine: Callable[[], Path], solved: bool) -> dict[str, tuple[list, dict]]:
    """{homework: (what each code cell did, the log's exercises)} of the released notebooks that
    have changed since they passed.

    As they are, or with the staff's solutions filled in; one after the other, from one process
    that has imported the libraries once, on a student's machine.
    """
    changed = [homework for homework in HOMEWORKS if not shown(homework, solved).before]
    if not changed:
        return {}
    paths, student = [], machine()
    for homework in changed:
        folder = student / ("solved" if solved else "untouched") / homework
        shutil.copytree(student / homework, folder)
        paths.append(folder / f"{homework}.ipynb")
        if solved:
            notebook, answers = json.loads(paths[-1].read_text()), answers_of(homework)
            for cell in notebook["cells"]:
                cell["source"] = answers.get(cell["id"], cell["source"])
            paths[-1].write_text(json.dumps(notebook))
    done = run(student, ROOT / "tests/support/run_as_student.py", *paths)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()[-len(paths):]
    return {path.stem: (json.loads(line), logged(path.parent))
            for path, line in zip(paths, lines, strict=True)}


def logged(folder: Path) -> dict:
    """The exercises in the log that a run left; none if it left no log."""
    path = folder / "submission_log.json"
    return json.loads(path.read_text())["exercises"] if path.is_file() else {}


def checks_of(homework: str) -> set[str]:
    """The exercises that the staff's notebook checks."""
    names = map(grade_id, source_cells(homework))
    return {name.removeprefix("check_") for name in names if name.startswith("check_")}
