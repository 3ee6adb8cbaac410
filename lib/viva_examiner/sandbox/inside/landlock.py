"""Landlock: give up access to all files but the named ones, without any right of the system's.

Kernels before 5.13, and some containers, do not have it; then `restrict` answers False and file
permissions are all there is.
"""

import ctypes
import os
import struct
from collections.abc import Iterable
from typing import Any

from viva_examiner.sandbox.inside import linux

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG, PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
READ = EXECUTE | READ_FILE | READ_DIR
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14  # what a rule for a file may name
BITS = {1: 13, 2: 14, 3: 15}  # access rights that each version of the interface knows


def _syscall(*args: Any) -> int:
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    return linux.libc.syscall(*words)


def version() -> int:
    """The version of the interface that this kernel has; 0 if it has none."""
    return max(0, _syscall(CREATE_RULESET, None, 0, VERSION_FLAG))


def restrict(readable: Iterable[str], writable: Iterable[str]) -> bool:
    """Allow reading below `readable`, everything below `writable`, nothing else from now on."""
    known = version()
    if known < 1:
        return False
    everything = (1 << BITS[min(known, 3)]) - 1
    ruleset = _syscall(CREATE_RULESET, struct.pack("Q", everything), 8, 0)
    if ruleset < 0:
        return False
    try:
        for paths, rights in ((readable, READ), (writable, everything)):
            for path in paths:
                _allow(ruleset, path, rights & everything)
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        return _syscall(RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH)
    except OSError:
        return  # not on this machine
    try:
        rights = rights if os.path.isdir(path) else rights & ON_FILES
        if _syscall(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, fd), 0) != 0:
            raise OSError(ctypes.get_errno(), f"landlock refuses a rule for {path}")
    finally:
        os.close(fd)
