"""The cage: a root directory with only what student code needs, then a process without rights.

Two steps. The warm interpreter builds the tree once and moves into it (`leave_host`, `build`);
each candidate, forked from it, gets its own namespaces, its own small writable disk and its own
/proc, and then gives up every right it has (`enclose`). As root and as an ordinary user alike: an
ordinary user gains the right to do this from a user namespace around the warm interpreter.
"""

import os
import resource
import signal

from viva_examiner.sandbox.inside import linux, seccomp

NAMESPACES = linux.CLONE_NEWNS | linux.CLONE_NEWNET | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS
SAFE = linux.MS_NOSUID | linux.MS_NODEV
WORK = "/tmp/submission"
SHOWN = "/.tmp"  # what the cage shows of the host's /tmp: a course may be installed there
WRITABLE = ("/tmp", "/dev/shm", "/proc")
OPTION_FLAGS = {
    "ro": linux.MS_RDONLY, "nosuid": linux.MS_NOSUID, "nodev": linux.MS_NODEV,
    "noexec": linux.MS_NOEXEC, "noatime": linux.MS_NOATIME, "nodiratime": linux.MS_NODIRATIME,
    "relatime": linux.MS_RELATIME,
}


def leave_host() -> None:
    """Namespaces for the warm interpreter, which must be the next child of this process."""
    if os.geteuid() != 0:
        uid, gid = os.getuid(), os.getgid()
        linux.unshare(linux.CLONE_NEWUSER)
        linux.map_to_self("/proc", uid, gid)
    linux.unshare(NAMESPACES | linux.CLONE_NEWPID)
    linux.mount("none", "/", None, linux.MS_REC | linux.MS_PRIVATE)


def build(plan: dict) -> None:
    """Build the tree that the plan describes on its stage, and make it the root directory."""
    stage = plan["stage"]
    linux.mount("tmpfs", stage, "tmpfs", SAFE, "mode=755,size=8m")
    for path in sorted(plan["binds"], key=_depth):
        _bind(stage, path)
    for path in plan["masks"]:
        _mask(stage, path)
    for path, text in plan["files"].items():
        _write(stage + path, text)
    if plan["inside"]:
        _bind(stage, plan["inside"])
    for path, target in plan["links"].items():
        os.symlink(target, stage + path)
    for path in ("/tmp", SHOWN, "/dev/shm", "/proc", "/.proc"):
        os.makedirs(stage + path, exist_ok=True)
    linux.mount(stage + "/tmp", stage + SHOWN, None, linux.MS_BIND | linux.MS_REC)
    _private_disks(stage, "mode=1777,size=64m")
    _mount_proc(stage + "/proc")
    _make_read_only(stage)
    os.chdir(stage)
    linux.pivot_root(".", ".")
    linux.unmount(".")  # the former root lies on top: let it go
    os.chdir("/tmp")


def enclose(limits: dict, uid: int, held_limits: tuple[int, ...]) -> None:
    """Make this process, just forked, a candidate: own namespaces and disk, limits, no rights."""
    os.setsid()
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    linux.unshare(NAMESPACES)
    try:
        linux.unshare(linux.CLONE_NEWCGROUP)
    except OSError:
        pass  # a kernel without cgroup namespaces: there is no cgroup to see either
    _private_disks("", f"mode=1777,size={limits['tmp_mb']}m,nr_inodes=20000")
    has_proc = _mount_proc("/.proc")
    if os.path.exists("/proc/self"):
        linux.unmount("/proc")
    if has_proc:
        linux.mount("/.proc", "/proc", None, linux.MS_MOVE)
    _limit_queues()
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        linux.prctl(linux.PR_SET_DUMPABLE, 1)
    if has_proc:
        inner, group = os.getuid(), os.getgid()
        linux.unshare(linux.CLONE_NEWUSER)  # its own count of processes; owner of nothing
        linux.map_to_self("/proc", inner, group)
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")  # if memory runs out, this process goes first
    os.mkdir(WORK)
    os.chdir(WORK)
    limit_resources(limits)
    give_up_rights(held_limits)


def _limit_queues() -> None:
    """Few connections and messages wait for a socket: what they hold is counted as its own."""
    for name, most in (("core/somaxconn", "8"), ("unix/max_dgram_qlen", "2")):
        try:
            with open(f"/proc/sys/net/{name}", "w") as setting:
                setting.write(most)
        except OSError:
            pass  # a /proc that shows no settings of the network


def give_up_rights(held_limits: tuple[int, ...]) -> None:
    """No capability, no way to gain one, and the system-call filter."""
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(held_limits=held_limits)


def limit_resources(limits: dict) -> None:
    """The limits that the kernel itself enforces on each process."""
    with open("/proc/self/statm") if os.path.exists("/proc/self/statm") else open(os.devnull) as f:
        pages = int((f.read() or "0").split()[0])
    mega = 1024 * 1024
    space = pages * resource.getpagesize() + limits["memory_mb"] * mega if pages else -1
    for kind, value in (
        (resource.RLIMIT_AS, space),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_FSIZE, limits["file_mb"] * mega),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 64 * 1024),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(kind, (value, value))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file too large is an OSError


def _depth(path: str) -> int:
    return path.count("/")


def _bind(stage: str, path: str) -> None:
    """Show a path of the host at the same place, recursively; links stay links."""
    target = stage + path
    if os.path.lexists(target) or not os.path.lexists(path):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), target)
        return
    if os.path.isdir(path):
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    linux.mount(path, target, None, linux.MS_BIND | linux.MS_REC)


def _mask(stage: str, path: str) -> None:
    """Put nothing where something of the course would show."""
    if os.path.isdir(stage + path):
        linux.mount("tmpfs", stage + path, "tmpfs", SAFE, "mode=755,size=1m")
    elif os.path.lexists(stage + path):
        linux.mount("/dev/null", stage + path, None, linux.MS_BIND)


def _private_disks(root: str, options: str) -> None:
    """Empty writable disks, the first with what the cage shows of the host's /tmp in it."""
    for path in ("/tmp", "/dev/shm"):
        linux.mount("tmpfs", root + path, "tmpfs", SAFE, options)
    for name in os.listdir(root + SHOWN):
        shown, place = f"{root}{SHOWN}/{name}", f"{root}/tmp/{name}"
        os.mkdir(place) if os.path.isdir(shown) else _write(place, "")
        linux.mount(shown, place, None, linux.MS_BIND | linux.MS_REC)


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def _mount_proc(target: str) -> bool:
    """A /proc of this PID namespace; False where a container forbids it."""
    try:
        linux.mount("proc", target, "proc", SAFE | linux.MS_NOEXEC)
    except OSError:
        return False
    return True


def _make_read_only(stage: str) -> None:
    """Remount everything below the stage read-only, keeping flags the kernel has locked."""
    with open("/proc/self/mountinfo") as mounts:
        rows = [row.split(" ") for row in mounts]
    for row in rows:
        point = row[4].encode().decode("unicode_escape")
        place = point.removeprefix(stage)
        if place == point or place in WRITABLE:
            continue
        flags = sum(OPTION_FLAGS.get(option, 0) for option in row[5].split(","))
        flags |= linux.MS_RDONLY | linux.MS_NOSUID
        if not place.startswith("/dev/"):
            flags |= linux.MS_NODEV
        linux.mount("none", point, None, linux.MS_REMOUNT | linux.MS_BIND | flags)
