"""How a candidate is kept apart on this machine, and what it may see of it."""

import os
import socket
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from viva_examiner.failure import Failure
from viva_examiner.limits import Limits
from viva_examiner.sandbox import forks
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.inside import frames
from viva_examiner.sandbox.inside.protocol import STAFF, Control

NAMESPACES, OTHER_USER, NONE = "namespaces", "another user", "none"  # see inside.ways
NOBODY = 65534
SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache",
          "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/fonts", "/etc/localtime", "/etc/timezone",
          "/etc/alternatives", "/etc/mime.types", "/sys/devices/system/cpu")
# Not /dev/zero: mapped, it is memory that no process's account shows.
DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
LINKS = {"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0",
         "/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2"}


class CannotIsolate(EngineError, Failure):
    """No way to keep a candidate apart on this machine; the message says what to change."""

    exit_code = 3


REMEDY = """\
Grading needs Linux namespaces. To make them available, as root:
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
    raise CannotIsolate(f"student code cannot be isolated here: {reason}")


def plan(stage: str, preload: Sequence[str], hide: Iterable[str] = (), way: str = NAMESPACES,
         homeworks: Iterable[str] = (),
         trial: bool = False, uid: int = NOBODY) -> dict:
    """The cage's contents as data: paths to show, to mask, and small files to write.

    hide: further packages (names) or paths that no candidate may see
    way: as another user there is no cage: the paths to show are those it may read
    uid: who the candidates are
    """
    inside = Path(__file__).parent / "inside"
    names = STAFF + tuple(name for name in hide if "/" not in str(name))
    needed = [sys.base_prefix, sys.prefix, str(inside)]
    needed += [str(path) for path in map(_package, _kit(preload)) if path]
    return _plan(stage, needed, _traces(names), hide, uid, str(inside)) | {
        "what": "candidate",
        "tenant": "viva_examiner.sandbox.inside.agent",
        "way": way,
        "trial": trial,
        "preload": list(preload),
        "homeworks": list(homeworks),
    }


def plan_of_judge(stage: str, tenant: str, preload: Sequence[str], modules: Iterable[str] = (),
                  hide: Iterable[str] = (), way: str = NAMESPACES,
                  homeworks: Iterable[str] = (), uid: int = NOBODY) -> dict:
    """The cage of a judge: the examiner, the course's library and where else Python finds modules.

    tenant: the module that is its life
    modules: packages that tests import, the course's library among them
    hide: paths that no judge may see: the course's folder, with gradebook and submissions
    """
    hidden = [str(Path(name).resolve()) for name in hide if "/" in str(name)]
    closed = [*hidden, os.getcwd(), os.path.expanduser("~")]
    on_path = [path for path in map(os.path.abspath, filter(None, sys.path))
               if os.path.isdir(path) and not any(_below(each, [path]) for each in closed)]
    needed = [sys.base_prefix, sys.prefix, *on_path, str(Path(__file__).parents[1])]
    needed += [str(path) for path in map(_package, (*_kit(preload), *modules)) if path]
    return _plan(stage, needed, [], hide, uid) | {
        "what": "judge",
        "tenant": tenant,
        "way": way,
        "preload": list(preload),
        "homeworks": list(homeworks),
        "modules": list(modules),
        "path": [os.path.abspath(path) for path in sys.path if path],
    }


def _plan(stage: str, needed: list[str], masks: list[str], hide: Iterable[str], uid: int,
          inside: str = "") -> dict:
    """What a cage shows and what it masks.

    inside: the one folder of the examiner that a candidate sees, bound in place of the package
    """
    paths = [str(Path(name).resolve()) for name in hide if "/" in str(name)]
    paths = [part for path in paths for part in _around(Path(path), needed)]
    binds = {os.path.abspath(path) for path in (*SYSTEM, *DEVICES, *needed)} - {inside}
    shown = sorted(binds, key=len)
    return {
        "stage": stage,
        "uid": uid,
        "cores": sorted(os.sched_getaffinity(0)),  # where the examiner runs, its tenants run
        "binds": _without_nested(shown),
        "masks": [path for path in masks + paths if _below(path, shown)],
        "inside": inside,
        "links": LINKS,
        "files": {
            **{str(folder / "__init__.py"): "" for folder in Path(inside).parents[:2] if inside},
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
            if message["op"] != Control.READY:
                return f"{message['why']}. {REMEDY}"
            mine, theirs = socket.socketpair()
            mine.settimeout(10)
            output, errors = os.pipe()
            request = {"op": Control.FORK, "limits": Limits().as_dict(), "environment": {}}
            frames.send_json(control, request, [theirs.fileno(), errors, errors])
            theirs.close()
            os.close(output)
            os.close(errors)
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
        child = forks.current(tuple(plan_of_cage["preload"])).fork(Control.WARM, [theirs.fileno()])
    frames.send_json(mine, plan_of_cage)
    return child, mine


def _kit(preload: Iterable[str]) -> list[str]:
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


def _traces(names: Iterable[str]) -> list[str]:
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


def _below(path: str, roots: Iterable[str]) -> bool:
    return any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)


def _without_nested(paths: Iterable[str]) -> list[str]:
    kept: list[str] = []
    for path in paths:
        real = os.path.islink(path)
        if real or not _below(path, [p for p in kept if not os.path.islink(p)]):
            kept.append(path)
    return kept


