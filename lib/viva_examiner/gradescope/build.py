"""Build the zip that Gradescope takes as an autograder of one homework.

    setup.sh  run_autograder        what Gradescope calls
    order.json                      the released notebook with its hidden tests, limits, the secret
    requirements.txt                what the course needs, constraints.txt at which versions
    wheels/                         the course and the examiner, and any wheels staff add

The zip holds the exam: it is for Gradescope, never for students.
"""

import json
import re
import sys
import tempfile
import tomllib
from pathlib import Path

import viva
from viva_examiner.autograde.run import order_of
from viva_examiner.files import write_whole, zipped
from viva_examiner.gradebook.released import load
from viva_examiner.gradescope.scripts import RUN, SETUP
from viva_examiner.release.wheels import course_wheel

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
EXECUTABLE = ("setup.sh", "run_autograder")
UNUSED = ("jupyterlab",)  # by an autograder
CHECKOUT = Path(__file__).parents[3]  # the repository that this examiner runs from


class NoCheckout(Exception):
    """The examiner was installed without its repository; a zip cannot be built from that."""


class SeveralNotebooks(Exception):
    """The homework has more notebooks than an autograder takes."""


def build(course, homework: str, target: Path, visibility: str = "visible", wheels=()) -> Path:
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
    order = order_of(course, released) | {
        "hide": [],  # the machine there holds nothing else of the course
        "answers": "",  # and forgets everything
        "homework": homework, "visibility": visibility}
    with tempfile.TemporaryDirectory(prefix="viva-gradescope-") as work:
        wheel = course_wheel(CHECKOUT, Path(work))
        entries = {
            "setup.sh": script(SETUP, homework).encode(),
            "run_autograder": script(RUN, homework).encode(),
            "order.json": json.dumps(order, indent=1, sort_keys=True).encode(),
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
                   if re.match(r"[\w.-]+", text).group() not in UNUSED)
