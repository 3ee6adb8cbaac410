"""Exports and the late policy, by nbgrader's own applications on a graded homework."""

import csv
import json

import nbformat
import pytest
from nbgrader.api import Gradebook

import courses
import one_homework
from one_homework import HOMEWORK, points_of
from viva import log as log_form
from viva.log import LOG_NAME
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.cli import main
from viva_examiner.gradebook.lateness import DAY, LatePolicy
from viva_examiner.gradebook.standing import NOT_HANDED_IN, UNGRADED

POINTS = points_of("stable_softmax") + points_of("min_score_gap")
POLICY = """
from viva_examiner.gradebook.lateness import LatePolicy
c.AssignLatePenalties.plugin_class = LatePolicy
c.LatePolicy.grace_minutes = 30
c.LatePolicy.percent_per_day = 20
c.LatePolicy.cap_percent = 60
"""


@pytest.mark.parametrize("late, share", [
    (-5, None), (0, None), (3600, None), (3601, 0.1), (3600 + DAY, 0.1), (3601 + DAY, 0.2),
    (3600 + 5 * DAY, 0.5), (300 * DAY, 0.5),
])
def test_the_policy_counts_days_begun_after_the_grace(late, share):
    """The defaults: an hour of grace, 10% per day, at most 50%."""
    penalty = LatePolicy().late_submission_penalty("ada", 80.0, late)
    assert penalty == (None if share is None else pytest.approx(80 * share))
    assert LatePolicy().late_submission_penalty("ada", 0, 9 * DAY) is None


@pytest.fixture(scope="module")
def course(tmp_path_factory, examiner_here):
    """Graded: `right` on time, `late` by a day, `wrong`; `absent` handed nothing in."""
    course = one_homework.make(tmp_path_factory.mktemp("course"), POLICY)
    released = nbformat.read(f"{course.path('release', '.', HOMEWORK)}/{HOMEWORK}.ipynb", 4)
    work = {
        "right": one_homework.answered(released),
        "late": one_homework.answered(released),
        "wrong": one_homework.answered(released, stable_softmax=one_homework.WRONG_AXIS),
    }
    for student, notebook in work.items():
        day = "03" if student == "late" else "01"
        stamp = f"2026-02-{day} 12:00:00 UTC".encode()
        courses.hand_in(course, HOMEWORK, student, nbformat.writes(notebook).encode(),
                        **{"timestamp.txt": stamp})
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        gradebook.update_or_create_assignment(HOMEWORK, duedate="2026-02-01 12:00:00 UTC")
        gradebook.add_student("absent", first_name="=cmd()", last_name="Noone, Jr.")
    summary = autograde(course, HOMEWORK, run=examiner_here.run)
    assert len(summary.results) == 3
    return course


def grade_by_hand(course, student, score):
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        grade = gradebook.find_grade("written_why", HOMEWORK, HOMEWORK, student)
        grade.manual_score, grade.needs_manual_grade = score, False
        gradebook.db.commit()


def export(course, name, *words):
    """The rows of an export, by the words of the command line."""
    path = course.root / f"{name}.csv"
    exporter = f"viva_examiner.nbgrader_steps.exporters.{name}"
    courses.nbgrader_here(course.root, "export", f"--exporter={exporter}", f"--to={path}", *words)
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_by_exercise(course):
    rows = export(course, "ByExercise")
    found = {(row["student_id"], row["exercise"]): row for row in rows}
    assert float(found["right", "stable_softmax"]["score"]) == one_homework.points_of(
        "stable_softmax")
    assert float(found["wrong", "stable_softmax"]["score"]) < one_homework.points_of(
        "stable_softmax")
    assert found["absent", ""]["note"] == NOT_HANDED_IN
    assert found["absent", ""]["score"] == ""
    assert (found["right", "written_why"]["score"], found["right", "written_why"]["note"]) == (
        "", UNGRADED)
    assert ("right", "check_stable_softmax") not in found
    assert ("right", "late penalty") not in found
    # two days late less half an hour: two days begun, 40% of what the tests gave
    total = one_homework.points_of("stable_softmax") + one_homework.points_of("min_score_gap")
    assert float(found["late", "late penalty"]["score"]) == pytest.approx(-0.4 * total)
    assert found["absent", ""]["first_name"] == "'=cmd()"


def test_by_item(course):
    rows = [row for row in export(course, "ByItem") if row["student_id"] == "wrong"]
    items = [row for row in rows if row["exercise"] == "stable_softmax"]
    assert len(items) > 2 and all(row["item"] for row in items)
    total = sum(float(row["max_score"]) for row in items)
    assert total == one_homework.points_of("stable_softmax")
    lost = [row for row in items if row["score"] == "0"]
    assert lost and all(row["message"] for row in lost)


def test_one_student_and_one_homework_can_be_chosen(course):
    rows = export(course, "ByExercise", "--student=['right']", f"--assignment=['{HOMEWORK}']")
    assert {row["student_id"] for row in rows} == {"right"}
    assert export(course, "ByExercise", "--assignment=['nothing']") == []


def test_canvas_and_moodle_leave_open_marks_empty(course):
    grade_by_hand(course, "right", 2.5)
    total = 2.5 + sum(map(one_homework.points_of, ("stable_softmax", "min_score_gap")))
    rows = export(course, "Canvas")
    assert list(rows[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", HOMEWORK]
    assert rows[0]["Student"].strip() == "Points Possible"
    assert float(rows[0][HOMEWORK]) == total + 0.5
    found = {row["SIS Login ID"]: row for row in rows[1:]}
    assert float(found["right"][HOMEWORK]) == total
    assert found["absent"][HOMEWORK] == found["wrong"][HOMEWORK] == ""
    notes = list(csv.DictReader((course.root / "Canvas_notes.csv").open()))
    assert {(n["student_id"], n["note"]) for n in notes} >= {
        ("absent", NOT_HANDED_IN), ("wrong", f"{UNGRADED}: written_why")}

    rows = {row["ID number"]: row for row in export(course, "Moodle")}
    assert float(rows["right"][HOMEWORK]) == total
    assert rows["right"][f"{HOMEWORK} (feedback)"] == ""
    assert rows["wrong"][HOMEWORK] == ""
    assert rows["wrong"][f"{HOMEWORK} (feedback)"] == f"{UNGRADED}: written_why"
    grade_by_hand(course, "right", None)


def test_a_submission_that_could_not_be_examined_is_not_a_zero(course):
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        grade = gradebook.find_grade("test_min_score_gap", HOMEWORK, HOMEWORK, "right")
        before, grade.auto_score = grade.auto_score, None
        gradebook.db.commit()
        rows = {(row["student_id"], row["exercise"]): row for row in export(course, "ByItem")}
        assert rows["right", "min_score_gap"]["score"] == ""
        grade.auto_score = before
        gradebook.db.commit()


def test_the_submitted_log_is_compared_with_the_run(course, examiner_here):
    """A log of another student lies beside the right notebook: the TA reads about it."""
    def again():
        summary = autograde(course, HOMEWORK, student="right", run=examiner_here.run)
        [graded] = summary.results
        return [remark.text for remark in graded.remarks]

    path = course.root / "submitted" / "right" / HOMEWORK / "submission_log.json"
    own = course.root / "autograded" / "right" / HOMEWORK / "submission_log.json"
    try:
        path.write_text(own.read_text())
        assert again() == []
        log = json.loads(own.read_text())
        log["exercises"]["stable_softmax"]["status"] = "failed"
        path.write_text(json.dumps(log))
        remarks = again()
        assert ["stable_softmax: failed in the log, passed in the notebook" in remark
                for remark in remarks] == [True]
        stored = json.loads((own.parent / f"{HOMEWORK}.ipynb").read_text())
        assert [each["text"] for each in stored["metadata"]["viva"]["remarks"]] == remarks
        assert "failed in the log" in "".join(stored["cells"][0]["source"])
    finally:
        path.unlink()
        again()


def test_the_log_of_a_run_is_graded_by_the_command(course, monkeypatch, capsys):
    """The code in the log that the examiner's run wrote earns what the notebook earned."""
    log = course.root / "autograded" / "right" / HOMEWORK / "submission_log.json"
    copied = course.root / "submitted" / "wrong" / HOMEWORK / "submission_log.json"
    monkeypatch.chdir(course.root)
    assert main(["grade-log", str(log), "--items"]) == 0
    lines = capsys.readouterr().out
    assert lines.startswith(f"right  {HOMEWORK}  {POINTS:g} of {POINTS:g} points\n")
    assert "✗" not in lines and "?" not in lines and "remark" not in lines
    copied.write_text(log.read_text())
    try:
        assert main(["grade-log", str(copied.parent), "--json"]) == 1
        told = json.loads(capsys.readouterr().out)
        assert told["refused"] == "the log of student 'right', handed in by 'wrong'"
        assert told["score"] == 0
    finally:
        copied.unlink()


def forged(course, tmp_path, **sources):
    """The right student's log with other sources, and digests that fit."""
    log = json.loads((course.root / "autograded/right" / HOMEWORK / LOG_NAME).read_text())
    for name, source in sources.items():
        log["exercises"][name]["source"] = source
        log["exercises"][name]["digest"] = log_form.digest(log, name, log["exercises"][name])
    path = tmp_path / LOG_NAME
    path.write_text(json.dumps(log))
    return path


def judged(path, capsys) -> dict:
    main(["grade-log", str(path), "--json"])
    return json.loads(capsys.readouterr().out)


def test_recorded_outputs_earn_nothing_where_the_code_does_not_give_them(
        course, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    told = judged(forged(course, tmp_path, stable_softmax="def stable_softmax(): pass",
                         min_score_gap="def min_score_gap(T, tol): return 1.0"), capsys)
    assert told["score"] == 0 and told["judged"] == told["points"] == POINTS
    for name in ("stable_softmax", "min_score_gap"):
        assert any("something else than the submitted code" in remark and name in remark
                   for remark in told["remarks"]), told["remarks"]


PROVISIONAL = {  # what a log may carry as the source of a function, and why that is not enough
    "": "not hold its source",
    "def stable_softmax(x, axis=-1):\n    return helper(x)": "uses helper",
    "def stable_softmax(x": "cannot be read",
    "def stable_softmax(x):\n    'é'" + "#" * 7500: "may be cut",
}


def test_without_its_whole_code_an_exercise_is_provisional(course, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    for number, source in enumerate(PROVISIONAL):
        (tmp_path / f"{number}").mkdir()
        forged(course, tmp_path / f"{number}", stable_softmax=source)
    main(["grade-log", str(tmp_path), "--json"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(PROVISIONAL)
    for told, why in zip(map(json.loads, lines), PROVISIONAL.values(), strict=True):
        assert why in told["provisional"]["stable_softmax"]
        assert told["score"] == told["judged"] == POINTS - points_of("stable_softmax")
    main(["grade-log", str(tmp_path / "0" / LOG_NAME)])
    assert "provisional: stable_softmax: " in capsys.readouterr().out


def test_links_are_not_followed(course, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    real = forged(course, tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / LOG_NAME).symlink_to(real)
    (tmp_path / "folder").symlink_to(tmp_path)
    for path in (tmp_path / "there", tmp_path / "there" / LOG_NAME, tmp_path / "folder" / LOG_NAME):
        assert main(["grade-log", str(path)]) == 1
        assert "link" in capsys.readouterr().out
