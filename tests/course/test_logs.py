"""Submission logs: written, graded from outputs alone, refused, and compared with a run."""

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

import toy
import viva_course
from viva import case, checking, desk, plain, tables
from viva import log as log_form
from viva_course import expected, log_grading, rubric
from viva_examiner.examination import submission_log


@pytest.fixture(autouse=True)
def toy_homework(monkeypatch, tmp_path):
    """The toy exercise as an exercise of the course, in an empty directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("NBGRADER_EXECUTION", "VIVA_STUDENT", "JUPYTERHUB_USER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(rubric.EXERCISES, "centre", toy.toy)
    content = {"centre": expected.public_record(toy.toy)}
    monkeypatch.setattr(checking, "expected_of", lambda homework: content)
    monkeypatch.setattr(tables, "exercises_of", lambda homework: ["centre"])
    monkeypatch.setattr(desk, "_now", {"homework": "toy", "student": "ada"})
    log_grading.paper.cache_clear()
    yield
    log_grading.paper.cache_clear()


REFERENCE = toy.toy.reference


def written(*candidates, student="ada"):
    """The log that checking these functions leaves, and its path."""
    desk._now["student"] = student
    checking.check("centre", *candidates)
    path = submission_log.Path(log_form.LOG_NAME)
    return json.loads(path.read_text()), path


def store(log, name="edited.json"):
    path = submission_log.Path(name)
    path.write_text(json.dumps(log))
    return path


def grade(path, owner=""):
    return submission_log.grade(viva_course, path, owner)


def seal(log):
    """What a forger who has read the kit does: digests that fit."""
    for name, entry in log["exercises"].items():
        entry["digest"] = log_form.digest(log, name, entry)
    return log


# writing

def test_outputs_are_exact_and_the_log_is_documented_json():
    log, _ = written(*REFERENCE)
    assert set(log) == {"schema", "homework", "student", "kit", "exercises", "tried"}
    entry = log["exercises"]["centre"]
    assert set(entry) == {"status", "time", "source", "outputs", "turns", "digest"}
    rng = case.generator("log", toy.__name__, "ada", "centre", "rows")
    value = plain.from_json(entry["outputs"]["rows"])["value"]
    assert value.tobytes() == REFERENCE[0](rng.normal(size=(3, 4))).tobytes()


def test_the_log_tells_when_a_check_turned_green_and_stays_bounded():
    wrong = (lambda x: x, REFERENCE[1])
    for candidates in (wrong, wrong, REFERENCE, REFERENCE):
        log, path = written(*candidates)
    assert [status for _, status in log["exercises"]["centre"]["turns"]] == ["failed", "passed"]
    first = log["exercises"]["centre"]["turns"][0]
    for _ in range(log_form.MAX_TURNS):
        written(*wrong)
        log, path = written(*REFERENCE)
    turns = log["exercises"]["centre"]["turns"]
    assert len(turns) == log_form.MAX_TURNS and turns[0] == first and turns[-1][1] == "passed"
    assert grade(path).score > 0 and not grade(path).remarks


def test_a_log_without_turns_is_as_valid_and_its_last_check_is_where_they_begin():
    log, path = written(lambda x: x, REFERENCE[1])
    entry = log["exercises"]["centre"]
    old = {name: value for name, value in entry.items() if name not in ("turns", "digest")}
    path.write_text(json.dumps(seal(log | {"exercises": {"centre": old}})))
    assert not log_form.fault_of_text(log, "centre", old) and not grade(path).refused
    assert log_form.turns(old) == [[old["time"], "failed"]]
    log, path = written(*REFERENCE)
    assert [status for _, status in log["exercises"]["centre"]["turns"]] == ["failed", "passed"]


def test_giant_and_strange_outputs_keep_the_log_small():
    log, path = written(lambda x: np.ones((1000, 1000)), lambda x: object())
    assert path.stat().st_size < 3 * log_form.MAX_OUTPUTS
    outputs = log["exercises"]["centre"]["outputs"]
    assert plain.from_json(outputs["rows"]) == {"raised": "TooLarge"}
    assert plain.from_json(outputs["one_number"]) == {"raised": "NotPlain"}
    assert grade(path).score == 0


def test_a_long_source_is_cut():
    def centre(x):
        return x
    centre.__viva_source__ = "é" * 100_000
    log, path = written(centre, REFERENCE[1])
    assert path.stat().st_size < log_form.MAX_SOURCE + log_form.MAX_OUTPUTS + 1000
    assert 0 < len(log["exercises"]["centre"]["source"]) < log_form.MAX_SOURCE


def test_what_a_function_prints_appears_once(capsys):
    def centre(x):
        if x.shape == (3, 4):
            print("hello")
        return REFERENCE[0](x)
    written(centre, REFERENCE[1])
    assert capsys.readouterr().out.count("hello") == 1


def test_another_student_begins_a_new_log(capsys):
    written(*REFERENCE)
    desk.begin("toy", "bob")
    assert "belongs to student ada" in capsys.readouterr().out
    assert log_form.read("toy", "bob")["exercises"] == {}


def test_a_killed_kernel_leaves_a_valid_log(tmp_path):
    """Write logs in a loop, kill the process at once: what lies there can be read."""
    code = ("from viva import log as form\nlog = form.read('toy', 'ada')\n"
            "log['exercises'] = {str(i): {'source': 'x' * 40_000} for i in range(5)}\n"
            "while True: form.write(log)")
    for delay in (0.0, 0.013, 0.027):
        process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
        deadline = time.monotonic() + 60
        while not (tmp_path / log_form.LOG_NAME).exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert len(json.loads((tmp_path / log_form.LOG_NAME).read_text())["exercises"]) == 5
        os.unlink(tmp_path / log_form.LOG_NAME)


# grading

def test_a_right_log_gets_what_outputs_can_show():
    _, path = written(*REFERENCE)
    graded = grade(path)
    assert (graded.score, graded.judged, graded.points) == (2, 2, 4)
    assert not graded.remarks and not graded.refused
    by_name = {item.name: item for item in graded.items}
    assert by_name["batches"].earned is None
    assert by_name["batches"].message == log_grading.NEEDS_NOTEBOOK


def test_of_several_homeworks_in_one_file_the_right_one_is_graded():
    log, path = written(*REFERENCE)
    alone = submission_log.grade(viva_course, path, "ada").score
    other = log | {"homework": "other", "exercises": {}}
    path.write_text(json.dumps(other | {"others": {"toy": log}}))
    found = submission_log.grade(viva_course, path, "ada", homework="toy")
    assert (found.homework, found.score) == ("toy", alone) and alone > 0
    assert submission_log.read(path)["homework"] == "other"
    assert submission_log.read(path, "neither")["homework"] == "other"
    path.write_text(json.dumps(other | {"others": {"toy": 3}}))
    assert submission_log.grade(viva_course, path, "ada", homework="toy").refused


def test_a_mistake_is_recognised_and_gets_the_rubrics_sentence():
    wrong = next(m for m in toy.toy.mistakes if m.slug == "variance")
    _, path = written(*wrong.candidates)
    graded = grade(path)
    report = graded.exercises[0]
    assert graded.score == 0 and report.mistake == "variance"
    assert report.hint == wrong.hint
    assert report.items[0].message.startswith("The values must be right. (the spread")


def test_no_student_code_runs(monkeypatch):
    _, path = written(*REFERENCE)
    log = json.loads(path.read_text())
    log["exercises"]["centre"]["source"] = "import os\nos._exit(3)"
    assert grade(store(seal(log))).score == 2


def test_the_forbidden_routine_is_seen_in_the_source():
    log, _ = written(*REFERENCE)
    log["exercises"]["centre"]["source"] = "def spread(x):\n    return np.var(x)"
    graded = grade(store(seal(log)))
    assert graded.score == 0 and "np.var" in graded.remarks[0]


def test_an_untouched_notebook_gets_nothing():
    def stub(x):
        raise NotImplementedError
    _, path = written(stub, stub)
    graded = grade(path)
    assert graded.score == 0 and "not written yet" in graded.items[0].message


def test_an_item_that_is_the_same_for_everybody_needs_the_notebook(monkeypatch):
    item = rubric.Item("scalar", 1, "A scalar has no rows.", lambda *a: None, ("scalar",))
    monkeypatch.setattr(toy.toy, "items", [*toy.toy.items, item])
    log_grading.paper.cache_clear()
    _, path = written(*REFERENCE)
    assert grade(path).items[-1].earned is None


# tampering

def test_another_students_log_gets_nothing():
    log, path = written(*REFERENCE, student="bob")
    assert grade(path, owner="bob").score == 2
    assert "handed in by 'ada'" in grade(path, owner="ada").refused
    log["student"] = "ada"
    renamed = grade(store(log), owner="ada")
    assert renamed.score == 0 and "edited" in renamed.remarks[0]
    forged = grade(store(seal(log)), owner="ada")
    assert forged.score == 0 and "says passed" in forged.remarks[0]


def test_a_replay_names_whose_outputs_they_are():
    bobs, _ = written(*REFERENCE, student="bob")
    first = store(bobs, "bob.json")
    bobs["student"] = "ada"
    graded = [grade(first), grade(store(seal(bobs), "ada.json"))]
    submission_log.find_replays(graded)
    assert "centre: the outputs are those of student bob" in graded[1].remarks
    assert not graded[0].remarks


def test_an_edited_entry_gets_nothing():
    log, _ = written(lambda x: x, REFERENCE[1])
    log["exercises"]["centre"]["status"] = "passed"
    graded = grade(store(log))
    assert graded.score == 0 and "edited" in graded.remarks[0]


def test_a_log_without_a_student_is_refused():
    _, path = written(*REFERENCE, student="")
    assert "no student id" in grade(path).refused


# hostile files

def entry(**changes):
    return {"status": "passed", "time": "", "source": "", "outputs": {}, "digest": ""} | changes


def log_with(**changes):
    return {"schema": log_form.SCHEMA, "homework": "toy", "student": "ada", "kit": "1.0.0",
            "exercises": {"centre": entry()}} | changes


HOSTILE = {
    "empty": b"",
    "not text": b"\xff\xfe\x00",
    "nan": json.dumps(log_with(kit=float("nan"))).encode(),
    "deep": b'{"schema":' + b"[" * 900_000,
    "deep objects": b'{"a":' * 300_000,
    "a list": b"[]",
    "a digit bomb": b'{"schema": ' + b"9" * 1_000_000 + b"}",
    "other schema": json.dumps(log_with(schema="viva-log/9")).encode(),
    "no homework": json.dumps(log_with(homework="../../etc")).encode(),
    "empty homework": json.dumps(log_with(homework="")).encode(),
    "a student of numbers": json.dumps(log_with(student=[1])).encode(),
    "a student of control characters": json.dumps(log_with(student="a\nb")).encode(),
    "a flat table": json.dumps(log_with(exercises=[1])).encode(),
    "strange entries": json.dumps(log_with(exercises={"centre": 3})).encode(),
    "strange status": json.dumps(log_with(exercises={"centre": entry(status="ok")})).encode(),
    "many exercises": json.dumps(log_with(exercises={str(i): 0 for i in range(999)})).encode(),
    "strange turns": json.dumps(log_with(exercises={"centre": entry(turns=[["", []]])})).encode(),
    "many turns": json.dumps(log_with(
        exercises={"centre": entry(turns=[["", "passed"]] * 21)})).encode(),
    "strange outputs": json.dumps(log_with(exercises={"centre": entry(outputs=[])})).encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_malformed_log_gets_a_clear_line(name, tmp_path):
    path = tmp_path / "log.json"
    path.write_bytes(HOSTILE[name])
    began = time.process_time()
    graded = grade(path)
    assert graded.refused and len(graded.refused) < 200 and "\n" not in graded.refused
    assert graded.score == 0 and time.process_time() - began < 2


ARRAY = {"a": {"dtype": "float64", "shape": [1], "data": "AAAAAAAA8D8="}, "shape": [1],
         "dtype": "float64"}
NODES = {
    "nothing": None, "a string": "x", "a list": [], "an empty object": {},
    "two tags": {"t": [], "d": []},
    "unknown tag": {"pickle": "x"}, "no value": {"d": []}, "other key": {"d": [["x", 1]]},
    "raised a list": {"d": [["raised", [1]]]}, "raised nonsense": {"d": [["raised", "a b\0"]]},
    "a huge integer": {"d": [["value", {"i": "0x" + "f" * 100_000}]]},
    "nan": {"d": [["value", {"f": "nan"}]]},
    "deep": {"d": [["value", json.loads("[" * 300 + "]" * 300)]]},
    "wrong shape": {"d": [["value", ARRAY | {"shape": [3, 4]}]]},
    "a huge shape": {"d": [["value", ARRAY | {"shape": [10**15]}]]},
    "a huge empty tensor": {"d": [["value", {"a": ARRAY["a"] | {"data": "", "shape": [0]},
                                             "shape": [10**12], "torch": "float64"}]]},
    "objects": {"d": [["value", ARRAY | {"dtype": "object"}]]},
    "torch nonsense": {"d": [["value", ARRAY | {"torch": "load"}]]},
    "not base64": {"d": [["value", ARRAY | {"a": ARRAY["a"] | {"data": "!!"}}]]},
    "an unhashable key": {"d": [[[1], 2]]},
    "many nodes": {"d": [["value", [0] * 205_000]]},
}


@pytest.mark.parametrize("name", NODES)
def test_a_hostile_output_is_a_wrong_answer(name):
    log = log_with(exercises={"centre": entry(outputs=dict.fromkeys(
        ("rows", "scalar", "one_number"), NODES[name]))})
    path = store(seal(log))
    tracemalloc.start()
    graded = grade(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert graded.score == 0 and not graded.refused
    assert peak < 100e6


SOURCES = {
    "many signs": "-" * 7000 + "np.var(x)",
    "a long chain": "np" + ".var" * 1900,
    "brackets behind": "np.var(x)" + "[0]" * 2400,
}


@pytest.mark.parametrize("name", SOURCES)
def test_no_nesting_hides_a_forbidden_routine(name):
    log, _ = written(*REFERENCE)
    log["exercises"]["centre"]["source"] = SOURCES[name]
    graded = grade(store(seal(log)))
    assert graded.score == 0 and "np.var" in graded.remarks[0]


def test_an_entry_larger_than_the_kit_writes_is_not_read():
    """Its source would take seconds to parse, its set of colliding numbers minutes to build."""
    log, path = written(*REFERENCE)
    own = path.read_text()
    collisions = {"d": [["value", {"s": [(2**61 - 1) * k for k in range(1, 60_000)]}]]}
    for change in ({"source": "np.var;" * 200_000}, {"outputs": {"rows": collisions}}):
        edited = json.loads(own)
        edited["exercises"]["centre"] |= change
        graded = grade(store(seal(edited)))
        assert graded.score == 0 and "the kit writes at most" in graded.remarks[0]
    assert "other outputs" in submission_log.compare(json.dumps(edited).encode(), own)[0].text


def test_nesting_of_any_depth_is_answered():
    """Python reads JSON a little deeper than it writes it."""
    for depth in range(600, 1000, 3):
        log, text = log_with(), "[" * depth + "]" * depth
        log["exercises"]["centre"]["outputs"] = {"rows": "DEEP"}
        path = submission_log.Path("deep.json")
        path.write_text(json.dumps(log).replace('"DEEP"', text))
        graded = grade(path)
        assert graded.refused or graded.score == 0


def test_a_gigabyte_is_refused_unread(tmp_path, monkeypatch):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(2**30)
    began = time.process_time()
    assert grade(path).refused == "1073.7 MB; a log has at most 2 MB"
    assert time.process_time() - began < 0.5


def test_what_is_not_a_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert grade(tmp_path / "pipe").refused == "not a file"
    assert "cannot be read" in grade(tmp_path / "nowhere").refused


# comparing with the examiner's own run

def test_the_log_of_the_same_notebook_fits():
    _, path = written(*REFERENCE)
    theirs = path.read_bytes()
    assert submission_log.compare(theirs, path.read_text()) == []
    assert submission_log.compare(None, path.read_text()) == []
    log = json.loads(theirs)
    log["exercises"]["centre"]["time"] = "another day"
    assert submission_log.compare(json.dumps(log).encode(), path.read_text()) == []


def test_last_bits_may_differ_between_machines():
    log, path = written(*REFERENCE)
    own = path.read_text()
    rows = plain.from_json(log["exercises"]["centre"]["outputs"]["rows"])["value"]
    node = plain.to_json({"value": np.nextafter(rows, 9)})
    log["exercises"]["centre"]["outputs"]["rows"] = node
    assert submission_log.compare(json.dumps(log).encode(), own) == []


def test_what_does_not_fit_is_reported():
    log, path = written(*REFERENCE)
    own = path.read_text()

    def told(**changes):
        return submission_log.compare(json.dumps(log | changes).encode(), own)[0].text

    def remark(**changes):
        other = {**log["exercises"]["centre"], **changes}
        return told(exercises={"centre": other})

    assert "failed in the log, passed in the notebook" in remark(status="failed")
    assert "other source" in remark(source="def centre(x): ...")
    assert "other outputs (one_number, rows, scalar)" in remark(outputs={})
    assert "of student 'bob'" in told(student="bob")
    assert "of 'other'" in told(homework="other")
    assert "unusable: not JSON" in submission_log.compare(b"{", own)[0].text


# what differs from student to student

def test_rounding_does_not_make_an_answer_personal(monkeypatch):
    """Zero up to rounding differs in its bits from student to student, and proves nothing."""
    def residual(rng, centre, spread):
        x = rng.normal(size=5)
        return centre(centre(x)) - centre(x)

    noisy = replace(toy.toy.cases[0], name="residual", scenario=residual)
    monkeypatch.setitem(case.CASES, "centre", [*toy.toy.cases, noisy])
    item = rubric.Item("residual", 1, "Twice is once.", lambda *a: None, ("residual",))
    monkeypatch.setattr(toy.toy, "items", [*toy.toy.items, item])
    log_grading.paper.cache_clear()
    assert "residual" not in log_grading.paper("centre").personal
    assert "rows" in log_grading.paper("centre").personal
