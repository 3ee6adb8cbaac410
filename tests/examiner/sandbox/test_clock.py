"""Limits: what a candidate waited for others does not count, what it waited for its own does."""

import os
import time

import pytest

from candidates import busy_machine
from viva_examiner.sandbox import clock

SECOND = 10**9


class Machine:
    """A /proc with accounts that a test writes."""

    def __init__(self, root):
        self.root = root

    def account(self, pid: int, ran: float, waited: float = 0.0, children=(), ended: float = 0.0):
        """ran: of all threads; ended: of children that have ended."""
        folder = self.root / str(pid)
        (folder / f"task/{pid}").mkdir(parents=True, exist_ok=True)
        ticks = [int(seconds * clock.TICKS) for seconds in (ran, 0, ended, 0)]
        (folder / "stat").write_text(f"{pid} (a (strange) name) R {'0 ' * 10}"
                                     f"{' '.join(map(str, ticks))} 0 0\n")
        (folder / f"task/{pid}/children").write_text(" ".join(map(str, children)))
        if waited or not (folder / "schedstat").exists():
            (folder / "schedstat").write_text(f"{int(2 * SECOND)} {int(waited * SECOND)} 7\n")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.setattr(clock, "LOOK_SECONDS", -1)
    return Machine(tmp_path)


def waited(machine) -> float:
    process = clock.Process(10, machine.root)
    try:
        return process.waited()
    finally:
        process.close()


def test_what_others_ran_is_no_time_of_the_candidate(machine):
    machine.account(10, ran=2, waited=30)
    assert waited(machine) == pytest.approx(30)


def test_what_its_own_processes_ran_is(machine):
    machine.account(10, ran=2, waited=30, children=(11, 12))
    machine.account(11, ran=10, children=(13,))
    machine.account(12, ran=5)
    machine.account(13, ran=5)
    assert waited(machine) == pytest.approx(10)


def test_so_is_what_its_threads_and_children_that_ended_ran(machine):
    machine.account(10, ran=12, waited=30, ended=20)
    assert waited(machine) == pytest.approx(0)


def test_a_process_that_has_gone_has_waited_for_nobody(machine):
    assert waited(machine) == 0


def test_a_limit_ends_for_a_candidate_that_waits_for_itself(machine, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(clock.time, "monotonic", lambda: now[0])
    machine.account(10, ran=2)
    machine.account(11, ran=0)
    process = clock.Process(10, machine.root)
    limit = clock.Clock(process, 30)
    now[0] += 31
    machine.account(10, ran=2, waited=29, children=(11,))
    assert limit.left() == pytest.approx(28)  # somebody else had the processor
    machine.account(11, ran=29)
    assert limit.left() == 0
    process.close()


def test_what_the_examiner_waited_is_no_time_of_a_submission(machine, monkeypatch):
    machine.account(10, ran=2, waited=30)
    monkeypatch.setattr(clock, "waited_here", lambda: 40.0)
    assert clock.CandidateAndExaminer(clock.Process(10, machine.root)).waited() == pytest.approx(70)


def test_the_examiners_own_wait_is_read_from_the_kernel():
    before = clock.waited_here()
    with busy_machine(2 * len(os.sched_getaffinity(0))):
        began = time.process_time()
        while time.process_time() - began < 0.3:
            pass
    assert clock.waited_here() > before
