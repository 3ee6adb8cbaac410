"""Grade on many machines: the same jobs on a Dask scheduler instead of a pool of processes.

A worker needs the installed packages and nothing else: notebooks travel with the job and come
back, and only the coordinator touches the gradebook. The secret comes with the order. Records
cross as bytes; a job whose worker dies is given to another one.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from viva_examiner.autograde.agenda import Job, agenda_of
from viva_examiner.autograde.cluster_keys import security
from viva_examiner.autograde.pool import TRIES
from viva_examiner.examination.engine import Engine
from viva_examiner.records import Graded, Order, Work

if TYPE_CHECKING:
    from dask.distributed import Future

AHEAD = 2  # jobs under way per worker thread, so that none waits for the network


def runner(address: str, keys: Path) -> Callable[..., Iterator[Graded]]:
    """The function that `autograde` takes as `run`, for a scheduler at this address.

    keys: the folder of the cluster's certificate. Raises NotProtected where it is needed.
    """
    protected = security(address, keys)

    def run(jobs: Iterable[Job], order: Order, count: int,
            started: Callable = lambda job: None) -> Iterator[Graded]:
        from dask.distributed import Client, as_completed

        waiting = agenda_of(jobs)
        if not waiting:
            return
        with (Client(address, set_as_default=False, security=protected) as client,
              client.as_current()):
            threads = sum(client.nthreads().values())
            if not threads:
                raise OSError(f"the scheduler at {address} has no workers")
            order_bytes = replace(order, answers="").to_bytes()  # that folder is not theirs
            under_way: dict[Future, Job] = {}
            results = as_completed()

            def send() -> None:
                job = waiting.take()
                job.tries += 1
                started(job)
                future = client.submit(grade_there, order_bytes, job.work(), retries=TRIES - 1,
                                       pure=False)
                under_way[future] = job
                results.add(future)

            def fill() -> None:
                while waiting and len(under_way) < AHEAD * threads:
                    send()

            fill()
            for future in results:
                yield _result(future, under_way.pop(future))
                fill()

    return run


def _result(future: "Future", job: Job) -> Graded:
    error = future.exception()
    if error is None:
        return Graded.from_bytes(future.result())
    said = f"not graded, engine error on the cluster: {type(error).__name__}: {error}"
    return job.not_graded(said[:300])


def grade_there(order: bytes, work: bytes) -> bytes:
    """Grade one work on a cluster's worker, which keeps its engine for the next one."""
    with _one_at_a_time:  # whatever number of threads the worker was given
        return _engine(order).grade(Work.from_bytes(work)).to_bytes()


_one_at_a_time = threading.Lock()
_engines: dict[bytes, Engine] = {}


def _engine(order: bytes) -> Engine:
    """This worker's engine for a homework; the one before it is closed."""
    if order not in _engines:
        for engine in _engines.values():
            engine.close()
        _engines.clear()
        _engines[order] = Engine(Order.from_bytes(order))
    return _engines[order]
