"""The Gradescope zip: its own scripts, in a directory laid out as Gradescope's, offline, as root
with the capabilities of a Docker container, where the student's code runs as another user."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

import attempts
import one_homework
from autograder import Attacked, Autograder, needs_root
from one_homework import HOMEWORK
from viva import log as log_form
from viva import plain
from viva.log import LOG_NAME
from viva_course import exercises
from viva_examiner.gradebook.handed_in import read_folder
from viva_examiner.gradescope import build, notebook, run, scripts
from viva_examiner.gradescope.task import Task
from viva_examiner.limits import Limits
from viva_examiner.records import Graded, Mark, Order, Rubric, RubricItem

SECRET = os.environ["VIVA_SECRET"]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return one_homework.make(tmp_path_factory.mktemp("course"), names=one_homework.SOLUTIONS)


@pytest.fixture(scope="module")
def archive(course, tmp_path_factory):
    return build.build(course, HOMEWORK, tmp_path_factory.mktemp("dist"))


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
        task = json.loads(file.read("task.json"))
        scripts = file.read("setup.sh").decode() + file.read("run_autograder").decode()
        assert "@" not in scripts.replace('"$@"', "") and "http" not in scripts
        assert "torch==" in file.read("requirements.txt").decode()
    assert task["order"]["secret"] == SECRET and task["homework"] == HOMEWORK
    assert [name for name in modes if name.endswith(".whl")] == [
        f"wheels/viva_course-{build.viva.__version__}-py3-none-any.whl"]


# results.json, without a container

def rubric(**changes) -> Rubric:
    items = (RubricItem("values", 2, 0.0, "Wrong."), RubricItem("shape", 1, 1.0))
    return Rubric("a", items=items, hint="Look at the axis.", mistake="axis", **changes)


def graded(**marks) -> Graded:
    marks = {name: replace(Mark(1.0, 3), **mark) for name, mark in marks.items()}
    return Graded("ada", HOMEWORK, HOMEWORK, "graded", marks)


def test_every_item_is_a_test_and_the_hint_is_told_once():
    results = notebook.notebook_results(graded(
        test_a={"rubric": (rubric(),)}, check_a={"points": 0, "score": 0.0},
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
    results = notebook.notebook_results(graded(test_a={"score": None, "reason": "why"}))
    assert "score" not in results["tests"][0] and results["tests"][0]["output"] == "why"


def test_a_leaderboard_is_passed_on():
    row = {"name": "accuracy", "value": 0.9, "order": "desc"}
    results = notebook.notebook_results(graded(
        test_a={"rubric": (rubric(leaderboard=(row,)),)}))
    assert results["leaderboard"] == [row]


def test_no_word_of_a_student_is_rendered(tmp_path, monkeypatch):
    words = "<img src=x onerror=alert(1)>"
    found = notebook.notebook_results(graded(test_a={"rubric": (rubric(),), "reason": words},
                                             test_b={"reason": words}))
    monkeypatch.setattr(run, "grade", lambda root, task: found)
    for folder in ("source", "results"):
        (tmp_path / folder).mkdir()
    task = Task(Order((), Limits(), "", ""), HOMEWORK)
    (tmp_path / "source" / "task.json").write_text(json.dumps(task.to_plain()))
    assert run.main(tmp_path) == 0
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    formats = [results[f"{what}_format"] for what in ("output", "test_output", "test_name")]
    formats += [test["output_format"] for test in results["tests"]]
    assert set(formats) == {"text"} and words in str(results["tests"])


def test_several_notebooks_need_the_right_name(tmp_path):
    for name in ("a.ipynb", "b.ipynb"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(run.NotGradable, match="More than one notebook"):
        run.find(read_folder(tmp_path), HOMEWORK)
    (tmp_path / f"{HOMEWORK}.ipynb").write_text("{}")
    assert run.find(read_folder(tmp_path), HOMEWORK)[0] == f"{HOMEWORK}.ipynb"


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

for path in ("source/task.json", "source/setup.sh", "results/results.json",
             "submission_metadata.json", "site/viva_course/rubric.py",
             "site/viva_examiner/engine.py"):
    attempt("read " + path, lambda: open(os.path.join(ROOT, path)).read())
for folder in ("source", "results", "site/viva_course"):
    attempt("list " + folder, lambda: os.listdir(os.path.join(ROOT, folder)))
for path in ("results/results.json", "results/other", "run_autograder", "site/viva/case.py", "x"):
    attempt("write " + path, lambda: open(os.path.join(ROOT, path), "w").write("{{}}"))
attempt("import the exam", lambda: __import__("viva_course.rubric"))
attempt("import the engine", lambda: __import__("viva_examiner.examination.examine"))
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
    [row] = results["leaderboard"]
    assert row["name"].startswith("train_head: ") and row["order"] == "asc"
    assert 0 < row["value"] < 1


@needs_root
def test_the_code_in_a_log_is_run_and_another_students_log_is_refused(autograder):
    log = {"schema": log_form.SCHEMA, "homework": HOMEWORK, "student": "ada", "kit": "1.0.0",
           "exercises": {}}
    softmax = exercises()["stable_softmax"]
    outputs = {each.name: plain.to_json(each.run(softmax.reference, "log", HOMEWORK, "ada")
                                        .record()) for each in softmax.cases if each.log}

    def results(source):
        entry = {"status": "passed", "time": "", "source": source, "outputs": outputs}
        log["exercises"]["stable_softmax"] = entry | {
            "digest": log_form.digest(log, "stable_softmax", entry)}
        return autograder.results(**{LOG_NAME: json.dumps(log).encode()})

    right = results(one_homework.SOFTMAX.replace("### BEGIN SOLUTION", "").replace(
        "### END SOLUTION", ""))
    assert right["score"] == softmax.points and right["extra_data"]["remarks"] == []
    forged = results("def stable_softmax(): pass")
    assert forged["score"] == 0
    assert any("something else than the submitted code" in each
               for each in forged["extra_data"]["remarks"])
    bare = results("")
    assert bare["score"] == 0 and "Provisional" in bare["output"]
    assert bare["extra_data"]["status"].startswith("provisional")
    log["student"] = "bob"
    refused = results("")
    assert refused["score"] == 0 and "handed in by 'ada@school.example'" in refused["output"]


@needs_root
def test_results_are_written_whatever_happens(autograder):
    assert "neither was found" in autograder.results(**{"notes.txt": b""})["output"]
    broken = autograder.results(**{f"{HOMEWORK}.ipynb": b"\x00 not a notebook"})
    assert broken["extra_data"]["status"] == "unreadable" and broken["score"] == 0
    order = autograder.root / "source" / "task.json"
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


def test_a_killed_autograder_has_written_its_results(tmp_path):
    """What Gradescope does when the time is up, while the submission is being graded."""
    for name in ("source", "submission"):
        (tmp_path / name).mkdir()
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\ntouch {tmp_path}/begun\nexec sleep 600\n")
    python.chmod(0o755)
    script = tmp_path / "run_autograder"
    script.write_text(scripts.RUN)
    process = subprocess.Popen(["bash", script], start_new_session=True,
                               env=os.environ | {"VIVA_AUTOGRADER": str(tmp_path)})
    deadline = time.monotonic() + 60
    while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    assert results["extra_data"]["status"] == "not graded" and "tell the staff" in results["output"]


# the attack suite, as another user

# Objects, guesses and forged messages meet the same code with and without namespaces, and so does
# a clock that runs out.
RELEVANT = sorted(path for folder in ("ending", "escaping", "network", "patching", "reading")
                  for path in (attempts.FOLDER / folder).glob("*.py")
                  if path.stem not in ("infinite_cell", "infinite_loop", "loop_in_c"))


@pytest.fixture(scope="module")
def attacked(autograder):
    made = Attacked(autograder)
    yield made
    made.close()


@needs_root
@pytest.mark.parametrize("path", RELEVANT, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_attack(attacked, path, monkeypatch):
    """Without namespaces too, no attack of tests/attacks gets what it wants."""
    monkeypatch.setenv("VIVA_TEST_OTHER_USER", "1")
    head, notebook, _ = attempts.build(path)
    attempts.judge(head, attacked.grade(notebook, attempts.limits_of(head)))
