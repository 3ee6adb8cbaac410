"""Build the zip that Gradescope takes as an autograder of one homework.

    setup.sh  run_autograder        what Gradescope calls
    order.json                      the released notebook with its hidden tests, limits, the secret
    requirements.txt                what the course needs, constraints.txt at which versions
    wheels/                         the course and the examiner, and any wheels staff add

The zip holds the exam: it is for Gradescope, never for students.
"""

import io
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import viva
from viva_examiner.autograde import order_of
from viva_examiner.bundle import MOMENT
from viva_examiner.gradescope_scripts import RUN, SETUP
from viva_examiner.trusted import load

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
EXECUTABLE = ("setup.sh", "run_autograder")
UNUSED = ("jupyterlab",)  # by an autograder
CHECKOUT = Path(__file__).parents[2]  # the repository that this examiner runs from
PACKAGED = {".py", ".json", ".safetensors", ".npz", ".css", ".html", ".js", ".tpl", ".j2"}


class NoCheckout(Exception):
    """The examiner was installed without its repository; a zip cannot be built from that."""


def build(course, homework: str, target: Path, visibility: str = "visible", wheels=()) -> Path:
    """The zip of a released homework in the directory `target`; its path.

    wheels: further wheels to put in, for libraries that Gradescope should not fetch
    """
    if not (CHECKOUT / "pyproject.toml").is_file():
        raise NoCheckout("run it from the course's repository: the zip is built from its lib/")
    order = order_of(course, load(course, homework)) | {
        "hide": [],  # the machine there holds nothing else of the course
        "homework": homework, "visibility": visibility}
    with tempfile.TemporaryDirectory(prefix="viva-gradescope-") as work:
        wheel = build_wheel(CHECKOUT, Path(work))
        entries = {
            "setup.sh": script(SETUP, homework).encode(),
            "run_autograder": script(RUN, homework).encode(),
            "order.json": json.dumps(order, indent=1, sort_keys=True).encode(),
            "requirements.txt": requirements(CHECKOUT).encode(),
            "constraints.txt": (CHECKOUT / "requirements.lock").read_bytes(),
            f"wheels/{wheel.name}": wheel.read_bytes(),
        }
    entries |= {f"wheels/{path.name}": path.read_bytes() for path in map(Path, wheels)}
    target.mkdir(parents=True, exist_ok=True)
    path = target / f"gradescope-{homework}.zip"
    new = path.with_name(f".{path.name}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)  # it holds the secret
    with os.fdopen(descriptor, "wb") as file:
        file.write(zipped(entries))
    new.replace(path)
    return path


def script(text: str, homework: str) -> str:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    package = f"viva-course=={viva.__version__}"
    return text.replace("@PYTHON@", python).replace("@PACKAGE@", package).replace(
        "@HOMEWORK@", homework)


def build_wheel(root: Path, work: Path) -> Path:
    """The wheel of the whole course, built from a clean copy."""
    copy = work / "course"
    files = [path for path in sorted((root / "lib").rglob("*")) if path.suffix in PACKAGED]
    for path in [*files, root / "pyproject.toml", root / "LICENSE"]:
        new = copy / path.relative_to(root)
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(path.read_bytes())
    command = "from setuptools import build_meta; build_meta.build_wheel('..')"
    subprocess.run([sys.executable, "-c", command], cwd=copy, check=True, capture_output=True,
                   env={**os.environ, "SOURCE_DATE_EPOCH": "315619200"})
    [wheel] = work.glob("*.whl")
    return wheel


def requirements(root: Path) -> str:
    """What the course needs to grade."""
    needs = tomllib.loads((root / "pyproject.toml").read_text())["project"]["dependencies"]
    return "".join(f"{text}\n" for text in needs
                   if re.match(r"[\w.-]+", text).group() not in UNUSED)


def zipped(entries: dict[str, bytes]) -> bytes:
    """A zip whose scripts are executable, the same bytes for the same entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, MOMENT)
            info.external_attr = (0o100755 if name in EXECUTABLE else 0o100644) << 16
            info.create_system = 3
            archive.writestr(info, entries[name], zipfile.ZIP_DEFLATED, 6)
    return buffer.getvalue()
