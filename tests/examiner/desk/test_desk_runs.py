"""Runs from the desk: the commands themselves, one at a time, with a log and a stop."""

import fcntl
import io
import json
import os
import threading
import time

import pytest

import marked_course
from desk_server import desk
from servers import wait_for
from viva_examiner.autograde.wanted import asked_for
from viva_examiner.desk import runs


@pytest.fixture
def course(tmp_path, empty_gradebook):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    marked_course.hand_in(course, "one", "ada", 6, 3)
    return course


def ended(course):
    """The run, once it is over."""
    def is_over() -> bool:
        run = runs.current(course)
        return run is not None and not run.running and run.ended is not None

    wait_for(is_over, 120)
    return runs.current(course)


def test_a_run_is_the_command_and_its_end_is_kept(course):
    assert runs.current(course) is None
    runs.start(course, "export-csv", "one", "tina")
    run = ended(course)
    assert (run.code, run.outcome, run.by) == (0, "done", "tina")
    assert "1 of 1 marks are final" in "\n".join(run.lines)
    assert (course.root / "exports" / "one-csv.csv").is_file()
    runs.start(course, "regrade-look", "two", "tina")  # nobody has handed it in
    assert "ended with 2" in ended(course).outcome


def test_one_run_at_a_time(course):
    folder = runs._folder(course)
    with (folder / "lock").open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(runs.Busy, match="another run has just begun"):
            runs.start(course, "export-csv", "one", "tina")
        (folder / "run.json").write_text(json.dumps(
            {"kind": "feedback", "homework": "one", "by": "tom", "began": 1.5, "pid": 0}))
        with pytest.raises(runs.Busy, match="“Make feedback pages” of one .* started by tom"):
            runs.start(course, "export-csv", "one", "tina")
        assert not runs.stop(course, began=1.0)  # a page that shows an earlier run
    runs.start(course, "export-csv", "one", "tina")
    assert ended(course).code == 0


def test_a_run_begins_though_the_process_of_the_last_is_not_gone_yet(course):
    folder = runs._folder(course)
    (folder / "run.json").write_text(json.dumps(
        {"kind": "feedback", "homework": "one", "by": "tom", "began": 1.5, "pid": 0, "ended": 2.5,
         "code": 0}))
    with (folder / "lock").open("a") as last:
        fcntl.flock(last, fcntl.LOCK_EX)
        threading.Timer(0.2, fcntl.flock, (last, fcntl.LOCK_UN)).start()
        runs.start(course, "export-csv", "one", "tina")
    assert (ended(course).code, ended(course).by) == (0, "tina")


def test_a_stop_is_a_ctrl_c(course, monkeypatch):
    monkeypatch.setitem(runs.KINDS, "wait", runs.DeskCommand("wait", ("desk", "--no-browser")))
    runs.start(course, "wait", "one", "tina")
    wait_for(lambda: bool(runs.current(course).lines), 120)  # the command has begun
    assert runs.current(course).running and runs.stop(course)
    run = ended(course)
    assert run.stopped and run.outcome == "stopped; what was done is kept"
    assert not runs.stop(course)


def test_a_machine_that_went_down_leaves_no_run_under_way(course):
    folder = runs._folder(course)
    (folder / "run.json").write_text(json.dumps(
        {"kind": "autograde", "homework": "one", "by": "tina", "began": time.time(),
         "pid": os.getpid()}))
    run = runs.current(course)
    assert not run.running and "without a word" in run.outcome
    assert not runs.stop(course)  # this process is none of its


def test_events_become_lines_and_progress(tmp_path):
    log = tmp_path / "log"
    done = {"event": "done", "student": "a\x1b[2Jda", "earned": 4, "judged": 6, "waiting": 4,
            "remarks": ["odd"]}
    log.write_text("\n".join([json.dumps({"event": "start", "total": 2, "skipped": 1}),
                              json.dumps(done), json.dumps({"event": "marked", "left": 2}),
                              json.dumps({"event": "completed", "student": "ada"}),
                              "plain\x1b words", '{"no": "event"}']))
    lines, finished, total = runs._output(log)
    assert (finished, total) == (1, 2)
    assert lines == ["2 to grade, 1 unchanged", "a [2Jda: 4 of 6, 4 wait for a TA (odd)",
                     "all marks are in the gradebook; the other cells of 2 run now",
                     "plain  words", '{"no": "event"}']


def test_who_is_looked_at_during_a_run_is_completed_next(course):
    folder = runs._folder(course)
    state = {"kind": "autograde", "homework": "one", "by": "tina", "began": time.time()}
    with desk(course, "--as", "tina") as served:
        assert served.get("student", "ada", "one").status_code == 200
        assert list(asked_for(course, "one")) == []  # nothing runs
        with (folder / "lock").open("a") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            (folder / "run.json").write_text(json.dumps(state))
            assert served.get("student", "ada", "one").status_code == 200
    assert list(asked_for(course, "one")) == ["ada"]


def test_upload_start_and_files_over_http(course):
    with desk(course, "--as", "tina") as served:
        upload = served.post("run", "one", "upload", files={
            "archive": ("../../evil.zip", io.BytesIO(b"PK"))})
        assert upload.status_code == 200
        assert [path.name for path in (course.root / "downloaded" / "one" / "archive").iterdir()
                ] == ["evil.zip"]
        hidden = served.post("run", "one", "upload", files={"archive": (".hidden", b"x")})
        assert hidden.status_code == 400
        assert served.post("run", "one", "start", data={"kind": "rm"}).status_code == 404
        assert served.post("run", "one", "start",
                           data={"kind": "explain", "student": "../x"}).status_code == 404
        without = served.browser.post(served.at("run", "one", "start"), data={"kind": "feedback"})
        assert without.status_code == 403 and runs.current(course) is None
        assert served.post("run", "one", "start", data={"kind": "export-csv"}).status_code == 200
        assert ended(course).by == "tina"
        page = served.get("run", "one").text
        assert "one-csv.csv" in page and "1 of 1 marks are final" in page
        file = served.get("run", "one", "exports", "one-csv.csv")
        assert "attachment" in file.headers["Content-Disposition"] and "ada" in file.text
        assert served.get("run", "one", "exports", "..%2f..%2fgradebook.db").status_code == 404
