"""A user for the candidates of each warm interpreter that has no cage.

The kernel counts processes by user, and a candidate ends with all processes of its user: two warm
interpreters of one machine, or of two containers on it, must not share one.
"""

import fcntl
import os
import tempfile

from viva_examiner.sandbox.errors import EngineError

USERS = range(61234, 61298)  # users that own nothing and run nothing else


class OwnUser:
    """A user that nobody else on this machine has while this object is open."""

    def __init__(self) -> None:
        for uid in USERS:
            path = os.path.join(tempfile.gettempdir(), f"viva-user-{uid}")
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            lock = os.open(path, flags, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
            else:
                self.uid, self.lock = uid, lock
                return
        raise EngineError(f"all {len(USERS)} users for candidates are taken: use fewer workers")

    def close(self) -> None:
        os.close(self.lock)
