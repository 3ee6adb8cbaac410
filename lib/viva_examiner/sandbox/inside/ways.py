"""The three ways to keep a candidate apart, with one interface; the plan says which.

What each must hold is asked of all three by tests/examiner/sandbox/test_conformance.py.
"""

import contextlib
import os
import shutil
import signal
import tempfile
from contextlib import AbstractContextManager

from viva_examiner.sandbox.inside import cage, linux, other_user, seccomp
from viva_examiner.sandbox.inside.family import ALONE_KB, SOCKET_KB


class Way:
    """How a warm interpreter keeps its candidates apart.

    leave_host is called in the process above the warm interpreter, build and prepare_fork in the
    warm interpreter, enclose in the candidate just forked, clean_up when the candidate is reaped.
    """

    socket_kb = SOCKET_KB  # what the kernel may hold for one socket of a candidate

    def __init__(self, plan: dict) -> None:
        self.plan = plan
        judges = plan["what"] == "judge"
        self.held_limits = seccomp.HELD_FOR_JUDGE if judges else seccomp.HELD_LIMITS

    def leave_host(self) -> None:
        """Before the warm interpreter is forked."""

    def build(self) -> None:
        """Once, before the first candidate."""

    def prepare_fork(self) -> None:
        """Before each candidate is forked."""

    def enclose(self, limits: dict) -> None:
        """Make this process a candidate: its own directory, its limits, none of our rights."""
        raise NotImplementedError

    def family(self) -> list[int]:
        """The candidate's processes."""
        raise NotImplementedError

    def sight(self) -> AbstractContextManager[None]:
        """A block in which the accounts of the candidate's processes can be read."""
        return contextlib.nullcontext()

    def clean_up(self) -> None:
        """After the candidate has ended: nothing of it is left."""


class Namespaces(Way):
    """A cage of its own: what is not shown in it does not exist."""

    def leave_host(self) -> None:
        cage.leave_host()

    def build(self) -> None:
        self.own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY)
        cage.build(self.plan)

    def prepare_fork(self) -> None:
        linux.setns(self.own_pids, linux.CLONE_NEWPID)
        linux.unshare(linux.CLONE_NEWPID)

    def enclose(self, limits: dict) -> None:
        cage.enclose(limits, self.plan["uid"], self.held_limits)

    def family(self) -> list[int]:
        names = os.listdir("/proc") if os.path.exists("/proc/self") else []
        return [int(name) for name in names if name.isdigit() and name != "1"]


class Unconfined(Way):
    """Nothing but limits, on a machine that is declared trusted; every mark says so."""

    def build(self) -> None:
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)

    def prepare_fork(self) -> None:
        self.scratch = tempfile.mkdtemp(prefix="viva-")

    def enclose(self, limits: dict) -> None:
        os.setsid()
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.chdir(self.scratch)
        cage.limit_resources({**limits, "processes": 4096})
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)

    def family(self) -> list[int]:
        children: dict[int, list[int]] = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                children.setdefault(_parent_of(int(name)), []).append(int(name))
        found, queue = [], [os.getpid()]
        while queue:
            born = children.get(queue.pop(), [])
            found += born
            queue += born
        return found

    def clean_up(self) -> None:
        while strays := self.family():
            self.kill_at_once()
            for pid in strays:
                try:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                except (ProcessLookupError, ChildProcessError):
                    pass
        shutil.rmtree(self.scratch, ignore_errors=True)

    def kill_at_once(self) -> None:
        """Before the strays are killed one by one."""


class OtherUser(Unconfined):
    """Another user, landlock and a strict filter: where we are root but may not make namespaces."""

    socket_kb = ALONE_KB  # only pairs can be made, and nothing waits for them

    def sight(self) -> AbstractContextManager[None]:
        return other_user.sight(self.plan["uid"])

    def enclose(self, limits: dict) -> None:
        other_user.become(limits, self.plan["uid"], self.scratch, self.plan["binds"],
                          self.held_limits)

    def kill_at_once(self) -> None:
        other_user.end_all(self.plan["uid"])

    def clean_up(self) -> None:
        super().clean_up()
        other_user.sweep(self.plan["uid"])


WAYS = {"namespaces": Namespaces, "another user": OtherUser, "none": Unconfined}


def _parent_of(pid: int) -> int:
    """The parent's pid; 0 when the process has gone."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return 0
