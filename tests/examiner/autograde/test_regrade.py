"""`viva regrade`: whose mark changes after an exam or a limit changed, and nothing else."""

import json
import platform
from dataclasses import asdict, replace

import nbformat
import pytest
from nbgrader.api import Gradebook

import courses
import plain_course
from viva_examiner.autograde.changes import changes, remember, why
from viva_examiner.autograde.grading_run import Summary, autograde
from viva_examiner.autograde.regraded import lines
from viva_examiner.gradebook import autograded, submissions
from viva_examiner.records import Graded, Mark, Rubric, RubricItem

STUDENTS = ("right", "off_by_one", "half", "untouched")


@pytest.fixture(scope="module")
def graded(tmp_path_factory, examiner_here):
    """A graded class; a TA gave "half" other points by hand; then the exam was changed."""
    course = courses.make(tmp_path_factory.mktemp("regrade") / "course", "plain",
                          plain_course.source_notebook())
    for student in STUDENTS:
        courses.hand_in(course, "plain", student, plain_course.submission(student))
    autograde(course, "plain", run=examiner_here.run)
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        gradebook.find_grade("test_partial", "plain", "plain", "half").manual_score = 1.0
        gradebook.db.commit()
    change_the_exam(course)
    return course


def change_the_exam(course) -> None:
    """`test_partial` gives 1 point for the first two squares, and 3 for the fifth."""
    path = course.root / "source" / "plain" / "plain.ipynb"
    source = nbformat.read(path, 4)
    for cell in source.cells:
        cell.source = cell.source.replace("+= 2.5", "+= 1").replace("+= 1.5", "+= 3")
    nbformat.write(source, path)
    courses.nbgrader_here(course.root, "generate_assignment", "plain", "--force")


def everything(course) -> dict:
    """What lies in autograded/, byte by byte, and what the gradebook says."""
    files = {path: path.read_bytes() for path in (course.root / "autograded").rglob("*.ipynb")}
    return files | courses.grades(course, "plain")


def regrade(course, examiner, **options):
    return autograde(course, "plain", run=examiner.run, only_graded=True, **options)


def record(course, student: str) -> Graded:
    (found,) = submissions.submissions(course, "plain", student)
    return autograded.stored(course, found, "plain")


def test_a_dry_run_tells_what_would_change_and_writes_nothing(graded, examiner_here):
    courses.hand_in(graded, "plain", "late", plain_course.submission("right"))
    before = everything(graded)
    summary = regrade(graded, examiner_here, dry_run=True)
    assert everything(graded) == before
    assert [(c.student, c.test, c.before, c.after) for c in summary.changes] == [
        ("half", "test_partial", 2.5, 1.0)]
    assert {g.student for g in summary.results} == set(STUDENTS), "nobody who was never graded"
    assert summary.changes[0].why.startswith("the exam of test_partial has changed")
    assert summary.manual == {("half", "test_partial"): 1.0}
    told = "\n".join(lines(summary.changes, summary.manual))
    assert "half\n  test_partial: 2.5 to 1" in told and "a TA gave 1 points here" in told


def test_it_is_equal_to_a_full_run_row_by_row(graded, examiner_here, tmp_path):
    told = regrade(graded, examiner_here, dry_run=True).changes
    full, part = (courses.copy_of(graded, tmp_path / name) for name in ("full", "part"))
    before = courses.grades(full, "plain")
    autograde(full, "plain", run=examiner_here.run, force=True)
    regrade(part, examiner_here)
    after = {key: row for key, row in courses.grades(full, "plain").items() if key[0] != "late"}
    rows = {(*key, before[key][0], row[0]) for key, row in after.items()
            if row[0] != before[key][0]}
    assert rows == {(c.student, c.test, c.before, c.after) for c in told}
    assert courses.grades(part, "plain") == after
    for student in STUDENTS:
        one, other = record(full, student), record(part, student)
        assert one.marks == other.marks and one.remarks == other.remarks


def test_old_marks_stay_in_the_history_and_a_tas_mark_is_flagged(graded, examiner_here, tmp_path):
    course = courses.copy_of(graded, tmp_path / "course")
    regrade(course, examiner_here)
    (entry,) = record(course, "half").history
    assert entry["marks"] == {"test_partial": {"score": 2.5, "items": {}}}
    assert "the exam of test_partial" in entry["why"][0] and entry["until"].endswith("Z")
    assert record(course, "right").history == ()
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        grade = gradebook.find_grade("test_partial", "plain", "plain", "half")
        assert (grade.auto_score, grade.manual_score, grade.needs_manual_grade) == (1.0, 1.0, True)
        other = gradebook.find_grade("test_squares", "plain", "plain", "half")
        assert not other.needs_manual_grade
    again = regrade(course, examiner_here)
    assert (again.changes, again.skipped) == ([], len(STUDENTS))
    regrade(course, examiner_here, force=True)
    assert record(course, "half").history == (entry,), "what is past stays, and only once"


def test_the_reason_names_the_limit_that_changed(graded):
    old = record(graded, "half")
    limits = old.rests_on["limits"] | {"cell_seconds": 5}
    new = replace(old, rests_on=old.rests_on | {"limits": limits})
    assert why(old, new, "test_partial") == "the limit cell_seconds was 20, now 5"
    assert "its own code gives other answers" in why(old, old, "test_partial")
    below = replace(old, rests_on=old.rests_on | {"exams": {"test_visible": "another"}})
    assert why(old, below, "essay") == "an exam above it has changed"


def test_the_reason_names_the_versions_that_changed(graded):
    old = record(graded, "half")
    assert old.rests_on["versions"]["Python"] == platform.python_version()
    versions = old.rests_on["versions"] | {"Python": "3.14.0"}
    new = replace(old, rests_on=old.rests_on | {"versions": versions, "libraries": "other"})
    assert why(old, new, "test_partial") == f"Python was {platform.python_version()}, now 3.14.0"
    summary = Summary()
    summary.compare(old, new, {})
    assert (summary.changes, list(summary.others)) == ([], [why(old, new, "test_partial")]), (
        "it is said where no mark changes, too")
    rebuilt = replace(old, rests_on=old.rests_on | {"libraries": "other"})
    assert why(old, rebuilt, "test_partial").startswith("another build of Python")


def rubric(**earned) -> Mark:
    items = tuple(RubricItem(name, 2, points, "" if points else "no")
                  for name, points in earned.items())
    return Mark(sum(earned.values()), 4, rubric=(Rubric("f", items=items),))


def test_items_are_told_apart_even_where_the_sum_is_the_same():
    old = Graded("ada", "hw", "hw", "graded", {"test_f": rubric(values=2, shape=0)})
    new = Graded("ada", "hw", "hw", "graded", {"test_f": rubric(values=0, shape=2)})
    assert [(c.item, c.before, c.after) for c in changes(old, new)] == [
        ("values", 2, 0), ("shape", 0, 2)]
    assert changes(old, old) == []
    gone = Graded("ada", "hw", "hw", "not graded", {"test_f": replace(rubric(), score=None)})
    (change,) = changes(old, gone)
    assert (change.item, change.before, change.after) == ("", 2, None)
    assert json.dumps(asdict(change))


def test_history_goes_into_the_notebook_that_is_written():
    notebook = {"cells": [], "metadata": {"viva": {"history": []}}}
    old = Graded("ada", "hw", "hw", "graded", {"test_f": rubric(values=2)})
    new = Graded("ada", "hw", "hw", "graded", {"test_f": rubric(values=0)},
                 text=json.dumps(notebook))
    new = remember(old, new)
    assert json.loads(new.text)["metadata"]["viva"]["history"] == list(new.history)
    assert new.history[0]["marks"] == {"test_f": {"score": 2, "items": {"values": 2}}}
