"""An hour in Google Colab: a stand-in for its library, a real kernel, that service's versions of
numpy, torch, IPython and ipykernel, and the newest ones (make test-kit)."""

import json
import os
import subprocess

import pytest

import kit_sets
from repository import ROOT
from student_machine import answers_of
from viva_examiner.release.kit_cell import CELL

pytestmark = pytest.mark.ranges
HOMEWORK, EXERCISE = "hand_design_transformer", "stable_softmax"
ADDRESS = "https://example.org/viva_kit-1.0.0-py3-none-any.whl"


@pytest.fixture(scope="module", params=("hosted", "newest"))
def student(request):
    folder = kit_sets.set_up(request.param)
    found = kit_sets.versions(folder)
    for name, version in kit_sets.bounds_of(request.param).items():
        assert f"{found[name].partition('+')[0]}.".startswith(f"{version}."), found
    return folder


def session(student, folder, *cells) -> list[str]:
    """What each cell shows in a new session of the service, whose drive outlives it."""
    folder.mkdir()
    drive = folder.parent / "drive"
    start = ["import google.colab\nfrom pathlib import Path\nfrom viva import hosted\n"
             f"hosted.DRIVE = Path({str(drive / 'MyDrive')!r})",
             f"from google.colab import drive\ndrive.mount({str(drive)!r})",
             CELL.format(url=ADDRESS),
             'import numpy as np\n\nfrom viva import begin, check, submit\n'
             f'begin("{HOMEWORK}", student="ada")']
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "OMP_NUM_THREADS": "1",
           "PYTHONPATH": str(ROOT / "tests/support/colab")}
    done = subprocess.run(
        [student / ".venv/bin/python", ROOT / "tests/support/run_in_kernel.py", folder],
        input=json.dumps([*start, *cells]), capture_output=True, text=True, env=env, timeout=600)
    assert done.returncode == 0, done.stderr
    _, _, kit, began, *shown = json.loads(done.stdout)
    assert kit == "", "the kit is there: the first cell does nothing"
    return [began, *shown]


def test_an_hour_and_the_next_day(student, tmp_path):
    wrong = f"def {EXERCISE}(*args):\n    half = 1\n    return half / 0"
    right = "".join(answers_of(HOMEWORK)[f"{EXERCISE}-solution"])
    ask = f'check("{EXERCISE}", {EXERCISE})'
    began, _, failed, _, passed, submitted = session(
        student, tmp_path / "monday", wrong, ask, right, ask, "submit()")
    assert f"kept in your drive, in viva/{HOMEWORK}" in began
    assert "in your cell: line 3: return half / 0" in failed
    assert f"{EXERCISE}: passed" in passed
    assert "downloads " in submitted and "submission_log.json" in submitted
    [again] = session(student, tmp_path / "tuesday")
    assert f"{HOMEWORK}: 1 of" in again
