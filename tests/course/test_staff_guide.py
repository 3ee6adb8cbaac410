"""docs/staff.md, followed literally: its files are written, its commands are run."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import guide_course
from guide_course import GUIDE
from repository import ROOT


@pytest.fixture
def course(tmp_path):
    return guide_course.empty(tmp_path)


def run(folder, command, code=0):
    words = command.split()
    assert words[0] == "viva"
    environment = os.environ | {"PYTHONPATH": str(folder / "lib")}
    done = subprocess.run([sys.executable, "-m", "viva_examiner.cli", *words[1:]], cwd=folder,
                          env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_guide_leads_to_an_audited_and_released_exercise(course):
    commands = re.findall(r"^```sh\n(.*?)\n```", GUIDE, re.S | re.M)
    run(course, commands[0])
    left = run(course, "viva audit warmup", code=1)
    assert "the reference is not written yet" in left and "no mistake is declared" in left
    assert len(guide_course.files()) == 4 and len(guide_course.blocks()) == 13
    guide_course.fill_in(course)
    later = "\n".join(commands[1:]).splitlines()
    assert later[0] == "viva audit warmup"
    for command in later:
        output = run(course, command)
        if "--mutate" in command:
            assert "100.0%" in output
        elif "audit" in command:
            assert "every bar holds" in output
        elif "claims" in command:
            assert "10/10" in output and "1 claims" in output and "all hold" in output
    released = (course / "release/warmup/warmup.ipynb").read_text()
    assert "YOUR CODE HERE" in released and "a_norm" not in released and "claim" not in released
    [again] = re.findall(r"`(viva rename [^`]+)`", GUIDE)
    run(course, again)
    new = again.split()[-1]
    assert f"def {new}(" in (course / "source/warmup/warmup.ipynb").read_text()


def test_the_guides_own_example_follows_the_style(course):
    files = guide_course.files()
    for name, code in files.items():
        (course / name).parent.mkdir(exist_ok=True)
        (course / name).write_text(code + "\n")
    shutil.copy(ROOT / "pyproject.toml", course)
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", *files],
                          cwd=course, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
