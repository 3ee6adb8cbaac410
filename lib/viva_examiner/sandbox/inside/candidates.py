"""The warm interpreter: everything imported already, then one fork per submission.

Forked from the fork server, a first process makes the namespaces and waits; its child, pid 1 of its
own PID namespace, builds the cage and forks a tenant on request: a candidate, or a judge. Killing
the first process ends everything below it.

A tenant is a module, named by the plan, with `prepare(plan)`, which is called once before the first
fork, and `serve(sock, limits)`, which is the life of each fork.
"""

import gc
import importlib
import os
import random
import resource
import select
import signal
import socket
import sys
import tempfile
import traceback
from typing import Any

from viva_examiner.sandbox.inside import frames, linux
from viva_examiner.sandbox.inside.family import held_by, lower
from viva_examiner.sandbox.inside.protocol import Control
from viva_examiner.sandbox.inside.ways import WAYS, Way

WATCH_SECONDS = 0.1
TICKS = os.sysconf("SC_CLK_TCK")
OWN = ("RssAnon:", "RssShmem:", "VmSwap:")  # memory without a file behind it
SHARES = ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")  # the same, divided among those who share


def main(control_fd: int) -> None:
    """The life of a warm interpreter in a process just forked; never returns."""
    control = socket.socket(fileno=control_fd)
    plan, _ = frames.receive_json(control)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.sched_setaffinity(0, plan["cores"])
    try:
        way = WAYS[plan["way"]](plan)
        way.leave_host()
        pid = os.fork()
    except OSError as error:
        frames.send_json(control, {"op": Control.FAILED, "why": str(error)})
        os._exit(1)
    if pid:
        control.close()
        _, status = os.waitpid(pid, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        WarmLoop(plan, way, control).run()
    except BaseException:
        trouble = traceback.format_exc(limit=6)
        frames.send_json(control, {"op": Control.FAILED, "why": trouble.strip().splitlines()[-1],
                                   "trace": trouble})
        os._exit(1)
    os._exit(0)


class WarmLoop:
    """The warm interpreter's life: get ready, then fork a candidate per request."""

    def __init__(self, plan: dict, way: Way, control: socket.socket):
        self.plan, self.way, self.control = plan, way, control
        self.child, self.pidfd = 0, -1
        self.limits: dict[str, Any] = {}
        self.reason = ""
        self.baseline = 0  # KB that every fork shares with this process
        self.reaped = 0.0  # seconds of processor time of children that ended before this candidate

    def run(self) -> None:
        self.way.build()
        if not self.plan.get("trial"):
            prepare(self.plan)
            self.tenant = importlib.import_module(self.plan["tenant"])
            self.tenant.prepare(self.plan)
            settle()
        frames.send_json(self.control, {"op": Control.READY})
        while True:
            poll = select.poll()
            poll.register(self.control, select.POLLIN)
            if self.child:
                poll.register(self.pidfd, select.POLLIN)
            events = dict(poll.poll(WATCH_SECONDS * 1000 if self.child else None))
            if self.child and self.pidfd in events:
                self.bury()
            elif self.child:
                self.watch()
            if self.control.fileno() in events and not self.answer():
                return

    def answer(self) -> bool:
        """Serve one control message; False when the examiner has gone."""
        try:
            request, fds = frames.receive_json(self.control)
        except (EOFError, OSError):
            return False
        self.fork(request, fds)
        for fd in fds:
            os.close(fd)
        return True

    def fork(self, request: dict, fds: list[int]) -> None:
        if self.child:
            raise RuntimeError("asked for a second candidate while one is alive")
        self.limits, self.reason = request["limits"], ""
        self.way.prepare_fork()
        self.baseline = memory_of(os.getpid(), "status", OWN) or 0
        self.reaped = reaped_seconds()
        pid = os.fork()
        if pid == 0:
            become_tenant(self, request, fds)
        self.child, self.pidfd = pid, os.pidfd_open(pid)
        frames.send_json(self.control, {"op": Control.FORKED}, [self.pidfd])

    def watch(self) -> None:
        """End the candidate when its processes together take more than they may."""
        family = self.way.family()
        self.watch_memory(family)
        lower(family)
        # A limit of the kernel's own (RLIMIT_CPU) holds for each process alone, and makes the
        # processor clock of the candidate step by 10 ms: timings in a notebook came out as 0.
        spent = sum(map(processor_seconds, family)) + reaped_seconds() - self.reaped
        if spent > self.limits["submission_seconds"] + 1 and not self.reason:
            self.reason = "processor"
            os.kill(self.child, signal.SIGKILL)

    def watch_memory(self, family: list[int]) -> None:
        """Memory, and what the kernel holds for sockets. The quick sum counts pages that a fork
        shares with its parent twice, and may have to guess at sockets; only when it is too large
        is the exact one, which divides shared pages, worth its time.
        """
        limit, socket_kb = self.limits["memory_mb"] * 1024, self.way.socket_kb
        if sum(map(self.quick, family)) + held_by(family, socket_kb) <= limit:
            return
        shared = 0
        with self.way.sight():
            taken = held_by(family, socket_kb)
            for pid in family:
                exact = memory_of(pid, "smaps_rollup", SHARES)
                if exact is None:  # it hides: then nothing of it is shared
                    taken += self.quick(pid)
                else:
                    shared += exact
        if max(0, shared - self.baseline) + taken > limit:
            self.reason = "memory"
            os.kill(self.child, signal.SIGKILL)

    def quick(self, pid: int) -> int:
        """At most so many KB beyond what every fork shares are a process's own."""
        return max(0, (memory_of(pid, "status", OWN) or 0) - self.baseline)

    def bury(self) -> None:
        """Reap the candidate (its namespace ended with it) and report how it ended."""
        _, status, usage = os.wait4(self.child, 0)
        self.way.clean_up()
        code = os.waitstatus_to_exitcode(status)
        os.close(self.pidfd)
        self.child, self.pidfd = 0, -1
        frames.send_json(self.control, {
            "op": Control.EXITED, "code": code, "reason": self.reason,
            "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss / 1024,
        })


def become_tenant(warm: WarmLoop, request: dict, fds: list[int]) -> None:
    """In the child: cage, clean descriptors and environment, then serve the examiner."""
    sock = None
    try:
        linux.name_process(f"viva-{warm.plan['what']}")
        conversation, output, errors = (os.dup2(fd, number) for fd, number in
                                        zip(_high(fds), (3, 1, 2), strict=True))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.closerange(4, 4096)
        sock = socket.socket(fileno=conversation)
        sys.stdin = open(0, closefd=False)
        warm.way.enclose(request["limits"])
        clean_environment(request["environment"])
        frames.send(sock, b"ready")
    except BaseException as error:
        if sock is not None:
            frames.send(sock, f"{type(error).__name__}: {error}".encode()[:2000])
        os._exit(70)
    if warm.plan.get("trial"):
        os._exit(0)
    try:
        warm.tenant.serve(sock, request["limits"])
    finally:
        os._exit(0)


def _high(fds: list[int]) -> list[int]:
    """The same files on numbers that the standard ones cannot collide with."""
    return [os.dup2(fd, 100 + i) for i, fd in enumerate(fds)]


def clean_environment(wanted: dict) -> None:
    """Exactly the environment the examiner wants the candidate to see."""
    home = os.path.dirname(os.getcwd())
    os.environ.clear()
    own = {"HOME": home, "TMPDIR": home, "MPLCONFIGDIR": home + "/matplotlib"}
    os.environ.update(own | wanted)
    tempfile.tempdir = None  # the warm interpreter's is not this tenant's


def memory_of(pid: int, file: str, rows: tuple[str, ...]) -> int | None:
    """Sum of some rows, in KB, of a process's account; 0 when it has gone, None if it is closed."""
    try:
        with open(f"/proc/{pid}/{file}") as account:
            return sum(int(row.split()[1]) for row in account if row.startswith(rows))
    except PermissionError:
        return None
    except (OSError, IndexError, ValueError):
        return 0


def processor_seconds(pid: int) -> float:
    """Processor time of a process and of its children that have ended; 0 when it has gone."""
    try:
        with open(f"/proc/{pid}/stat") as account:
            fields = account.read().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS
    except (OSError, IndexError, ValueError):
        return 0.0


def reaped_seconds() -> float:
    """Processor time of this process's own children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def prepare(plan: dict) -> None:
    """Libraries look for their settings where the tenants will have their home.

    A preloaded package may have a function `warm_up_homeworks` for what only some homeworks need.
    """
    sys.path[:] = plan.get("path", sys.path)
    os.environ.update(HOME="/tmp", MPLCONFIGDIR="/tmp/matplotlib")
    if matplotlib := sys.modules.get("matplotlib"):  # it remembers the directories of the host
        vars(matplotlib).update(dict.fromkeys(("get_configdir", "get_cachedir"),
                                              lambda: os.environ["MPLCONFIGDIR"]))
    for name in plan["preload"]:
        getattr(sys.modules[name], "warm_up_homeworks", lambda names: None)(plan["homeworks"])


def settle() -> None:
    """Everything random is as it is at the start of a process, and what is here is shared."""
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    random.seed(0)
    gc.collect()
    gc.freeze()
