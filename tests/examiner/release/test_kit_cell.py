"""The first cell for hosted notebooks: where it stands, what it does, what is refused."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import student_machine
from doubling import released
from repository import ROOT
from viva_examiner import cli
from viva_examiner.release.kit_cell import CELL, CELL_ID
from viva_examiner.release.problems import ReleaseRefused
from viva_examiner.release.releasing import release
from viva_examiner.release.wheels import kit_wheel

URL = "https://example.org/course/viva_kit-1.0.0-py3-none-any.whl"


def cells_of(course):
    return json.loads(released(course).read_text())["cells"]


def test_it_is_the_first_code_cell_and_all_else_is_as_without_it(course):
    made = course()
    release(made, "doubling")
    without = cells_of(made)
    made.config.AddKitCell.url = URL
    release(made, "doubling")
    title, first, *rest = cells_of(made)
    assert first["id"] == CELL_ID and URL in "".join(first["source"])
    assert [title, *rest] == without


def test_the_option_and_the_configuration_give_the_same(course, monkeypatch):
    made = course()
    monkeypatch.chdir(made.root)
    assert cli.main(["release", "doubling", "--kit-url", "http://example.org/kit"]) == 1
    made.config.AddKitCell.url = URL
    release(made, "doubling")
    by_viva = released(made).read_bytes()
    with (made.root / "nbgrader_config.py").open("a") as file:
        file.write(f"c.AddKitCell.url = {URL!r}\n")
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", "doubling", "--force"]
    run = subprocess.run(command, cwd=made.root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert released(made).read_bytes() == by_viva


@pytest.mark.parametrize("url", [
    "http://example.org/kit.whl", "kit.whl", "https:///kit.whl", "https://example.org/kit.zip",
    'https://example.org/";import os#.whl', "https://example.org/a b.whl",
    "https://example.org/\n.whl", "file:///etc/kit.whl"])
def test_what_pip_could_not_install_or_what_is_code_is_refused(course, url):
    made = course()
    release(made, "doubling")
    before = released(made).read_bytes()
    made.config.AddKitCell.url = url
    with pytest.raises(ReleaseRefused, match="is not the https address of a wheel"):
        release(made, "doubling")
    assert released(made).read_bytes() == before


def ran(monkeypatch, kit_is_there):
    """What the cell starts, on a machine with the kit or without."""
    started = []
    monkeypatch.setattr(importlib.util, "find_spec",
                        lambda name: object() if kit_is_there else None)
    monkeypatch.setattr(subprocess, "run", lambda words, check: started.append(words))
    exec(compile(CELL.format(url=URL), "cell", "exec"), {"__name__": "__main__"})
    return started


def test_it_installs_the_kit_where_it_is_missing_and_does_nothing_elsewhere(monkeypatch):
    assert ran(monkeypatch, kit_is_there=True) == []
    assert ran(monkeypatch, kit_is_there=False) == [
        [sys.executable, "-m", "pip", "install", "--quiet", URL]]


def test_a_machine_without_the_kit_has_it_then(tmp_path):
    """A new environment with everything but the kit, as a hosted service's; pip is not replaced."""
    wheel = kit_wheel(ROOT / "lib", tmp_path)
    python = student_machine.without_kit(tmp_path / "env")
    script = CELL.format(url=wheel) + "\nimport viva\nprint(viva.__file__)"
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PIP_NO_INDEX": "1",
           "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def run():
        done = subprocess.run([python, "-c", script], cwd=tmp_path, env=env, capture_output=True,
                              text=True)
        assert done.returncode == 0, done.stderr
        return Path(done.stdout.strip())

    assert run().is_relative_to(tmp_path / "env")
    wheel.unlink()
    assert run().is_relative_to(tmp_path / "env"), "the second time it does nothing"


def test_in_the_sandbox_it_does_nothing(session):
    result = session.run_cell(CELL.format(url=URL))
    assert result.error is None and not result.outputs
