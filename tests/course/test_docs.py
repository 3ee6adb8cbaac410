"""Every command that the pages give is run, or is one that exists; every link leads somewhere."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

import servers
from repository import ROOT
from viva_examiner import cli
from viva_examiner.course import Course
from viva_examiner.demo import play
from viva_examiner.release.run import release

HOMEWORK = "purification"


def commands(page: str) -> list[str]:
    """The lines of a page's command blocks, for the homework of this test."""
    blocks = re.findall(r"```\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line.replace("hand_design_transformer", HOMEWORK) for line in lines if line]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A released homework, and one student's notebook downloaded from a learning platform."""
    course = play.prepare(Course(ROOT), tmp_path_factory.mktemp("evening") / "course")
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
        if program == "make" or words[0] == "written":  # open a page: tests/browser does that
            continue
        module = {"viva": "viva_examiner.cli", "nbgrader": "nbgrader"}[program]
        done = subprocess.run([sys.executable, "-m", module, *words], cwd=course.root,
                              capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        ran.append(words[0])
    assert ran == ["collect", "autograde", "generate_feedback", "report", "export"]
    assert (course.root / "feedback" / "ada" / HOMEWORK / f"{HOMEWORK}.html").is_file()
    assert (course.root / "reports" / f"{HOMEWORK}.html").is_file()
    assert "ada" in (course.root / "grades.csv").read_text()


def test_a_students_commands_open_the_notebook(tmp_path):
    """`jupyter lab <notebook>`, as typed in the unpacked bundle, serves that notebook."""
    [command] = commands("student.md")
    program, *words = shlex.split(command)
    notebook = Path(words[-1]).name  # its folder is what JupyterLab then shows
    assert (program, words[0]) == ("jupyter", "lab")
    shutil.copytree(ROOT / "release" / HOMEWORK, tmp_path / HOMEWORK)
    port = servers.free_port()
    quiet = ["--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token=viva"]

    def served() -> bool:
        try:
            address = f"http://127.0.0.1:{port}/api/contents/{notebook}?content=0&token=viva"
            with urllib.request.urlopen(address, timeout=30) as reply:
                return json.load(reply)["type"] == "notebook"
        except OSError:
            return False

    with servers.processes() as start:
        start(sys.executable, "-m", "jupyter", *words, *quiet, cwd=tmp_path)
        servers.wait_for(served, 120)


def test_a_students_check_is_one_of_the_notebooks():
    [code] = re.findall(r"```python\n(.*?)\n```", (ROOT / "docs/student.md").read_text(), re.S)
    notebooks = (ROOT / "release").glob("*/*.ipynb")
    assert any(code == "".join(cell["source"]) for path in notebooks
               for cell in json.loads(path.read_text())["cells"])


def test_the_readmes_commands_of_ours_are_understood(monkeypatch):
    """Each `viva …` line of the README is accepted as it stands; other tests run its kind."""
    ran = []
    for name in cli.COMMANDS:
        monkeypatch.setattr(f"viva_examiner.cli.{name.replace('-', '_')}.run",
                            lambda args, course: ran.append(args.command) or 0)
    lines = re.findall(r"^viva (.+)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    monkeypatch.chdir(ROOT)
    for line in lines:
        assert cli.main(shlex.split(line, comments=True)) == 0, line
    assert len(ran) == len(lines) >= 5


def test_the_pages_link_to_what_exists():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_pictures_are_shown_and_described():
    """Every picture that the browser tests make is on a page, with an alt text that says what."""
    shown = set()
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for words, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text()):
            assert len(words.split()) >= 5, f"{page.name}: {target} needs a description"
            shown.add((page.name, Path(target).name))
    made = {path.name for path in (ROOT / "docs" / "pictures").glob("*.png")}
    assert {name for _, name in shown} == made
    assert {("README.md", f"{name}.png") for name in ("card", "formgrader", "report")} <= shown


def test_the_readmes_programs_exist():
    text = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"^(?:make) (\w[\w-]*)", text, re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text()
    assert targets and all(re.search(rf"^{name}:", makefile, re.MULTILINE) for name in targets)
    assert shutil.which("make")


def test_the_readme_and_the_term_know_every_homework():
    """The same homeworks in README, docs/course.md and source/, in one order, with prerequisites
    that come before what needs them."""
    made = {path.name for path in (ROOT / "source").iterdir() if path.is_dir()}
    readme = (ROOT / "README.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (?:`(\w+)`)? ?\|$", readme, re.M)
    order = [name for name, _ in rows]
    assert set(order) == made and len(order) == len(made)
    assert all(order.index(before) < order.index(name) for name, before in rows if before)
    weeks = re.findall(r"^\| \d+ \| (.+?) \|", (ROOT / "docs" / "course.md").read_text(), re.M)
    assert len(weeks) == 14
    assert set(re.findall(r"`(\w+)`", " ".join(weeks))) == made
