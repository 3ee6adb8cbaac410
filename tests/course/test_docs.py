"""A TA's evening and a student's start by the commands of their pages; links and pictures.

test_commands.py has the list of every command and of what runs it.
"""

import ast
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

import page_commands
import servers
from repository import ROOT
from viva import tables
from viva_course.rubric import exercises
from viva_examiner import cli
from viva_examiner.course import Course
from viva_examiner.demo import play

HOMEWORK = "purification"


def commands(page: str) -> list[str]:
    """The lines of a page's command blocks, for the homework of this test."""
    found = page_commands.BLOCK.findall((ROOT / "docs" / page).read_text())
    blocks = [block for language, block in found if not language]
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line.replace("hand_design_transformer", HOMEWORK) for line in lines if line]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A fresh clone, without a gradebook, and a notebook downloaded from a learning platform."""
    course = play.prepare(Course(ROOT), tmp_path_factory.mktemp("evening") / "course")
    shutil.copytree(ROOT / "release", course.root / "release")
    downloaded = course.root / "downloaded" / HOMEWORK / "archive"
    downloaded.mkdir(parents=True)
    for name in ("ada", "bob", "cyd"):
        with zipfile.ZipFile(downloaded / f"{name}.zip", "w") as archive:
            notebook = Path(course.path("release", ".", HOMEWORK)) / f"{HOMEWORK}.ipynb"
            archive.write(notebook, f"{HOMEWORK}.ipynb")
    return course


def test_a_tas_evening_in_commands(course, monkeypatch, capsys):
    """Each command of docs/ta.md, in its order, from a fresh clone on."""
    ran = []
    monkeypatch.chdir(course.root)
    monkeypatch.setattr("builtins.input", lambda question: "y")  # collect asks before it writes
    for line in commands("ta.md"):
        program, *words = shlex.split(line)
        if program == "make" or words[0] in ("written", "desk"):  # pages: tests/browser
            continue
        assert program == "viva"
        if words[0] in ("autograde", "explain", "regrade"):  # start from a process of their own
            code = subprocess.run([sys.executable, "-m", "viva_examiner.cli", *words]).returncode
        else:
            code = cli.main(words)
        assert code == 0, f"{line}\n{capsys.readouterr()}"
        ran.append(words[0])
    assert list(dict.fromkeys(ran)) == [
        "collect", "autograde", "seen", "secret", "explain", "requests", "regrade", "history",
        "roster", "report", "feedback", "export"]
    assert (course.root / "feedback" / "ada" / HOMEWORK / f"{HOMEWORK}.html").is_file()
    assert (course.root / "reports" / f"{HOMEWORK}.html").is_file()
    assert "ada" in (course.root / "exports" / f"{HOMEWORK}-csv.csv").read_text()


def test_the_readmes_evening_is_that_of_the_page():
    """What README gives a TA is run above: the same commands, on another homework."""
    block = re.search(r"## A TA\n```\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    verbs = {" ".join(shlex.split(line, comments=True)[:2]) for line in block.splitlines()}
    on_page = {" ".join(line.split()[:2]) for line in commands("ta.md")}
    assert verbs <= on_page | {"make lab", "viva written", "viva desk"}


def test_a_students_commands_open_the_notebook(tmp_path):
    """`.venv/bin/jupyter lab <notebook>`, as typed in the unpacked bundle, serves that notebook."""
    [command] = commands("student.md")
    program, *words = shlex.split(command)
    notebook = Path(words[-1]).name  # its folder is what JupyterLab then shows
    assert (program, words[0]) == (".venv/bin/jupyter", "lab")
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


def test_make_lab_serves_formgrader_for_root_too():
    """As typed, by whoever runs the tests: root in a container, or a person."""
    port, environment = servers.free_port(), Path(sys.executable).parents[1]
    options = f"LAB=--no-browser --port={port} --IdentityProvider.token=viva"

    def served() -> bool:
        try:
            address = f"http://127.0.0.1:{port}/formgrader?token=viva"
            with urllib.request.urlopen(address, timeout=30) as reply:
                return b"formgrader" in reply.read()
        except OSError:
            return False

    with servers.processes() as start:
        start("make", "-C", str(ROOT), "lab", "-o", f"{environment}/.ready",
              f"VENV={environment}", options)
        servers.wait_for(served, 120)
        desk = f"http://127.0.0.1:{port}/desk/?token=viva"
        with urllib.request.urlopen(desk, timeout=30) as reply:
            assert b"viva desk" in reply.read()


def test_a_students_check_and_request_are_about_the_notebooks():
    found = page_commands.BLOCK.findall((ROOT / "docs/student.md").read_text())
    check, request = (code.strip() for language, code in found if language == "python")
    cells = [cell for path in (ROOT / "release").glob("*/*.ipynb")
             for cell in json.loads(path.read_text())["cells"]]
    assert any(check == "".join(cell["source"]) for cell in cells)
    [test, because] = [each.value for each in ast.parse(request).body[0].value.args]
    assert because and any(cell["metadata"].get("nbgrader", {}).get("grade_id") == test
                           for cell in cells)


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
    first = [Path(target).name for target in re.findall(
        r"!\[[^\]]*\]\(([^)]+)\)", (ROOT / "README.md").read_text())][:3]
    assert first == ["card.png", "desk-class-1280.png", "voce.png"], "README's first screen"
    for path in (ROOT / "docs" / "pictures").glob("*.png"):
        assert path.stat().st_size < 200_000, path.name


README_ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| (?:`(\w+)`)? ?\|$", re.M)
WEEK = re.compile(r"^\| \d+ \| (.+?) \| (.+?) \| (.*?) ?\| ", re.M)  # homeworks, hours, builds on
NUMBERS = {"five": "5", "six": "6", "seven": "7"}


def weeks() -> list[list[list[str]]]:
    """For each week of the term: its homeworks, their hours, what they build on."""
    found = WEEK.findall((ROOT / "docs" / "course.md").read_text())
    return [[re.findall(r"\w+", cell.replace(" or ", " ").replace(" to ", " ")) for cell in row]
            for row in found]


def test_the_readme_and_the_term_know_every_homework():
    """The same homeworks in README, docs/course.md and source/, in one order, with prerequisites
    that come before what needs them."""
    made = {path.name for path in (ROOT / "source").iterdir() if path.is_dir()}
    rows = README_ROW.findall((ROOT / "README.md").read_text())
    order = [name for name, _ in rows]
    assert Course(ROOT).term() == order
    assert set(order) == made and len(order) == len(made)
    assert all(order.index(before) < order.index(name) for name, before in rows if before)
    assert len(weeks()) == 14
    taught = [name for homeworks, _, _ in weeks() for name in homeworks]
    assert sorted(taught) == sorted(made)
    first = [homeworks[0] for homeworks, _, _ in weeks()]
    assert first == [name for name in order if name in first]


def test_the_term_and_the_readme_name_the_same_prerequisites():
    needs = dict(README_ROW.findall((ROOT / "README.md").read_text()))
    for homeworks, _, before in weeks():
        assert set(before) == {needs[name] for name in homeworks} - {""}, homeworks


def test_the_hours_of_the_term_are_those_that_the_notebooks_state():
    for homeworks, hours, _ in weeks():
        stated = []
        for name in homeworks:
            cells = json.loads((ROOT / "source" / name / f"{name}.ipynb").read_text())["cells"]
            opening = "".join(line for cell in cells[:3] for line in cell["source"])
            [word] = re.findall(r"[Aa]bout (\w+) hours", opening)
            stated.append(NUMBERS.get(word, word))
        assert sorted(set(stated)) == hours, homeworks


def test_the_points_of_the_term_are_those_of_the_exams():
    automatic = [sum(each.points for each in exercises(homework).values())
                 for homework in tables.homeworks()]
    words = f"{min(automatic):g} to {max(automatic):g} of them automatic"
    assert words in " ".join((ROOT / "docs" / "course.md").read_text().split())
