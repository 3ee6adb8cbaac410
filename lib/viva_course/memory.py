"""A question with little memory: the kernel refuses more, whatever the call does or says.

The limit is one of address space (RLIMIT_AS), set from outside on the process in which the
candidate runs. Unlike resident memory it is the same in every run, on a busy machine too: what is
asked for counts, not what happens to be in place. An array that does not fit raises MemoryError at
once, so a forbidden one may be as large as we like.
"""

import contextlib
import os
import resource
from pathlib import Path

from viva import seam
from viva.heap import take_buffers

MEGA = 2**20
REFUSED = (  # words of torch, of an answer that is too large to send, of a question to read
    "can't allocate memory", "not enough memory", "MemoryError", "PyObject pointer is null")


@contextlib.contextmanager
def at_most(mb: float, candidate):
    """In this block the candidate's process gets at most `mb` MB beyond what it has now.

    Raises AssertionError where that is too little, or where a process of the candidate's could
    hold the memory instead. Elsewhere than on Linux there is no such limit, and none is set.
    """
    if not hasattr(resource, "prlimit"):
        yield
        return
    take_buffers(candidate)
    pid = seam.process_of(candidate)
    limits = {resource.RLIMIT_AS: _address_space(pid) + int(mb * MEGA)}
    if seam.is_remote(candidate):
        if not _is_alone(pid):
            raise AssertionError("the notebook has left another process running; memory is asked "
                                 "of the function's own")
        limits[resource.RLIMIT_NPROC] = 0  # a child would have the same room once more
    before = _limits_of(pid, tuple(limits))
    try:
        _set_limits(pid, {kind: (_smaller(most, before[kind][1]), before[kind][1])
                          for kind, most in limits.items()})
        yield
    except Exception as error:
        if not _is_refused(error):
            raise
        raise AssertionError(f"it needed more than {mb:.3g} MB of memory") from None
    finally:
        with contextlib.suppress(OSError):  # it may have died of its question
            _set_limits(pid, before)


NAMES = {resource.RLIMIT_AS: "Max address space", resource.RLIMIT_NPROC: "Max processes"}


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


def _address_space(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()


def _smaller(one: int, other: int) -> int:
    return one if other == resource.RLIM_INFINITY else min(one, other)


def _is_refused(error: Exception) -> bool:
    return isinstance(error, MemoryError) or any(words in str(error) for words in REFUSED)


def _is_alone(pid: int) -> bool:
    """Whether nothing but the candidate lives below the process that made it.

    An orphan of the candidate's becomes a child of the candidate or of that process.
    """
    parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return set(_children(parent)) <= {pid} and not _children(pid)


def _children(pid: int) -> list[int]:
    found = []
    for task in os.scandir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            found += map(int, (Path(task.path) / "children").read_text().split())
    return found
