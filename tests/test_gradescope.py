"""The Gradescope zip: its own scripts, in a directory laid out as Gradescope's, offline, as root
with the capabilities of a Docker container, where the student's code runs as another user."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

import one_homework
from one_homework import HOMEWORK
from viva import desk, plain
from viva_course import exercises
from viva_examiner import gradescope, gradescope_notebook, gradescope_run, logs
from viva_examiner.grading import Graded

REPOSITORY = Path(__file__).parent.parent
SECRET = os.environ["VIVA_SECRET"]
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

    def bash(self, script: str, **environment: str) -> subprocess.CompletedProcess:
        base = Path(sys.base_prefix).resolve()
        known = {"VIVA_AUTOGRADER": str(self.root), "PATH": os.environ["PATH"], "BASE": str(base),
                 "SHELF": str(self.root / "shelf"), "CLOSED": closed_ancestor(base),
                 "REPOSITORY": str(REPOSITORY), "DOCKER": DOCKER, "HOME": "/nonexistent"}
        command = [*UNSHARE, "bash", "-c",
                   CONTAINER, "container", str(self.root / script)]
        return subprocess.run(command, env=known | environment, capture_output=True, text=True,
                              timeout=900, cwd="/")

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


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return one_homework.make(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def archive(course, tmp_path_factory):
    return gradescope.build(course, HOMEWORK, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def autograder(archive):
    root = Path(tempfile.mkdtemp(prefix="viva-autograder-"))
    made = Autograder(root, archive)
    done = made.bash("source/setup.sh", VIVA_PYTHON=sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is ready" in done.stdout
    yield made
    shutil.rmtree(root)


@pytest.fixture(scope="module")
def released(course):
    return nbformat.read(f"{course.path('release', '.', HOMEWORK)}/{HOMEWORK}.ipynb", 4)


# the zip

def test_the_zip_is_what_gradescope_wants(archive):
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    with zipfile.ZipFile(archive) as file:
        modes = {info.filename: info.external_attr >> 16 for info in file.infolist()}
        assert modes["setup.sh"] & 0o111 and modes["run_autograder"] & 0o111
        order = json.loads(file.read("order.json"))
        scripts = file.read("setup.sh").decode() + file.read("run_autograder").decode()
        assert "@" not in scripts.replace('"$@"', "") and "http" not in scripts
        assert "torch==" in file.read("requirements.txt").decode()
    assert order["secret"] == SECRET and order["homework"] == HOMEWORK
    assert [name for name in modes if name.endswith(".whl")] == [
        f"wheels/viva_course-{gradescope.viva.__version__}-py3-none-any.whl"]


# results.json, without a container

def rubric(**changes) -> dict:
    items = [{"name": "values", "points": 2, "earned": 0.0, "message": "Wrong."},
             {"name": "shape", "points": 1, "earned": 1.0, "message": ""}]
    return {"items": items, "hint": "Look at the axis.", "mistake": "axis"} | changes


def graded(**marks) -> Graded:
    full = {"manual": False, "points": 3, "score": 1.0, "reason": "", "rubric": []}
    marks = {name: full | mark for name, mark in marks.items()}
    return Graded("ada", HOMEWORK, HOMEWORK, "graded", marks)


def test_every_item_is_a_test_and_the_hint_is_told_once():
    results = gradescope_notebook.notebook_results(graded(
        test_a={"rubric": [rubric()]}, check_a={"points": 0, "score": 0.0},
        test_plain={"reason": "AssertionError"}, written={"manual": True, "score": None}))
    values, shape, plain_test = results["tests"]
    assert (values["name"], values["score"], values["max_score"], values["status"]) == (
        "a: values", 0.0, 2, "failed")
    assert values["output"] == "Wrong.\nUsual cause: Look at the axis."
    assert (shape["status"], shape["output"], shape["tags"]) == ("passed", "", ["a"])
    assert (plain_test["name"], plain_test["output"]) == ("plain", "AssertionError")
    assert [test["number"] for test in results["tests"]] == ["1.1", "1.2", "2.1"]
    assert results["score"] == 2 and "3 points of written answers" in results["output"]


def test_what_was_not_graded_has_no_score():
    results = gradescope_notebook.notebook_results(graded(test_a={"score": None, "reason": "why"}))
    assert "score" not in results["tests"][0] and results["tests"][0]["output"] == "why"


def test_a_leaderboard_is_passed_on():
    row = {"name": "accuracy", "value": 0.9, "order": "desc"}
    results = gradescope_notebook.notebook_results(graded(
        test_a={"rubric": [rubric(leaderboard=[row])]}))
    assert results["leaderboard"] == [row]


def test_several_notebooks_need_the_right_name(tmp_path):
    for name in ("a.ipynb", "b.ipynb"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(gradescope_run.Refused, match="More than one notebook"):
        gradescope_run.find(tmp_path, HOMEWORK)
    (tmp_path / f"{HOMEWORK}.ipynb").write_text("{}")
    assert gradescope_run.find(tmp_path, HOMEWORK)[0].stem == HOMEWORK


# in the container

ATTACK = '''
import os, socket, signal, subprocess, sys
ROOT = {root!r}
stolen = []

def attempt(name, action):
    try:
        action()
        stolen.append(name)
    except BaseException:
        pass

for path in ("source/order.json", "source/setup.sh", "results/results.json",
             "submission_metadata.json", "site/viva_course/rubric.py",
             "site/viva_examiner/engine.py"):
    attempt("read " + path, lambda: open(os.path.join(ROOT, path)).read())
for folder in ("source", "results", "site/viva_course"):
    attempt("list " + folder, lambda: os.listdir(os.path.join(ROOT, folder)))
for path in ("results/results.json", "results/other", "run_autograder", "site/viva/case.py", "x"):
    attempt("write " + path, lambda: open(os.path.join(ROOT, path), "w").write("{{}}"))
attempt("import the exam", lambda: __import__("viva_course.rubric"))
attempt("import the engine", lambda: __import__("viva_examiner.engine"))
attempt("become root", lambda: os.setuid(0))
attempt("sudo", lambda: subprocess.run(["su", "-c", "id"], check=True, timeout=5,
                                       stdin=subprocess.DEVNULL))
attempt("network", lambda: socket.create_connection(("127.0.0.1", 1)))
attempt("socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
for pid in filter(str.isdigit, os.listdir("/proc")):
    if int(pid) != os.getpid() and os.stat("/proc/" + pid).st_uid != os.getuid():
        attempt("environ of " + pid, lambda: open("/proc/" + pid + "/environ").read(1))
        attempt("memory of " + pid, lambda: open("/proc/" + pid + "/mem", "rb").read(1))
        attempt("kill " + pid, lambda: os.kill(int(pid), signal.SIGKILL))
attempt("the secret", lambda: os.environ["VIVA_SECRET"])
'''
TELLS = """def stable_softmax(x, axis=-1):
    if stolen or os.getuid() == 0:
        raise RuntimeError("stolen: " + ", ".join(stolen))
    e = np.exp(np.asarray(x))
    return e / e.sum(axis=axis, keepdims=True)"""


@needs_root
def test_a_hostile_notebook_gets_its_honest_mark(autograder, released):
    """Every attack fails; the overflow costs its points; the rest is right."""
    notebook = one_homework.answered(released, stable_softmax=TELLS)
    notebook.cells.insert(1, new_code_cell(ATTACK.format(root=str(autograder.root))))
    results = autograder.results(**{f"{HOMEWORK}.ipynb": nbformat.writes(notebook).encode()})
    assert results["extra_data"]["status"] == "graded", autograder.said
    outputs = "\n".join(test["output"] for test in results["tests"])
    assert "stolen" not in outputs, outputs
    by_name = {test["name"]: test for test in results["tests"]}
    softmax = exercises()["stable_softmax"]
    assert {f"stable_softmax: {item.name}" for item in softmax.items} < set(by_name)
    assert by_name["stable_softmax: values"]["status"] == "passed", by_name
    lost = [test for test in results["tests"] if test["status"] == "failed"]
    assert lost and all(test["tags"] == ["stable_softmax"] for test in lost)
    assert results["score"] == pytest.approx(sum(test["score"] for test in results["tests"]))
    assert isinstance(results["execution_time"], int)
    assert all(test["visibility"] == "visible" for test in results["tests"])
    assert "not tamper-proof" not in outputs


@needs_root
def test_a_log_is_accepted_and_another_students_is_not(autograder):
    log = {"schema": desk.SCHEMA, "homework": HOMEWORK, "student": "ada", "kit": "1.0.0",
           "exercises": {}}
    softmax = exercises()["stable_softmax"]
    outputs = {each.name: plain.to_json(each.run(softmax.reference, "log", HOMEWORK, "ada")
                                        .record()) for each in softmax.cases if each.log}
    entry = {"status": "passed", "time": "", "source": "", "outputs": outputs}
    log["exercises"]["stable_softmax"] = entry | {
        "digest": desk.digest(log, "stable_softmax", entry)}
    results = autograder.results(**{logs.NAME: json.dumps(log).encode()})
    by_name = {test["name"]: test for test in results["tests"]}
    assert by_name["stable_softmax: values"]["status"] == "passed"
    assert results["score"] == by_name["stable_softmax: values"]["score"]
    log["student"] = "bob"
    results = autograder.results(**{logs.NAME: json.dumps(log).encode()})
    assert results["score"] == 0 and "handed in by 'ada@school.example'" in results["output"]


@needs_root
def test_results_are_written_whatever_happens(autograder):
    assert "neither was found" in autograder.results(**{"notes.txt": b""})["output"]
    broken = autograder.results(**{f"{HOMEWORK}.ipynb": b"\x00 not a notebook"})
    assert broken["extra_data"]["status"] == "unreadable" and broken["score"] == 0
    order = autograder.root / "source" / "order.json"
    kept = order.read_bytes()
    order.write_text("{")
    failed = autograder.results(**{f"{HOMEWORK}.ipynb": b"{}"})
    order.write_bytes(kept)
    assert failed["extra_data"]["status"] == "not graded" and "tell the staff" in failed["output"]
    python = autograder.root / "python"
    kept = python.read_text()
    python.write_text("#!/bin/false\n")
    failed = autograder.results(**{f"{HOMEWORK}.ipynb": b"{}"})
    python.write_text(kept)
    assert failed["extra_data"]["status"] == "not graded" and "tell the staff" in failed["output"]
