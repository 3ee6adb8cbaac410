"""Coverage-guided fuzzing finds no input that the trusted side trips over."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SECONDS = 60 if os.environ.get("VIVA_SOAK") else 3
TARGETS = ("notebook", "frame", "session", "log", "metadata")


@pytest.mark.skipif(find_spec("atheris") is None,
                    reason="atheris is not installed (make fuzz installs it; x86-64 only)")
@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_found(target, tmp_path):
    script = Path(__file__).with_name("guided.py")
    run = subprocess.run(
        [sys.executable, script, target, "-runs=200000", f"-max_total_time={SECONDS}"],
        cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS + 120)
    assert run.returncode == 0, run.stderr[-3000:]
    assert "Done" in run.stderr and not list(tmp_path.glob("crash-*"))
