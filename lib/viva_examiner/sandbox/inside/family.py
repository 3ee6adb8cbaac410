"""All processes of a candidate, seen by the warm interpreter: what they hold besides their memory,
and their share of the processors when they are many.
"""

import os
from collections.abc import Iterator

# The kernel's buffers belong to no process's account. A socket holds at most its own (208 KB and
# the last message) and those of the connections that wait for it, which cage.enclose limits to 8.
WAITING = 8
ALONE_KB = 350
SOCKET_KB = (1 + WAITING) * ALONE_KB
CROWD = 8  # threads and processes; a notebook with a few helpers has less
LOWEST = 19


def sockets_of(family: list[int]) -> tuple[int, int]:
    """How many sockets these processes have open (one that several of them share counts once), and
    how many files those may have open that cannot be looked at.
    """
    seen: set[str] = set()
    unseen = 0
    for pid in family:
        try:
            seen.update(target for target in _open_files(pid) if target.startswith("socket:"))
        except PermissionError:
            unseen += _files_at_most(pid)
    return len(seen), unseen


def held_by(family: list[int], socket_kb: int) -> int:
    """KB that the kernel may hold for the sockets of these processes.

    Where a process cannot be looked at, each of its files counts as a socket without a queue.
    """
    seen, unseen = sockets_of(family)
    return socket_kb * seen + ALONE_KB * unseen


def lower(family: list[int]) -> None:
    """Give a crowd the least share of the processors: together not more than a neighbour has."""
    threads = [(pid, thread) for pid in family for thread in _entries(f"/proc/{pid}/task")]
    for _, thread in threads if len(threads) > CROWD else ():
        try:
            os.setpriority(os.PRIO_PROCESS, int(thread), LOWEST)
        except OSError:
            pass  # it has gone


def _open_files(pid: int) -> Iterator[str]:
    for name in _entries(f"/proc/{pid}/fd"):
        try:
            yield os.readlink(f"/proc/{pid}/fd/{name}")
        except FileNotFoundError:
            pass  # closed meanwhile


def _files_at_most(pid: int) -> int:
    """The size of a process's table of open files, which everybody may see."""
    try:
        with open(f"/proc/{pid}/status") as account:
            return next(int(row.split()[1]) for row in account if row.startswith("FDSize:"))
    except (OSError, StopIteration):
        return 0


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, ProcessLookupError):
        return []  # the process has gone
