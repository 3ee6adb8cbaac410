"""`viva autograde` on a real course: grades, bad input, what changed, what a TA wrote."""

import json
import os

import nbformat
import pytest
from nbgrader.api import Gradebook

import courses
import plain_course
from viva_examiner.autograde import pool
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.cli import main
from viva_examiner.gradebook import autograded, ledger, submissions
from viva_examiner.gradebook.standing import UNGRADED, of_record, of_submission


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    return courses.make(root, "plain", plain_course.source_notebook())


@pytest.fixture()
def empty(course):
    """The course without submissions and grades, as it was released."""
    yield course
    for room in ("submitted", "autograded"):
        folder = course.root / room
        if folder.exists():
            os.system(f"rm -rf {folder}")
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        for student in gradebook.students:
            gradebook.remove_student(student.id)


def right(**changes) -> bytes:
    notebook = json.loads(plain_course.submission("right"))
    notebook.update(changes)
    return json.dumps(notebook).encode()


def cells_without(name: str) -> bytes:
    notebook = json.loads(plain_course.submission("right"))
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] != name]
    return json.dumps(notebook).encode()


def twice(name: str) -> bytes:
    notebook = json.loads(plain_course.submission("right"))
    again = [c for c in notebook["cells"] if c["id"] == name]
    notebook["cells"] += again
    return json.dumps(notebook).encode()


BAD = {
    "not_json": (b"\x00\xffrubbish", 0, "not JSON"),
    "empty": (b"", 0, "empty"),
    "a_list": (b"[1, 2]", 0, "JSON of another kind"),
    "no_cells": (right(cells=None), 0, "no cells"),
    "version_3": (b'{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": []}', 0,
                  "test_squares was missing"),
    "twice": (twice("test_squares"), 22, "twice"),
    "deleted_test": (cells_without("test_squares"), 22, "put back"),
}


def test_bad_input_costs_its_student_and_nobody_else(empty):
    for student, (data, *_) in BAD.items():
        courses.hand_in(empty, "plain", student, data)
    courses.hand_in(empty, "plain", "honest", plain_course.submission("right"))
    results = {g.student: g for g in autograde(empty, "plain").results}
    assert results["honest"].score == 22 and not results["honest"].remarks
    for student, (_, score, remark) in BAD.items():
        assert results[student].score == score, student
        said = "\n".join(map(str, results[student].remarks))
        assert remark in said, said
    assert len({student for student, _ in courses.grades(empty, "plain")}) == len(BAD) + 1


def test_a_second_run_grades_nothing_and_force_grades_all(empty, tmp_path):
    courses.hand_in(empty, "plain", "ada", plain_course.submission("right"))
    assert len(autograde(empty, "plain").results) == 1
    before = courses.grades(empty, "plain")
    again = autograde(empty, "plain")
    assert (len(again.results), again.skipped) == (0, 1)
    moved = courses.copy_of(empty, tmp_path / "elsewhere")
    assert autograde(moved, "plain").skipped == 1, "a mark does not hang on where the course lies"
    assert len(autograde(empty, "plain", force=True).results) == 1
    assert courses.grades(empty, "plain") == before


def test_a_changed_cell_is_graded_again_and_a_new_output_is_not(empty):
    courses.hand_in(empty, "plain", "ada", plain_course.submission("right"))
    autograde(empty, "plain")
    notebook = json.loads(plain_course.submission("right"))
    notebook["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "hi"}]
    courses.hand_in(empty, "plain", "ada", json.dumps(notebook).encode())
    assert autograde(empty, "plain").skipped == 1
    courses.hand_in(empty, "plain", "ada", plain_course.submission("half"))
    (graded,) = autograde(empty, "plain").results
    assert graded.score == 15.5


def test_a_lost_gradebook_is_filled_again_from_what_was_graded(empty):
    courses.hand_in(empty, "plain", "ada", plain_course.submission("right"))
    autograde(empty, "plain")
    before = courses.grades(empty, "plain")
    with Gradebook(empty.db_url, empty.directory.course_id) as gradebook:
        gradebook.remove_student("ada")
    assert autograde(empty, "plain").skipped == 1
    assert courses.grades(empty, "plain") == before


def essay(text: str) -> bytes:
    """The right submission with another essay."""
    notebook = json.loads(plain_course.submission("right"))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "essay":
            cell["source"] = text
    return json.dumps(notebook).encode()


def test_a_mark_by_hand_is_final_only_for_the_text_it_was_given_for(empty, capsys):
    courses.hand_in(empty, "plain", "ada", essay("The first text."))
    autograde(empty, "plain")
    with Gradebook(empty.db_url, empty.directory.course_id) as gradebook:  # as formgrader does
        grade = gradebook.find_grade("essay", "plain", "plain", "ada")
        grade.manual_score, grade.needs_manual_grade = 2, False
        gradebook.db.commit()

    def standing():
        with Gradebook(empty.db_url, empty.directory.course_id) as gradebook:
            cells = of_submission(gradebook.find_submission("plain", "ada")).cells
            return next(cell for cell in cells if cell.name == "essay")

    autograde(empty, "plain", force=True)
    assert (standing().score, standing().waits) == (2, "")
    courses.hand_in(empty, "plain", "ada", essay("A second text, which nobody has read."))
    said = []
    autograde(empty, "plain", on_event=lambda event, **facts: said.append((event, facts)))
    assert (standing().score, standing().waits) == (2, UNGRADED)
    done = next(facts for event, facts in said if event == "done")
    assert UNGRADED in of_record(done["graded"], done["known"]).note
    with ledger.opened(empty) as book:
        mark, changed = book.entries(student="ada", cell="essay")
    assert (mark.author, mark.payload["answer"]) == ("formgrader", "The first text.")
    assert changed.kind == ledger.CHANGED


def test_what_a_ta_wrote_is_never_touched(empty):
    courses.hand_in(empty, "plain", "ada", plain_course.submission("half"))
    autograde(empty, "plain")
    with Gradebook(empty.db_url, empty.directory.course_id) as gradebook:
        grade = gradebook.find_grade("essay", "plain", "plain", "ada")
        grade.manual_score, grade.needs_manual_grade, grade.extra_credit = 2, False, 0.5
        comment = gradebook.find_comment("essay", "plain", "plain", "ada")
        comment.manual_comment = "well put"
        gradebook.db.commit()
    courses.hand_in(empty, "plain", "ada", plain_course.submission("right"))
    autograde(empty, "plain", force=True)
    with Gradebook(empty.db_url, empty.directory.course_id) as gradebook:
        grade = gradebook.find_grade("essay", "plain", "plain", "ada")
        assert (grade.manual_score, grade.extra_credit) == (2, 0.5)
        assert not grade.needs_manual_grade
        comment = gradebook.find_comment("essay", "plain", "plain", "ada")
        assert comment.manual_comment == "well put"


def test_one_and_two_workers_give_the_same(empty):
    for student in ("right", "half", "broken"):
        courses.hand_in(empty, "plain", student, plain_course.submission(student))
    autograde(empty, "plain", jobs=1)
    one = courses.grades(empty, "plain")
    autograde(empty, "plain", jobs=2, force=True)
    assert courses.grades(empty, "plain") == one


def test_a_core_for_each_worker_if_there_are_enough_of_them(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {2, 5, 7})
    assert pool._places(2) == [{2, 5, 7}] * 2  # whichever core is free
    assert pool._places(4) == [{2}, {5}, {7}, {2}]


def test_a_worker_that_dies_is_replaced_and_its_submission_tried_again(empty, monkeypatch):
    courses.hand_in(empty, "plain", "ada", plain_course.submission("right"))
    killed = []
    give = pool.Worker.give

    def give_and_kill_once(worker, job):
        give(worker, job)
        if not killed:
            killed.append(worker.process.kill())

    monkeypatch.setattr(pool.Worker, "give", give_and_kill_once)
    (graded,) = autograde(empty, "plain", jobs=1).results
    assert killed and graded.score == 22


def test_a_worker_that_always_dies_leaves_no_grade_and_no_zero(empty, monkeypatch):
    courses.hand_in(empty, "plain", "ada", plain_course.submission("right"))
    give = pool.Worker.give

    def give_and_kill(worker, job):
        give(worker, job)
        worker.process.kill()

    monkeypatch.setattr(pool.Worker, "give", give_and_kill)
    summary = autograde(empty, "plain", jobs=1)
    assert [g.status for g in summary.not_graded] == ["not graded"]
    assert all(score is None for score, *_ in courses.grades(empty, "plain").values())


def test_the_autograded_notebook_is_whole_and_tells_its_marks(empty):
    courses.hand_in(empty, "plain", "ada", plain_course.submission("half"), **{"data.csv": b"1,2"})
    autograde(empty, "plain")
    (submission,) = submissions.submissions(empty, "plain")
    graded = autograded.stored(empty, submission, "plain")
    assert graded.marks["test_partial"].score == 2.5
    folder = empty.root / "autograded" / "ada" / "plain"
    assert (folder / "data.csv").read_bytes() == b"1,2"
    notebook = nbformat.read(folder / "plain.ipynb", as_version=4)
    nbformat.validate(notebook)
    test = next(c for c in notebook.cells if c.id == "test_visible")
    assert test.outputs[-1].ename == "AssertionError"


def test_the_command_ends_in_0_only_when_it_graded(empty, monkeypatch, capsys):
    monkeypatch.chdir(empty.root)
    assert main(["autograde", "plain"]) == 2  # nothing submitted
    assert main(["autograde", "unheard_of"]) == 2
    courses.hand_in(empty, "plain", "ada", plain_course.submission("right"))
    capsys.readouterr()
    assert main(["autograde", "plain", "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [e["event"] for e in events] == ["start", "done", "end"]
    assert events[1]["score"] == 22


def test_nbgraders_own_command_goes_through_the_examiner(empty):
    courses.hand_in(empty, "plain", "half", plain_course.submission("half"))
    done = courses.nbgrader(empty.root, "autograde", "plain")
    assert done.returncode == 0, done.stderr
    through_nbgrader = courses.grades(empty, "plain")
    autograde(empty, "plain", force=True)
    assert courses.grades(empty, "plain") == through_nbgrader
    assert through_nbgrader["half", "test_partial"][0] == 2.5


def test_a_changed_hidden_test_is_examined_again_with_those_below_it_only(tmp_path):
    source = plain_course.source_notebook()
    course = courses.make(tmp_path / "course", "plain", source)
    courses.hand_in(course, "plain", "right", plain_course.submission("right"))
    (first,) = autograde(course, "plain").results
    assert first.kept == 0
    changed = next(cell for cell in source.cells if cell.id == "test_model")
    changed.source = changed.source.replace("(5, 2)", "(5, 99)")
    nbformat.write(source, course.root / "source" / "plain" / "plain.ipynb")
    courses.nbgrader_here(course.root, "generate_assignment", "plain", "--force")
    (again,) = autograde(course, "plain").results
    assert again.kept == 4  # test_model and test_apply are asked again
    assert again.marks["test_model"].score == 0 and again.score == first.score - 6
    assert again.marks["test_account"] == first.marks["test_account"]
