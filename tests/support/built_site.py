"""The site of a course, built as `make site` builds it, in a process of its own."""

import subprocess
import sys
from pathlib import Path

from repository import ROOT


def build(course: Path, target: Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, ROOT / "docs/site/build.py", target], cwd=course,
                          capture_output=True, text=True, timeout=1200)
