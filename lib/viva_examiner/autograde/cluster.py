"""Grade on many machines: the same jobs on a Dask scheduler instead of a pool of processes.

A worker needs the installed packages and nothing else: notebooks travel with the job and come
back, and only the coordinator touches the gradebook. Values cross as bytes and JSON; a job whose
worker dies is given to another one.
"""

import json
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict

from viva_examiner.autograde.pool import TRIES
from viva_examiner.records import NOT_GRADED, Graded, Work

AHEAD = 2  # jobs under way per worker thread, so that none waits for the network


def runner(address: str):
    """The function that `autograde` takes as `run`, for a scheduler at this address."""

    def run(jobs, order: dict, count: int, started=lambda job: None) -> Iterator[Graded]:
        from dask.distributed import Client, as_completed

        if not jobs:
            return
        with Client(address, set_as_default=False) as client, client.as_current():
            threads = sum(client.nthreads().values())
            if not threads:
                raise OSError(f"the scheduler at {address} has no workers")
            text = json.dumps(order | {"answers": ""})  # that folder is not theirs
            waiting, under_way = deque(jobs), {}
            results = as_completed()

            def send() -> None:
                job = waiting.popleft()
                job.tries += 1
                started(job)
                future = client.submit(grade_there, text, json.dumps(job.head()),
                                       asdict(job.work()), retries=TRIES - 1, pure=False)
                under_way[future] = job
                results.add(future)

            for _ in range(min(AHEAD * threads, len(waiting))):
                send()
            for future in results:
                job = under_way.pop(future)
                yield _result(future, job)
                if waiting:
                    send()

    return run


def _result(future, job) -> Graded:
    error = future.exception()
    if error is None:
        return Graded.from_json(future.result())
    remark = f"not graded, engine error on the cluster: {type(error).__name__}: {error}"
    return Graded(job.student, job.homework, job.notebook, NOT_GRADED, remarks=[remark[:300]])


def grade_there(order: str, head: str, work: dict) -> str:
    """Grade one submission on a cluster's worker, which keeps its warm interpreter."""
    with _one_at_a_time:  # whatever number of threads the worker was given
        return _bench(order).grade(json.loads(head), Work(**work))


_one_at_a_time = threading.Lock()
_benches: dict = {}


def _bench(order: str):
    """This worker's bench for a homework; the one before it is closed."""
    from viva_examiner.autograde.worker import Bench

    if order not in _benches:
        for bench in _benches.values():
            bench.close()
        _benches.clear()
        _benches[order] = Bench(json.loads(order))
    return _benches[order]
