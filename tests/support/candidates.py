"""What tests of the sandbox share; the fixtures themselves are in conftest.py."""

import contextlib
import subprocess
import sys

from viva_examiner.limits import Limits

QUICK = Limits(cell_seconds=10, question_seconds=5, submission_seconds=60)


def text_of(result, name="stdout"):
    """What a cell printed."""
    return "".join(o["text"] for o in result.outputs if o.get("name") == name)


@contextlib.contextmanager
def busy_machine(processes: int):
    """Processes that do nothing but take processor time."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
               for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()
