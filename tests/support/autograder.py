"""A container like Gradescope's on this machine: /autograder in a temporary directory, offline,
root with the capabilities of a Docker container, student code as another user."""

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from repository import ROOT as REPOSITORY
from viva_examiner.limits import Limits

PEOPLE = {"users": [{"email": "ada@school.example", "id": 7, "name": "Ada"}]}

# What Docker gives a container's root by default: enough to change users, not to mount.
DOCKER = ",".join(["-all", *(f"+{name}" for name in (
    "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw "
    "sys_chroot mknod audit_write setfcap").split())])

# Namespaces of its own, like a container: no network, no process of this machine in sight.
UNSHARE = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc",
           "--propagation", "private"]

# In there: the interpreter readable by everybody, as in a container (here
# it may lie below a home directory), and the repository out of sight, as only the zip is there.
CONTAINER = """set -e
mount --bind "$BASE" "$SHELF"
if [ -n "$CLOSED" ]; then
    mount -t tmpfs -o mode=755 none "$CLOSED"
    mkdir -p "$BASE"
    mount --bind "$SHELF" "$BASE"
fi
for folder in lib source release tests docs; do
    [ ! -d "$REPOSITORY/$folder" ] || mount -t tmpfs -o mode=700 none "$REPOSITORY/$folder"
done
exec setpriv --bounding-set "$DOCKER" bash "$@"
"""


def can_mount() -> bool:
    trial = [*UNSHARE, "true"]
    return shutil.which("setpriv") is not None and os.geteuid() == 0 and (
        subprocess.run(trial, capture_output=True).returncode == 0)


needs_root = pytest.mark.skipif(not can_mount(), reason="lays out a container: needs root")


def closed_ancestor(path: Path) -> str:
    """The first directory above a path that others may not enter; empty if there is none."""
    for folder in reversed(path.parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            return str(folder)
    return ""


class Autograder:
    """/autograder in a temporary directory."""

    def __init__(self, root: Path, archive: Path):
        self.root = root
        root.chmod(0o755)
        with zipfile.ZipFile(archive) as file:
            for info in file.infolist():
                path = Path(file.extract(info, root / "source"))
                path.chmod(info.external_attr >> 16 & 0o777)
        shutil.copy2(root / "source" / "run_autograder", root / "run_autograder")
        (root / "shelf").mkdir()

    def container(self, script: str, **environment: str) -> dict:
        """How subprocess starts a script of /autograder in a container of its own."""
        base = Path(sys.base_prefix).resolve()
        known = {"VIVA_AUTOGRADER": str(self.root), "PATH": os.environ["PATH"], "BASE": str(base),
                 "SHELF": str(self.root / "shelf"), "CLOSED": closed_ancestor(base),
                 "REPOSITORY": str(REPOSITORY), "DOCKER": DOCKER, "HOME": "/nonexistent"}
        command = [*UNSHARE, "bash", "-c", CONTAINER, "container", str(self.root / script)]
        return {"args": command, "env": known | environment, "text": True, "cwd": "/"}

    def bash(self, script: str, **environment: str) -> subprocess.CompletedProcess:
        return subprocess.run(**self.container(script, **environment), capture_output=True,
                              timeout=900)

    def results(self, **files: bytes) -> dict:
        """Hand these files in and run the autograder."""
        folder = self.root / "submission"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, data in files.items():
            (folder / name).write_bytes(data)
        (self.root / "submission_metadata.json").write_text(json.dumps(PEOPLE))
        done = self.bash("run_autograder")
        self.said = done.stdout + done.stderr
        return json.loads((self.root / "results" / "results.json").read_text())


class Attacked:
    """One container and one warm interpreter in it, for one attack after the other."""

    FILES = ("assignment.py", "attempts.py", "toy.py", "toy_course.py", "gradescope_attacks.py")
    SCRIPT = """ROOT="$VIVA_AUTOGRADER"
cd /
PYTHONPATH="$ROOT/site" OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 \\
    exec "$ROOT/python" "$ROOT/stage/gradescope_attacks.py" "$ROOT"
"""

    def __init__(self, autograder: Autograder):
        stage = autograder.root / "stage"
        stage.mkdir(mode=0o700)
        for name in self.FILES:
            shutil.copy(Path(__file__).with_name(name), stage)
        (stage / "serve.sh").write_text(self.SCRIPT)
        self.process = subprocess.Popen(
            **autograder.container("stage/serve.sh"), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.process.stdout.readline() == "ready\n"

    def grade(self, notebook: dict, limits: Limits) -> SimpleNamespace:
        """What came of a notebook; a right one after it got its full marks."""
        wanted = {"notebook": notebook, "limits": limits.as_dict()}
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        return SimpleNamespace(**json.loads(self.process.stdout.readline()))

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=60)
