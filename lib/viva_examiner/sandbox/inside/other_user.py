"""A candidate as another user: for containers where we are root but namespaces are refused.

What protects the exam here are file permissions (it belongs to root, mode 700), landlock where
the kernel has it, and a filter that refuses every socket. Memory, time, processes and files are
limited as in the cage. The candidate sees that other processes exist; it cannot touch them.
"""

import contextlib
import os
import shutil
import signal
from collections.abc import Iterable, Iterator

from viva_examiner.sandbox.inside import cage, doors, landlock, linux, seccomp

PAIRS_ONLY = {"socket": (), "socketpair": (1,)}  # no network, no daemon: pipes to its own children
DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom", "/dev/fd")
SHARED = ("/tmp", "/dev/shm", "/var/tmp")  # where anybody may write if landlock does not forbid it


def end_all(uid: int) -> None:
    """Kill every process of the candidate's user in one call: a fork bomb outruns single ones.

    The killer is that user in every respect. With root's real id left to it, the same call would
    end every process of root's.
    """
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            if uid and set(os.getresuid()) == {uid}:
                os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


@contextlib.contextmanager
def sight(uid: int) -> Iterator[None]:
    """In this block root sees of processes what the candidate's user sees.

    In a container root may not read the accounts of another user's processes; their owner may.
    """
    parent = os.getppid()
    linux.look_as(uid, uid)
    try:
        yield
    finally:
        linux.look_as(0, 0)
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of rights has cleared it
        if os.getppid() != parent:
            os._exit(1)


def sweep(uid: int) -> None:
    """Remove what a candidate left where anybody may write."""
    for folder in filter(os.path.isdir, SHARED):
        for entry in os.scandir(folder):
            with contextlib.suppress(OSError):
                if entry.stat(follow_symlinks=False).st_uid != uid:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)


def become(limits: dict, uid: int, scratch: str, readable: Iterable[str],
           held_limits: tuple[int, ...]) -> None:
    """Make this process, just forked as root, a candidate in its own directory."""
    os.setsid()
    work = os.path.join(scratch, "submission")
    os.mkdir(work)
    for path in (scratch, work):
        os.chown(path, uid, uid)
    closed = doors.closed(uid)
    doors.open_up(closed)
    if not landlock.restrict([*readable, "/proc"], [scratch, *DEVICES]) and closed:
        raise PermissionError(f"another user cannot enter {closed[0]}, where Python is: install it "
                              "where everybody may read it")
    cage.limit_resources(limits)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of user has cleared it
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    os.chdir(work)
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(PAIRS_ONLY, held_limits)
