"""Build the zip that Gradescope takes as an autograder of one homework.

    setup.sh  run_autograder        what Gradescope calls
    task.json                       the released notebook with its hidden tests, limits, the secret
    requirements.txt                what the course needs, constraints.txt at which versions
    wheels/                         the course and the examiner, and any wheels staff add

The zip holds the exam: it is for Gradescope, never for students.
"""

import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import viva
from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.examination.orders import order_of
from viva_examiner.failure import Failure
from viva_examiner.files import zipped
from viva_examiner.gradebook.released_rows import load
from viva_examiner.gradebook.submissions import profiles_of
from viva_examiner.gradescope.scripts import RUN, SETUP
from viva_examiner.gradescope.task import Task
from viva_examiner.release.wheels import course_wheel
from viva_examiner.sandbox.isolation import OTHER_USER

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
EXECUTABLE = ("setup.sh", "run_autograder")
UNUSED = ("jupyterlab",)  # by an autograder
CHECKOUT = Path(__file__).parents[3]  # the repository that this examiner runs from


class NoCheckout(Failure):
    """The examiner was installed without its repository; a zip cannot be built from that."""


class SeveralNotebooks(Failure):
    """The homework has more notebooks than an autograder takes."""


def build(course: Course, homework: str, target: Path, visibility: str = "visible",
          wheels: Iterable[Path | str] = ()) -> Path:
    """The zip of a released homework in the directory `target`; its path.

    wheels: further wheels to put in, for libraries that Gradescope should not fetch
    """
    if not (CHECKOUT / "pyproject.toml").is_file():
        raise NoCheckout("run it from the course's repository: the zip is built from its lib/")
    released = load(course, homework)
    if len(released) > 1:
        names = ", ".join(each.notebook for each in released)
        raise SeveralNotebooks(f"{homework} has {len(released)} notebooks ({names}) and an "
                               "autograder on Gradescope examines one: give each notebook a "
                               "homework of its own, or use viva autograde")
    order = replace(order_of(course, released),
                    hide=(),  # the machine there holds nothing else of the course
                    answers="",  # and forgets everything
                    isolation="", fallback=OTHER_USER)  # a container may refuse namespaces
    task = Task(order, homework, visibility, tuple(profiles_of(course)))
    with tempfile.TemporaryDirectory(prefix="viva-gradescope-") as work:
        wheel = course_wheel(CHECKOUT, Path(work))
        entries = {
            "setup.sh": script(SETUP, homework).encode(),
            "run_autograder": script(RUN, homework).encode(),
            "task.json": json.dumps(task.to_plain(), indent=1).encode(),
            "requirements.txt": requirements(CHECKOUT).encode(),
            "constraints.txt": (CHECKOUT / "requirements.lock").read_bytes(),
            f"wheels/{wheel.name}": wheel.read_bytes(),
        }
    entries |= {f"wheels/{path.name}": path.read_bytes() for path in map(Path, wheels)}
    path = target / f"gradescope-{homework}.zip"
    write_whole(path, zipped(entries, EXECUTABLE), mode=0o600)  # it holds the secret
    return path


def script(text: str, homework: str) -> str:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    package = f"viva-course=={viva.__version__}"
    return text.replace("@PYTHON@", python).replace("@PACKAGE@", package).replace(
        "@HOMEWORK@", homework)


def requirements(root: Path) -> str:
    """What the course needs to grade."""
    needs = tomllib.loads((root / "pyproject.toml").read_text())["project"]["dependencies"]
    return "".join(f"{text}\n" for text in needs
                   if re.split(r"[^\w.-]", text)[0] not in UNUSED)
