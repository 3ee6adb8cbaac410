"""Two candidates on one core: what one of them does costs the other no mark."""

import os
import time

import pytest

from candidates import text_of
from viva_examiner.limits import Limits
from viva_examiner.sandbox.inside import family
from viva_examiner.sandbox.interpreter import WarmInterpreter

SPINNERS = """
import os, time
here, there = os.pipe()
for _ in range(58):
    if os.fork() == 0:
        os.close(there)
        os.read(here, 1)
        while True:
            pass
os.close(there)  # all at once
"""
WORK = """
import time
def work(n):
    began = time.thread_time()
    while time.thread_time() - began < 0.3:
        pass
    return n * n
"""
HOSTILE = Limits(cell_seconds=20, question_seconds=20, submission_seconds=60)
HONEST = Limits(cell_seconds=3, question_seconds=1, submission_seconds=30)


@pytest.fixture(scope="module")
def one_core(warm):
    """Whatever is started here shares one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.fixture(scope="module")
def crowd(one_core):
    """A candidate with 58 processes that spin, on this core."""
    with WarmInterpreter() as other, other.fork(limits=HOSTILE) as session:
        assert session.run_cell(SPINNERS).error is None
        yield session


def nice_of(pid: int) -> int:
    with open(f"/proc/{pid}/stat") as account:
        return int(account.read().rpartition(")")[2].split()[16])


def test_58_spinning_processes_cost_the_neighbour_nothing(crowd, one_core):
    """Each answer needs a third of its limit in processor time."""
    with WarmInterpreter() as warm, warm.fork(limits=HONEST) as neighbour:
        assert neighbour.run_cell(WORK).error is None
        work = neighbour.resolve(["work"])["work"]
        assert [work(n) for n in range(5)] == [0, 1, 4, 9, 16]
        assert neighbour.incidents == []


def test_a_crowd_has_the_lowest_share_and_a_few_helpers_do_not(crowd):
    """As seen from outside, once the watcher has looked."""
    deadline = time.monotonic() + 60
    while nice_of(crowd.pid) != family.LOWEST:
        assert time.monotonic() < deadline
        crowd.run_cell("time.sleep(0.1)")


def test_sockets_that_several_processes_share_count_once(session):
    assert family.sockets_of([session.pid]) == (1, 0)  # the conversation itself
    session.run_cell("import socket, os, time\npairs = [socket.socketpair() for _ in range(5)]\n"
                     "if os.fork() == 0:\n    time.sleep(60)\n    os._exit(0)")
    assert family.sockets_of([session.pid]) == (11, 0)
    assert nice_of(session.pid) == nice_of(os.getpid())


def test_honest_programs_may_use_sockets_and_shared_files(session):
    result = session.run_cell("""
import multiprocessing, numpy as np, torch
from torch.utils.data import DataLoader, TensorDataset
batches = DataLoader(TensorDataset(torch.ones(64, 3)), batch_size=8, num_workers=2)
with multiprocessing.get_context("fork").Pool(4) as pool:
    squares = pool.map(abs, range(-3, 0))
shared = np.memmap("shared.bin", mode="w+", shape=8)
shared[:] = 1
print(sum(x.sum().item() for (x,) in batches), squares, shared.sum())
""")
    assert text_of(result) == "192.0 [3, 2, 1] 8\n", result
