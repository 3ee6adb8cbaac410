"""The few Linux calls that Python 3.11 does not offer, by ctypes."""

import ctypes
import os
import platform
import struct
from collections.abc import Callable
from typing import Any

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x00020000, 0x02000000, 0x04000000
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x08000000, 0x10000000, 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_NOATIME, MS_NODIRATIME, MS_BIND = 32, 1024, 2048, 4096
MS_MOVE, MS_REC, MS_PRIVATE, MS_RELATIME = 8192, 16384, 1 << 18, 1 << 21
MNT_DETACH = 2

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
PR_SET_NAME = 15
PR_SET_CHILD_SUBREAPER, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 36, 47, 4

PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
LINUX_CAPABILITY_VERSION_3 = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, function: Callable[..., int], *args: Any) -> int:
    result = function(*args)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Move this process (or, for PIDs, its next children) into new namespaces."""
    _call(f"unshare({flags:#x})", libc.unshare, ctypes.c_int(flags))


def setns(fd: int, kind: int) -> None:
    """Join the namespace behind a file descriptor."""
    _call("setns", libc.setns, ctypes.c_int(fd), ctypes.c_int(kind))


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """mount(2); an error names the target."""
    _call(
        f"mount {kind or source} on {target}",
        libc.mount,
        source.encode(),
        target.encode(),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        options.encode() or None,
    )


def unmount(target: str) -> None:
    """Detach a mount and everything below it."""
    _call(f"umount {target}", libc.umount2, target.encode(), ctypes.c_int(MNT_DETACH))


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root directory and put the former one at `old`."""
    number = PIVOT_ROOT[platform.machine()]
    _call("pivot_root", libc.syscall, ctypes.c_long(number), new.encode(), old.encode())


def prctl(option: int, *args: Any) -> int:
    """prctl(2) with up to four more arguments."""
    words = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in args]
    words += [ctypes.c_ulong(0)] * (4 - len(words))
    return _call(f"prctl({option})", libc.prctl, ctypes.c_int(option), *words)


def name_process(name: str) -> None:
    """The name of this process in top and ps; at most 15 letters."""
    prctl(PR_SET_NAME, ctypes.c_char_p(name.encode()))


def drop_capabilities() -> None:
    """Give up every capability, for this process and for whatever it executes."""
    number = 0
    while True:
        try:
            prctl(PR_CAPBSET_DROP, number)
        except OSError:
            break  # past the last capability of this kernel, or no right to lower the bound
        number += 1
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("Ii", LINUX_CAPABILITY_VERSION_3, 0)
    _call("capset", libc.capset, header, struct.pack("6I", 0, 0, 0, 0, 0, 0))


def look_as(uid: int, gid: int) -> None:
    """Whose rights this process has to files, and to the accounts of processes in /proc; nothing
    else changes: that user can neither signal nor trace it. Where it fails, nothing is seen.
    """
    libc.setfsgid(ctypes.c_uint(gid))
    libc.setfsuid(ctypes.c_uint(uid))


def map_to_self(proc: str, uid: int, gid: int) -> None:
    """In a fresh user namespace: this user and group, as themselves, and nobody else."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        fd = os.open(f"{proc}/self/{name}", os.O_WRONLY)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)

