"""A system-call filter, assembled here: deny what student code never needs.

The rest of the isolation (namespaces, a user without rights, no capabilities) already refuses
nearly all of this; the filter is there for the kernel bugs nobody knows yet, so it cuts off the
large and rarely used parts of the kernel.
"""

import ctypes
import errno
import platform
import struct

from viva_examiner.sandbox.inside import linux

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
RET_KILL, RET_ERRNO, RET_ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCH, ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data; 8 bytes per argument
X32_BIT = 0x40000000
CLONE_NEW_ANY = 0x7E020000  # every CLONE_NEW* flag of clone
# AF_UNIX, AF_INET, AF_INET6: in a network namespace there is no interface to use
ALLOWED_FAMILIES = {"socket": (1, 2, 10), "socketpair": (1, 2, 10)}
PR_SET_DUMPABLE = 4  # the examiner reads this process's memory use from outside

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE3 = 435
CLONE = {"x86_64": 56, "aarch64": 220}
SOCKET = {"x86_64": 41, "aarch64": 198}
SOCKETPAIR = {"x86_64": 53, "aarch64": 199}
PRCTL = {"x86_64": 157, "aarch64": 167}
MMAP = {"x86_64": 9, "aarch64": 222}
SETSOCKOPT = {"x86_64": 54, "aarch64": 208}
MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20  # together: pages that stay when no process maps them
SOL_SOCKET, BUFFERS = 1, (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF and their _FORCE forms
# A limit that the examiner sets for one question must not be lifted from inside; reading one
# (prlimit64 with no new limit) is what getrlimit of the C library does. Nobody sets one for a
# judge, whose hard limit holds by itself: it gives known mistakes as little memory as students.
SETRLIMIT, PRLIMIT = {"x86_64": 160, "aarch64": 164}, {"x86_64": 302, "aarch64": 261}
HELD_LIMITS = (6, 9)  # RLIMIT_NPROC, RLIMIT_AS
HELD_FOR_JUDGE = (6,)

# name: (x86_64, aarch64); None where the architecture has no such call
DENIED = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "open_tree": (428, 428),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280), "perf_event_open": (298, 241),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "swapon": (167, 224), "swapoff": (168, 225),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "acct": (163, 89), "syslog": (103, 116),
    "personality": (135, 92), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "adjtimex": (159, 171), "clock_adjtime": (305, 266), "iopl": (172, None),
    "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None), "ustat": (136, None),
    "sysfs": (139, None), "lookup_dcookie": (212, 18), "vhangup": (153, 58),
    "nfsservctl": (180, 42), "fanotify_init": (300, 262), "vmsplice": (278, 75),
    "set_mempolicy": (238, 237), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # memory that no resident-set count shows
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
    "msgget": (68, 186), "mq_open": (240, 180), "semget": (64, 190),
    "inotify_init": (253, None), "inotify_init1": (294, 26),
}
# Answered as if done, and not done: programs that ask for it go on, with the share of the
# processors that they have (another core, or another session, would be a larger one).
IGNORED = {
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119), "setsid": (112, 157), "ioprio_set": (251, 30),
}


class Filter:
    """A BPF program under construction; every rule ends in a return or falls through."""

    def __init__(self) -> None:
        self.code: list[bytes] = []

    def add(self, code: int, k: int, if_true: int = 0, if_false: int = 0) -> None:
        self.code.append(struct.pack("HBBI", code, if_true, if_false, k))

    def deny(self, number: int, error: int = errno.EPERM) -> None:
        """Answer one system call with an error."""
        self.add(JUMP_EQUAL, number, 0, 1)
        self.add(RETURN, RET_ERRNO | error)

    def install(self) -> None:
        program = b"".join(self.code)
        buffer = ctypes.create_string_buffer(program, len(program))
        head = struct.pack("HP", len(self.code), ctypes.addressof(buffer))
        linux.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(head))


def program(machine: str, families: dict = ALLOWED_FAMILIES,
            held_limits: tuple[int, ...] = HELD_LIMITS) -> Filter:
    """The filter for an architecture, ending in "allow"."""
    column = list(ARCHITECTURES).index(machine)
    rules = Filter()
    rules.add(LOAD, ARCH)
    rules.add(JUMP_EQUAL, ARCHITECTURES[machine], 1, 0)
    rules.add(RETURN, RET_KILL)
    rules.add(LOAD, NUMBER)
    if machine == "x86_64":
        rules.add(JUMP_GREATER_EQUAL, X32_BIT, 0, 1)
        rules.add(RETURN, RET_KILL)
    # the C library falls back to clone, whose flags a filter can see
    rules.deny(CLONE3, errno.ENOSYS)
    for numbers in DENIED.values():
        if (number := numbers[column]) is not None:
            rules.deny(number)
    for numbers in IGNORED.values():
        rules.deny(numbers[column], 0)
    # each of the following loads an argument, so it must return or load the number again
    rules.add(JUMP_EQUAL, CLONE[machine], 0, 4)
    rules.add(LOAD, ARGUMENT)
    rules.add(JUMP_ANY_BIT, CLONE_NEW_ANY, 0, 1)
    rules.add(RETURN, RET_ERRNO | errno.EPERM)
    rules.add(RETURN, RET_ALLOW)
    for call, allowed in ((SOCKET, families["socket"]), (SOCKETPAIR, families["socketpair"])):
        rules.add(JUMP_EQUAL, call[machine], 0, 3 + len(allowed))
        rules.add(LOAD, ARGUMENT)
        for i, family in enumerate(allowed):
            rules.add(JUMP_EQUAL, family, len(allowed) - i, 0)
        rules.add(RETURN, RET_ERRNO | errno.EPERM)
        rules.add(RETURN, RET_ALLOW)
    rules.add(JUMP_EQUAL, PRCTL[machine], 0, 4)
    rules.add(LOAD, ARGUMENT)
    rules.add(JUMP_EQUAL, PR_SET_DUMPABLE, 0, 1)
    rules.add(RETURN, RET_ERRNO | errno.EPERM)
    rules.add(RETURN, RET_ALLOW)
    rules.add(JUMP_EQUAL, MMAP[machine], 0, 5)
    rules.add(LOAD, ARGUMENT + 3 * 8)
    rules.add(JUMP_ANY_BIT, MAP_ANONYMOUS, 0, 2)
    rules.add(JUMP_ANY_BIT, MAP_SHARED, 0, 1)
    rules.add(RETURN, RET_ERRNO | errno.EPERM)
    rules.add(RETURN, RET_ALLOW)
    rules.add(JUMP_EQUAL, SETSOCKOPT[machine], 0, 5 + len(BUFFERS))
    rules.add(LOAD, ARGUMENT + 8)
    rules.add(JUMP_EQUAL, SOL_SOCKET, 0, 1 + len(BUFFERS))
    rules.add(LOAD, ARGUMENT + 2 * 8)
    for i, option in enumerate(BUFFERS):
        rules.add(JUMP_EQUAL, option, len(BUFFERS) - i, 0)
    rules.add(RETURN, RET_ALLOW)
    rules.add(RETURN, RET_ERRNO)  # the size that it has is the size that is counted
    held = len(held_limits)
    rules.add(JUMP_EQUAL, SETRLIMIT[machine], 0, held + 3)
    rules.add(LOAD, ARGUMENT)
    for i, kind in enumerate(held_limits):
        rules.add(JUMP_EQUAL, kind, held - i, 0)  # to the refusal
    rules.add(RETURN, RET_ALLOW)
    rules.add(RETURN, RET_ERRNO | errno.EPERM)
    rules.add(JUMP_EQUAL, PRLIMIT[machine], 0, held + 8)
    rules.add(LOAD, ARGUMENT + 8)
    for i, kind in enumerate(held_limits):
        rules.add(JUMP_EQUAL, kind, held - i, 0)  # to the question whether there is a new limit
    rules.add(RETURN, RET_ALLOW)
    rules.add(LOAD, ARGUMENT + 16)  # both halves of the pointer to it
    rules.add(JUMP_EQUAL, 0, 0, 3)
    rules.add(LOAD, ARGUMENT + 20)
    rules.add(JUMP_EQUAL, 0, 0, 1)
    rules.add(RETURN, RET_ALLOW)
    rules.add(RETURN, RET_ERRNO | errno.EPERM)
    rules.add(RETURN, RET_ALLOW)
    return rules


def install(families: dict = ALLOWED_FAMILIES,
            held_limits: tuple[int, ...] = HELD_LIMITS) -> None:
    """Filter this process and its descendants from now on. Needs no_new_privs."""
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no system-call filter for {machine}")
    program(machine, families, held_limits).install()
