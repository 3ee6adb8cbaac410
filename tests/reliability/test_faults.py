"""Faults in mid-run. After each: the same command again, and nothing is lost or changed."""

import json
import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest

import courses
from harness import by_hand, grade_by_hand
from viva_examiner.autograde.grading_run import autograde

pytestmark = pytest.mark.soak  # real faults on real runs: minutes, so in make soak

root_only = pytest.mark.skipif(os.getuid() != 0, reason="limiting a disk needs root")


def again(course, start) -> None:
    """The same command, until it has nothing more to do."""
    assert start(course).end() == 0


@pytest.mark.parametrize("name", ["viva-worker", "viva-warm"])
def test_a_killed_process_of_the_examiner_costs_nothing(course, start, undisturbed, name):
    run = start(course)
    run.until("done", 2)
    victims = run.children(name)
    assert victims, f"no process is called {name}"
    os.kill(victims[0], signal.SIGKILL)
    assert run.end() == 0, run.errors
    assert courses.grades(course, "plain") == undisturbed


def test_a_killed_coordinator_leaves_no_process_and_the_next_run_goes_on(
        course, start, undisturbed):
    run = start(course)
    run.until("done", 3)
    below = run.children()
    run.process.kill()
    run.process.communicate()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in below):
        assert time.monotonic() < deadline, "processes outlive their coordinator"
        time.sleep(0.1)
    second = start(course)
    assert second.end() == 0
    skipped = next(e for e in second.events if e["event"] == "start")["skipped"]
    assert skipped >= 2
    assert courses.grades(course, "plain") == undisturbed


def test_ctrl_c_keeps_what_was_done(course, start, undisturbed):
    run = start(course)
    run.until("done", 3)
    run.process.send_signal(signal.SIGINT)
    assert run.end() == 130
    assert "what was done is kept" in run.errors
    again(course, start)
    assert courses.grades(course, "plain") == undisturbed


def test_what_a_ta_wrote_survives_a_killed_run(course, start):
    first = start(course)
    first.until("done", 2)
    student = first.events[-1]["student"]
    assert first.end() == 0
    grade_by_hand(course, student)
    second = start(course, "--force")
    second.until("done", 3)
    second.process.kill()
    second.process.communicate()
    again(course, start)
    assert by_hand(course, student) == (2.5, 0.5, "well put")


def test_a_database_that_somebody_locks_is_waited_for(course, start, undisturbed):
    path = course.db_url.removeprefix("sqlite:///")
    run = start(course)
    run.until("start")
    other = sqlite3.connect(path, timeout=60, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    while not list((course.root / "autograded").glob("*/plain/plain.ipynb")):
        assert run.process.poll() is None, "the run ended early"
        time.sleep(0.1)
    time.sleep(6)  # longer than a batch: the coordinator has met the lock by now
    other.execute("COMMIT")
    other.close()
    assert run.end() == 0, run.errors
    assert courses.grades(course, "plain") == undisturbed


def test_no_notebook_is_ever_seen_half_written(course, start):
    run = start(course)
    seen, broken = set(), []
    while run.process.poll() is None:
        for path in (course.root / "autograded").glob("*/plain/plain.ipynb"):
            seen.add(path)
            try:
                json.loads(path.read_text())
            except FileNotFoundError:
                continue
            except ValueError:
                broken.append(path)
        time.sleep(0.01)
    run.end()
    assert seen and not broken


LIMITED = """
set -e
mount -t tmpfs -o size={size} none {target}
{copy}
exec "$@"
"""


def limited_disk(course, target: Path, size: str, copy: str = ":") -> tuple[str, ...]:
    """A wrapper that runs a command where a folder is a small disk of its own."""
    script = LIMITED.format(size=size, target=target, copy=copy)
    return ("unshare", "--mount", "sh", "-c", script, "sh")


@root_only
def test_a_full_disk_for_autograded_ends_the_run_with_a_word_and_loses_nothing(
        course, start, undisturbed):
    target = course.root / "autograded"
    target.mkdir()
    run = start(course, wrapper=limited_disk(course, target, "64k"))
    assert run.end() == 2
    assert "No space left" in run.errors
    again(course, start)
    assert courses.grades(course, "plain") == undisturbed


@root_only
def test_a_read_only_course_is_told_and_unharmed(course, start, undisturbed):
    script = f"set -e; mount --bind {course.root} {course.root}; " \
             f"mount -o remount,ro,bind {course.root}; exec \"$@\""
    run = start(course, wrapper=("unshare", "--mount", "sh", "-c", script, "sh"))
    assert run.end() == 2
    assert "Read-only" in run.errors or "readonly" in run.errors
    again(course, start)
    assert courses.grades(course, "plain") == undisturbed


def test_a_clock_that_jumps_back_changes_no_grade(course, tmp_path, start, undisturbed):
    patch = tmp_path / "patch"
    patch.mkdir()
    (patch / "sitecustomize.py").write_text(
        "import time, itertools\nreal, back = time.time, itertools.count()\n"
        "time.time = lambda: real() - 3600 * (next(back) % 7)\n")
    path = os.pathsep.join(filter(None, [str(patch), os.environ.get("PYTHONPATH", "")]))
    run = start(course, env={"PYTHONPATH": path})
    assert run.end() == 0, run.errors
    assert courses.grades(course, "plain") == undisturbed


def test_two_tas_at_once_and_a_third_in_formgrader(course, start, undisturbed):
    student = min(p.name for p in (course.root / "submitted").iterdir())
    autograde(course, "plain", student=student)
    first = start(course, "--force")
    first.until("done", 2)
    second = start(course)
    second.until("waiting")
    waiting = second.events[-1]
    assert waiting["homework"] == "plain" and waiting["pid"] == first.process.pid
    grade_by_hand(course, student)  # while the first run writes
    assert (first.end(), second.end()) == (0, 0)
    assert next(e for e in second.events if e["event"] == "end")["graded"] == 0
    assert by_hand(course, student) == (2.5, 0.5, "well put")
    found = courses.grades(course, "plain")
    found.pop((student, "essay"))  # its flag says that a person has graded it
    assert found == {key: row for key, row in undisturbed.items() if key != (student, "essay")}


def test_a_stopped_candidate_is_ended_by_its_deadline(course, start, undisturbed):
    run = start(course)
    run.until("done", 1)
    stopped = []
    while run.process.poll() is None and not stopped:
        for pid in run.children("viva-candidate"):
            try:
                os.kill(pid, signal.SIGSTOP)
                stopped.append(pid)
                break
            except ProcessLookupError:
                continue
    assert stopped and run.end() in (0, 1)
    assert start(course, "--force").end() == 0
    assert courses.grades(course, "plain") == undisturbed
