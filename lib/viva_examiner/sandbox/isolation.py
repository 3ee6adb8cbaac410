"""How a candidate is kept apart on this machine, and what it may see of it."""

import os
import socket
import sys
import sysconfig
import tempfile
from pathlib import Path

from viva_examiner.limits import Limits
from viva_examiner.sandbox import forks
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.inside import frames

NAMESPACES, OTHER_USER, NONE = "namespaces", "another user", "none"  # see inside.ways
NOBODY = 65534
SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache",
          "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/fonts", "/etc/localtime", "/etc/timezone",
          "/etc/alternatives", "/etc/mime.types", "/sys/devices/system/cpu")
# Not /dev/zero: mapped, it is memory that no process's account shows.
DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
LINKS = {"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0",
         "/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2"}
STAFF = ("viva_course", "viva_examiner")  # packages never shown, wherever they are installed


class CannotIsolate(EngineError):
    """No way to keep a candidate apart on this machine; the message says what to change."""


REMEDY = """\
Grading needs Linux namespaces. What makes them available, as root:
    sysctl kernel.apparmor_restrict_unprivileged_userns=0    (Ubuntu 24.04)
    sysctl kernel.unprivileged_userns_clone=1                (older Debian)
    sysctl user.max_user_namespaces=10000                    (where it is 0)
In Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --cap-add SYS_ADMIN
On a machine where no submission is hostile, c.Examiner.trusted_machine = True in
nbgrader_config.py grades without isolation and says so on every mark."""


def chosen(trusted_machine: bool = False, in_container: bool = False) -> str:
    """The way to keep candidates apart on this machine; raises CannotIsolate.

    trusted_machine: staff say that no submission is hostile here
    in_container: nothing but the exam is on this machine, and its root may be used (Gradescope)
    """
    if trusted_machine:
        return NONE
    reason = why_not()
    if reason is None:
        return NAMESPACES
    if in_container and os.geteuid() == 0:
        return OTHER_USER
    raise CannotIsolate(f"cannot isolate student code here: {reason}")


def plan(stage: str, preload, hide=(), way: str = NAMESPACES, homeworks=(),
         trial: bool = False, uid: int = NOBODY) -> dict:
    """The cage's contents as data: paths to show, to mask, and small files to write.

    hide: further packages (names) or paths that no candidate may see
    way: as another user there is no cage: the paths to show are those it may read
    uid: who the candidates are
    """
    inside = Path(__file__).parent / "inside"
    names = STAFF + tuple(name for name in hide if "/" not in str(name))
    paths = [str(Path(name).resolve()) for name in hide if "/" in str(name)]
    needed = [sys.base_prefix, sys.prefix, str(inside)]
    needed += [str(path) for path in map(_package, _kit(preload)) if path]
    binds = [*SYSTEM, *DEVICES, *needed]
    binds = sorted({os.path.abspath(path) for path in binds} - {str(inside)}, key=len)
    paths = [part for path in paths for part in _around(Path(path), needed)]
    return {
        "stage": stage,
        "way": way,
        "trial": trial,
        "uid": uid,
        "preload": list(preload),
        "homeworks": list(homeworks),
        "cores": sorted(os.sched_getaffinity(0)),  # where the examiner runs, its candidates run
        "binds": _without_nested(binds),
        "masks": [path for path in _traces(names) + paths if _below(path, binds)],
        "inside": str(inside),
        "links": LINKS,
        "files": {
            **{str(folder / "__init__.py"): "" for folder in inside.parents[:2]},
            "/etc/passwd": "".join(f"candidate:x:{number}:{number}::/tmp:/bin/sh\n"
                                   for number in {NOBODY, os.getuid()} - {0}),
            "/etc/group": f"candidate:x:{NOBODY}:\n",
            "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
            "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
        },
    }


def why_not() -> str | None:
    """None if this machine can isolate a candidate, else a sentence with the remedy.

    Really tries, once, with a process that only builds the cage and ends.
    """
    if not sys.platform.startswith("linux"):
        return "Isolation needs Linux; this is " + sys.platform + ". Grade in a virtual machine."
    with tempfile.TemporaryDirectory(prefix="viva-stage-") as stage:
        process, control = start(plan(stage, (), trial=True))
        try:
            message, _ = frames.receive_json(control)
            if message["op"] != "ready":
                return f"{message['why']}. {REMEDY}"
            mine, theirs = socket.socketpair()
            mine.settimeout(10)
            output, errors = os.pipe()
            request = {"op": "fork", "limits": Limits().as_dict(), "environment": {}}
            frames.send_json(control, request, [theirs.fileno(), errors, errors])
            theirs.close()
            os.close(output), os.close(errors)
            answer = frames.receive(mine)
            mine.close()
            return None if answer == b"ready" else f"{answer.decode(errors='replace')}. {REMEDY}"
        except (EOFError, OSError) as error:
            return f"A trial candidate could not be started ({error}). {REMEDY}"
        finally:
            control.close()
            process.close()


def start(plan_of_cage: dict) -> tuple[forks.Forked, socket.socket]:
    """A warm interpreter, forked from a fork server; it gets the plan and nothing else of ours."""
    mine, theirs = socket.socketpair()
    with theirs:
        child = forks.current(tuple(plan_of_cage["preload"])).fork("warm", [theirs.fileno()])
    frames.send_json(mine, plan_of_cage)
    return child, mine


def _kit(preload) -> list[str]:
    """The packages of a student kit among what is preloaded: those outside the interpreter."""
    return sorted({name.partition(".")[0] for name in preload})


def _package(name: str) -> Path | None:
    """The directory of a package, or the file of a module, without importing it."""
    from importlib.util import find_spec

    spec = find_spec(name)
    if spec is None or not spec.origin or spec.origin in ("built-in", "frozen"):
        return None
    origin = Path(spec.origin).resolve()
    return origin.parent if origin.name == "__init__.py" else origin


def _traces(names) -> list[str]:
    """Where staff packages may be installed: the package, its metadata, its editable links."""
    found = []
    site = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    for folder in map(Path, sorted(site)):
        for name in names:
            wheel = name.replace("_", "[-_]")
            for pattern in (name, f"{name}.py", f"{wheel}-*.dist-info", f"{wheel}*.egg-link",
                            f"__editable__*{wheel}*"):
                found += [str(path) for path in folder.glob(pattern)]
    return sorted(set(found))


def _around(path: Path, needed: list[str]) -> list[str]:
    """A hidden path, or if the interpreter or the kit lies in it, its parts around them."""
    if str(path) in needed:
        return []
    if not any(_below(each, [str(path)]) for each in needed):
        return [str(path)]
    return [part for child in sorted(path.iterdir()) for part in _around(child, needed)]


def _below(path: str, roots) -> bool:
    return any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)


def _without_nested(paths) -> list[str]:
    kept = []
    for path in paths:
        real = os.path.islink(path)
        if real or not _below(path, [p for p in kept if not os.path.islink(p)]):
            kept.append(path)
    return kept


