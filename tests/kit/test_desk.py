"""The student's desk: beginning, endless loops, several homeworks in a folder, handing in."""

import ast
import importlib
import json
import signal
import threading
import time
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import toy
import viva
from viva import checking, desk, figures, log, patience, tables, written
from viva_course import expected, rubric


@pytest.fixture(autouse=True)
def toy_homework(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("NBGRADER_EXECUTION", "VIVA_STUDENT", "JUPYTERHUB_USER", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(rubric.EXERCISES, "centre", toy.toy)
    content = {"centre": expected.public_record(toy.toy)}
    monkeypatch.setattr(checking, "expected_of", lambda homework: content)
    monkeypatch.setattr(desk, "_now", {"homework": "", "student": ""})
    with plt.rc_context():
        yield


def test_a_typo_is_told_the_homeworks_and_the_nearest(capsys):
    viva.begin("kernel_atention")
    said = capsys.readouterr().out
    assert said.startswith("There is no homework 'kernel_atention'. Did you mean "
                           "'kernel_attention'? There are ")
    assert "purification" in said
    viva.submit()
    assert "run the cell with begin" in capsys.readouterr().out


def test_begin_gives_figures_the_courses_look():
    viva.begin("toy", student="ada")
    assert plt.rcParams["axes.spines.top"] is False and "viva" in plt.style.library
    assert figures.STYLE.exists()


def endless(x):
    while True:
        pass


@pytest.fixture(params=[signal.default_int_handler, signal.SIG_IGN],
                ids=["foreground", "background"])
def started_in(request):
    """As a shell starts a program: in the background it ignores interrupts."""
    before = signal.signal(signal.SIGINT, request.param)
    yield
    assert signal.getsignal(signal.SIGINT) is request.param
    signal.signal(signal.SIGINT, before)


def test_an_endless_loop_ends_with_a_sentence(monkeypatch, capsys, started_in):
    monkeypatch.setattr(patience.Patience.__init__, "__defaults__", (0.3,))
    began = time.process_time()
    viva.check("centre", endless, toy.spread)
    assert time.process_time() - began < 5
    said = capsys.readouterr().out
    assert "centre: stopped after 0.3 seconds" in said
    assert "  look for:     a loop that never ends" in said
    entry = json.loads(open(log.LOG_NAME).read())["exercises"]["centre"]
    assert entry["status"] == "error" and entry["outputs"] == {}


def test_a_loop_that_never_ends_on_own_inputs_only_keeps_the_verdict(monkeypatch, capsys):
    monkeypatch.setattr(patience.Patience.__init__, "__defaults__", (0.3,))
    monkeypatch.setattr(desk, "own_outputs", endless_outputs)
    viva.check("centre", *toy.toy.reference)
    assert "passed" in capsys.readouterr().out
    assert json.loads(open(log.LOG_NAME).read())["exercises"]["centre"]["status"] == "passed"


def endless_outputs(*_):
    endless(0)


def test_the_stop_button_still_stops():
    with pytest.raises(KeyboardInterrupt), patience.Patience(60):
        raise KeyboardInterrupt


def test_nothing_rings_after_the_end_nor_in_other_threads_nor_while_graded(monkeypatch):
    with patience.Patience(0.05) as kept:
        pass
    time.sleep(0.1)
    assert not kept.lost
    timers = []
    thread = threading.Thread(target=lambda: timers.append(patience.Patience().__enter__().timer))
    thread.start()
    thread.join()
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with patience.Patience() as graded:
        assert timers == [None] and graded.timer is None


def cell(kind, grade_id, source, solution):
    about = {"grade_id": grade_id, "grade": True, "solution": solution}
    return {"cell_type": kind, "metadata": {"nbgrader": about}, "source": [source]}


def save(name="toy.ipynb", answer="YOUR ANSWER HERE"):
    cells = [cell("markdown", "written_why", answer, True),
             cell("code", "check_centre", 'check("centre")', False),
             cell("markdown", "written_how", "Because.\n", True),
             {"cell_type": "code", "metadata": {}, "source": []}]
    open(name, "w").write(json.dumps({"cells": cells}))


def test_submit_lists_written_answers_in_the_notebooks_order(monkeypatch, capsys):
    monkeypatch.setattr(tables, "exercises_of", lambda homework: ["centre"])
    save()
    viva.begin("toy", student="ada")
    capsys.readouterr()
    viva.submit()
    said = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert said[:4] == ["toy: 0 of 1 exercises pass, 1 written answer is empty",
                        "written_why ○ empty", "centre ○ to do", "written_how ✓ answered"]


def test_the_notebook_is_found_under_another_name(monkeypatch):
    save("my solution.ipynb")
    assert written.graded_cells("toy") == {}
    monkeypatch.setenv("JPY_SESSION_NAME", "my solution.ipynb")
    assert written.graded_cells("toy") == {
        "written_why": False, "centre": True, "written_how": True}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [3]}', '{"cells": [{}]}', "\0"])
def test_a_strange_notebook_is_no_obstacle(text):
    open("toy.ipynb", "w").write(text)
    assert written.graded_cells("toy") == {}


def a_log(homework, **entries):
    return {"schema": log.SCHEMA, "homework": homework, "student": "ada", "kit": "1",
            "exercises": entries}


def test_the_logs_of_two_homeworks_live_in_one_file():
    log.write(a_log("one", f={"status": "passed"}))
    log.write(a_log("two", g={"status": "failed"}))
    assert log.read("one", "ada")["exercises"] == {"f": {"status": "passed"}}
    assert log.read("two", "ada")["exercises"] == {"g": {"status": "failed"}}
    whole = json.loads(open(log.LOG_NAME).read())
    assert whole["homework"] == "two" and list(whole["others"]) == ["one"]
    log.write(a_log("one", f={"status": "failed"}))
    assert json.loads(open(log.LOG_NAME).read())["others"] == {
        "two": a_log("two", g={"status": "failed"})}


def test_a_log_of_one_homework_has_the_form_it_always_had():
    log.write(a_log("one"))
    assert "others" not in json.loads(open(log.LOG_NAME).read())


@pytest.mark.parametrize("others", [3, [1], {"x": 3}, {"x": {"schema": "other"}}, None])
def test_strange_other_logs_do_no_harm(others):
    open(log.LOG_NAME, "w").write(json.dumps(a_log("one") | {"others": others}))
    log.write(a_log("two"))
    assert log.read("two", "ada")["exercises"] == {}


def test_look_names_a_class_also_where_frames_have_no_qualified_name(capsys):
    from types import SimpleNamespace

    named = importlib.import_module("viva.look")._named

    class Head:
        pass

    frame = SimpleNamespace(f_code=SimpleNamespace(co_name="__init__"), f_locals={"self": Head()})
    assert named(frame) == "Head"
    assert named(SimpleNamespace(f_code=SimpleNamespace(co_name="f"), f_locals={})) == "f"


KIT = Path(viva.__file__).parent


@pytest.mark.parametrize("path", sorted(KIT.rglob("*.py")), ids=lambda path: str(
    path.relative_to(KIT)))
def test_the_kit_is_python_3_10_on_any_system(path):
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 10))
    imported = {alias.name.split(".")[0] for node in ast.walk(tree)
                if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}
    modules = {node.module.split(".")[0] for node in ast.walk(tree)
               if isinstance(node, ast.ImportFrom) and node.module}
    assert not (imported | modules) & {"resource", "fcntl", "pwd", "grp", "tomllib", "termios"}
