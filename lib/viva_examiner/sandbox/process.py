"""A candidate's process seen from outside: its clock, its limits, signals to it, and its end."""

import contextlib
import os
import resource
import select
import signal
from pathlib import Path

from viva_examiner.sandbox.clock import Handle
from viva_examiner.sandbox.forks import pid_of

MEGA = 2**20
NAMES = {resource.RLIMIT_AS: "Max address space", resource.RLIMIT_NPROC: "Max processes"}


class Candidate(Handle):
    """What its warm interpreter's owner may do to a candidate."""

    def __init__(self, pidfd: int):
        super().__init__(pid_of(pidfd))
        self.pidfd = pidfd
        self.limits: dict[int, tuple[int, int]] = {}  # those before the tighter ones

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)

    def has_left(self, seconds: float) -> bool:
        leaving = select.poll()
        leaving.register(self.pidfd, select.POLLIN)
        return bool(leaving.poll(seconds * 1000))

    def tighten(self, mb: float) -> bool:
        if not _is_alone(self.pid):
            return False
        space = int((self.proc / f"{self.pid}/statm").read_text().split()[0])
        wanted = {resource.RLIMIT_AS: space * resource.getpagesize() + int(mb * MEGA),
                  resource.RLIMIT_NPROC: 0}
        self.limits = _limits_of(self.pid, tuple(wanted))
        _set_limits(self.pid, {kind: (_smaller(most, self.limits[kind][1]), self.limits[kind][1])
                               for kind, most in wanted.items()})
        return True

    def loosen(self) -> None:
        before, self.limits = self.limits, {}
        with contextlib.suppress(OSError):  # it may have died of its question
            _set_limits(self.pid, before)

    def close(self) -> None:
        super().close()
        os.close(self.pidfd)


def _limits_of(pid: int, kinds: tuple[int, ...]) -> dict[int, tuple[int, int]]:
    """{kind: (soft, hard)}, read where no right to change them is needed."""
    rows = Path(f"/proc/{pid}/limits").read_text().splitlines()
    found = {}
    for kind in kinds:
        words = next(row for row in rows if row.startswith(NAMES[kind]))[len(NAMES[kind]):].split()
        soft, hard = (resource.RLIM_INFINITY if word == "unlimited" else int(word)
                      for word in words[:2])
        found[kind] = soft, hard
    return found


def _set_limits(pid: int, limits: dict[int, tuple[int, int]]) -> None:
    """Raises PermissionError where neither we nor the user of the process may."""
    try:
        for kind, pair in limits.items():
            resource.prlimit(pid, kind, pair)
        return
    except PermissionError:
        if os.geteuid() != 0:
            raise
    # Root of a container without CAP_SYS_RESOURCE: a child of ours becomes the process's user.
    owner = os.stat(f"/proc/{pid}")
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(owner.st_gid, owner.st_gid, owner.st_gid)
            os.setresuid(owner.st_uid, owner.st_uid, owner.st_uid)
            for kind, pair in limits.items():
                resource.prlimit(pid, kind, pair)
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        raise PermissionError(f"the limits of process {pid} cannot be changed")


def _smaller(one: int, other: int) -> int:
    return one if other == resource.RLIM_INFINITY else min(one, other)


def _is_alone(pid: int) -> bool:
    """Whether nothing but the candidate lives below the process that made it.

    An orphan of the candidate's becomes a child of the candidate or of that process.
    """
    parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return set(_children(parent)) <= {pid} and not _children(pid)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in os.scandir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            found += map(int, (Path(task.path) / "children").read_text().split())
    return found
