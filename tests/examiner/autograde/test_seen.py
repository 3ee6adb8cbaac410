"""Who needs a look is named by every run, until somebody has looked."""

import pytest
from nbgrader.api import Gradebook

import courses
import plain_course
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.cli import main
from viva_examiner.gradebook.standing import LOOK, of_submission


@pytest.fixture
def course(tmp_path, monkeypatch):
    made = courses.make(tmp_path / "course", "plain", plain_course.source_notebook())
    courses.hand_in(made, "plain", "ada", b"%PDF-1.7, not a notebook")
    monkeypatch.chdir(made.root)
    return made


def waits(course) -> set[str]:
    with Gradebook(course.db_url, course.directory.course_id) as book:
        return {cell.waits for cell in of_submission(book.find_submission("plain", "ada")).cells}


def test_every_run_names_who_needs_a_look_until_somebody_says_so(course, capsys):
    first = autograde(course, "plain").look
    assert set(first) == {"ada"} and first["ada"]
    again = autograde(course, "plain")
    assert (again.skipped, again.look) == (1, first), "nothing was run, and it is still said"
    assert main(["seen", "plain"]) == 0
    assert capsys.readouterr().out.count("needs a look") == 1, "and the reason says it not again"

    assert main(["seen", "plain", "ada", "--note", "wrote to her"]) == 0
    assert autograde(course, "plain").look == {}
    assert LOOK in waits(course), "a look gives no mark"
    capsys.readouterr()
    assert main(["history", "plain", "ada"]) == 0
    assert "wrote to her" in capsys.readouterr().out

    courses.hand_in(course, "plain", "ada", b"another file that is no notebook")
    assert set(autograde(course, "plain").look) == {"ada"}, "another file is another look"


def test_automatic_marks_stand_when_somebody_says_so(course, capsys):
    autograde(course, "plain")
    assert main(["seen", "plain", "ada", "--stands"]) == 0
    assert "0 points stand" in capsys.readouterr().out
    assert LOOK not in waits(course)
    assert autograde(course, "plain").look == {}


def test_marks_in_formgrader_are_a_look(course):
    autograde(course, "plain")
    with Gradebook(course.db_url, course.directory.course_id) as book:
        for grade in book.find_submission("plain", "ada").notebooks[0].grades:
            grade.manual_score, grade.needs_manual_grade = 1.0, False
        book.db.commit()
    assert autograde(course, "plain").look == {}


def test_who_needs_no_look_cannot_be_seen(course, capsys):
    courses.hand_in(course, "plain", "bob", plain_course.submission("right"))
    autograde(course, "plain")
    assert main(["seen", "plain", "bob"]) == 2
    assert "nothing of bob needs a look" in capsys.readouterr().err
