"""The site of a course, built as `make site` builds it, in a process of its own."""

import subprocess
import sys
from pathlib import Path

from repository import ROOT


def build(course: Path, target: Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, ROOT / "docs/site/build.py", target], cwd=course,
                          capture_output=True, text=True, timeout=1200)


def built(target: Path) -> Path:
    """The site of this course, without one warning: a dead link or a formula that cannot be drawn
    is one."""
    done = build(ROOT, target)
    assert done.returncode == 0, done.stderr
    return target
