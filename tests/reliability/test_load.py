"""A large class with some hostile submissions: all graded, little memory, nothing left behind.

VIVA_LOAD sets the number of submissions, 1,000 if it is not set.
"""

import json
import os
import re
import time
from collections import defaultdict
from pathlib import Path

import nbformat
import pytest

import courses
import plain_course
import servers

pytestmark = pytest.mark.soak

LIMITS = """
c.Examiner.cell_seconds = 2
c.Examiner.submission_seconds = 20
c.Examiner.memory_mb = 300
c.Examiner.output_kb = 64
"""
HOSTILE = {  # what a cell of a hostile submission does
    "leaves": "import os; os._exit(0)",
    "loops": "while True: pass",
    "eats": "held = []\nwhile True: held.append(bytearray(2**24))",
    "forks": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "floods": "while True: print('x' * 10_000)",
}
EVERY = 20  # one in twenty is hostile


def hostile(kind: str) -> bytes:
    notebook = nbformat.reads(plain_course.submission("right").decode(), as_version=4)
    next(cell for cell in notebook.cells if cell.id == "account").source = HOSTILE[kind]
    return nbformat.writes(notebook).encode()


def hand_in_class(course, count: int) -> None:
    """Submissions with the kind of each in the student's name."""
    honest = {kind: plain_course.submission(kind) for kind in plain_course.COHORT}
    wild = {kind: hostile(kind) for kind in HOSTILE}
    for number in range(count):
        chosen = wild if number % EVERY == 0 else honest
        kind = list(chosen)[(number // EVERY if chosen is wild else number) % len(chosen)]
        courses.hand_in(course, "plain", f"{kind}-{number:04}", chosen[kind])


def peak_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def test_a_large_class_with_hostile_submissions(tmp_path, start):
    count = int(os.environ.get("VIVA_LOAD", "1000"))
    course = courses.make(tmp_path / "course", "plain", plain_course.source_notebook(),
                          extra=LIMITS)
    hand_in_class(course, count)
    own = tmp_path / "tmp"
    own.mkdir()
    mounts = Path("/proc/mounts").read_text()

    run = start(course, env={"TMPDIR": str(own)})
    seen, peak = set(), 0.0
    for number in range(1, count + 1):
        run.until("done", number)
        if number % 5 == 0:
            seen.update(run.children())
            peak = max(peak, peak_mb(run.process.pid))
    assert run.end(3600) == 0, run.errors

    end = next(event for event in run.events if event["event"] == "end")
    print(json.dumps({"submissions": count, "coordinator_mb": round(peak), **{
        name: end[name] for name in ("graded", "failed", "per_minute", "seconds")}}))
    assert end["graded"] == count and peak < 1024
    deadline = time.monotonic() + 10  # the system's first process has to bury the orphans
    while left := [pid for pid in seen if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)
    assert list(own.iterdir()) == []
    assert not list((course.root / "autograded").glob("*/.plain.*"))
    assert Path("/proc/mounts").read_text() == mounts

    rows = defaultdict(set)  # kind -> the different grades that its students got
    table = defaultdict(dict)
    for (student, cell), grade in courses.grades(course, "plain").items():
        table[student][cell] = grade
    for student, row in table.items():
        rows[student.rpartition("-")[0]].add(tuple(sorted(row.items())))
    assert len(table) == count
    for kind, found in rows.items():
        assert len(found) == 1, f"{kind}: the same submission got different grades: {found}"
        if kind in HOSTILE:
            assert dict(next(iter(found)))["test_account"][0] == 0


def test_a_cluster_loses_a_worker(course, tmp_path, start, undisturbed):
    with servers.dask_cluster(tmp_path) as (address, workers):
        run = start(course, "--cluster", address)
        run.until("done", 5)
        workers[0].kill()
        assert run.end(1800) == 0, run.errors
    assert courses.grades(course, "plain") == undisturbed
