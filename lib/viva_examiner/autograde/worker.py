"""A worker: a process with a warm interpreter that grades one submission after another.

It gets its homework and its jobs over a socket from the coordinator, as JSON and bytes, and ends
when the coordinator does. Forked from the fork server, which forks its warm interpreter as well.
"""

import importlib
import json
import os
import socket
import sys
from multiprocessing.connection import Connection

from viva_examiner.autograde.memory import bounded_memory
from viva_examiner.examination.dependencies import kit_digest, libraries
from viva_examiner.examination.grade import grade
from viva_examiner.files import digest
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released
from viva_examiner.records import NOT_GRADED, Graded, Keys, Work
from viva_examiner.sandbox import forks
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.slips import authors_slip


class Bench:
    """What a worker keeps between submissions: the homework, the limits, the warm interpreter."""

    def __init__(self, order: dict):
        self.released = {r.notebook: r for r in map(Released.from_json, order["released"])}
        self.homeworks = sorted({each.homework for each in self.released.values()})
        self.limits = Limits(**order["limits"])
        self.way = order["isolation"]
        self.hide, self.preload = tuple(order["hide"]), tuple(order["preload"])
        self.marks_only = order["marks_only"]
        os.environ["VIVA_SECRET"] = order["secret"]
        if order["library"]:
            library = importlib.import_module(order["library"])
            for homework in self.homeworks:
                library.exercises(homework)  # imports now, not on the first submission's time
            if order.get("witness") and hasattr(library, "witness"):
                library.witness()
            if order["answers"] and hasattr(library, "keep_answers"):
                rests_on = digest(libraries(), *map(kit_digest, self.homeworks))
                library.keep_answers(order["answers"], rests_on)
        self.warm = self._start()

    def _start(self) -> WarmInterpreter:
        return WarmInterpreter(self.preload, self.limits, self.hide, self.way, self.homeworks)

    def grade(self, job: dict, work: Work) -> str:
        """The record of one submission as JSON; a fault of the engine gets a second try."""
        graded = self._grade(job, work)
        if graded.status == NOT_GRADED and not graded.seconds:
            self.warm.close()
            self.warm = self._start()
            graded = self._grade(job, work)
        return graded.to_json()

    def _grade(self, job: dict, work: Work) -> Graded:
        released, keys = self.released[job["notebook"]], Keys(**job["keys"])
        with bounded_memory():
            return grade(self.warm, released, job["student"], work, self.limits, keys,
                         self.marks_only)

    def close(self) -> None:
        self.warm.close()


def main(channel: Connection, line: socket.socket) -> None:
    """Serve a coordinator until it hangs up. `line`: to the fork server."""
    forks.INHERITED.append(forks.ForkServer(line))
    bench = None
    try:
        bench = Bench(json.loads(channel.recv_bytes()))
        channel.send_bytes(b"ready")
        while True:
            job = json.loads(channel.recv_bytes())
            notebook, log = channel.recv_bytes(), channel.recv_bytes()
            files = {name: channel.recv_bytes() for name in job["files"]}
            work = Work(notebook, files, log, tuple(job["remarks"]))
            channel.send_bytes(bench.grade(job, work).encode())
    except (EOFError, ConnectionError, KeyboardInterrupt):
        pass
    except Exception as error:
        if not (sentence := authors_slip(error)):
            raise
        print(sentence, file=sys.stderr)  # the coordinator tells it
    finally:
        if bench is not None:
            bench.close()
