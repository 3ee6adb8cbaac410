"""Every command that the TA's page gives is run, in order, on a real course."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from viva_examiner import demo
from viva_examiner.course import Course
from viva_examiner.release import release

ROOT = Path(__file__).parents[1]
HOMEWORK = "purification"


def commands(page: str) -> list[str]:
    """The lines of a page's command blocks, for the homework of this test."""
    blocks = re.findall(r"```\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line.replace("hand_design_transformer", HOMEWORK) for line in lines if line]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A released homework, and one student's notebook downloaded from a learning platform."""
    course = demo.prepare(Course(ROOT), tmp_path_factory.mktemp("evening") / "course")
    release(course, HOMEWORK)
    downloaded = course.root / "downloaded" / HOMEWORK / "archive"
    downloaded.mkdir(parents=True)
    with zipfile.ZipFile(downloaded / "ada.zip", "w") as archive:
        notebook = Path(course.path("release", ".", HOMEWORK)) / f"{HOMEWORK}.ipynb"
        archive.write(notebook, f"{HOMEWORK}.ipynb")
    return course


def test_a_tas_evening_in_commands(course):
    ran = []
    for line in commands("ta.md"):
        program, *words = line.split()
        if program == "make":  # opens JupyterLab: tests/browser does that
            continue
        module = {"viva": "viva_examiner.cli", "nbgrader": "nbgrader"}[program]
        done = subprocess.run([sys.executable, "-m", module, *words], cwd=course.root,
                              capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        ran.append(words[0])
    assert ran == ["zip_collect", "autograde", "generate_feedback", "report", "export"]
    assert (course.root / "feedback" / "ada" / HOMEWORK / f"{HOMEWORK}.html").is_file()
    assert (course.root / "reports" / f"{HOMEWORK}.html").is_file()
    assert "ada" in (course.root / "grades.csv").read_text()


def test_the_pages_link_to_what_exists():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_readmes_programs_exist():
    text = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"^(?:make) (\w[\w-]*)", text, re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text()
    assert targets and all(re.search(rf"^{name}:", makefile, re.MULTILINE) for name in targets)
    assert shutil.which("make")
