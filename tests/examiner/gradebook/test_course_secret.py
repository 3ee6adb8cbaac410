"""The secret belongs to the course: its digest is in the gradebook, and no other one grades."""

import io
import os

import pytest

import courses
import plain_course
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.cli import main
from viva_examiner.course import Course
from viva_examiner.doctor import keeping
from viva_examiner.gradebook import course_secret, ledger
from viva_examiner.gradebook.course_secret import WrongSecret


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    """A course with the library of exams, on an account that has no secret yet."""
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 's'\nc.Examiner.course = 'viva_course'\n")
    (tmp_path / "gradebook.db").write_bytes(empty_gradebook.read_bytes())
    move_to(monkeypatch, tmp_path / "ta")
    monkeypatch.chdir(tmp_path)
    return Course(tmp_path)


def move_to(monkeypatch, home) -> None:
    """Sit down at another account."""
    monkeypatch.delenv("VIVA_SECRET", raising=False)
    monkeypatch.setenv("VIVA_SECRET_FILE", str(home / "secret"))


def test_it_is_made_once_and_only_its_digest_is_in_the_gradebook(course):
    secret = course_secret.agreed(course)
    assert len(secret) == 32 and course_secret.agreed(course) == secret
    assert secret.encode() not in (course.root / "gradebook.db").read_bytes()
    with ledger.opened(course) as book:
        assert len(book.entries(ledger.SECRET)) == 1
    assert keeping.about_secret(course).remedy == ""


def test_a_second_account_refuses_and_is_told_how_to_get_it(course, tmp_path, monkeypatch, capsys):
    secret = course_secret.agreed(course)
    assert main(["secret", "show"]) == 0
    assert capsys.readouterr().out.strip() == secret

    move_to(monkeypatch, tmp_path / "second")
    with pytest.raises(WrongSecret, match="does not have the course's secret.*viva secret set"):
        course_secret.agreed(course)
    assert not (tmp_path / "second").exists(), "nobody makes a secret of their own"
    assert "does not have" in keeping.about_secret(course).what

    monkeypatch.setattr("sys.stdin", io.StringIO("a guess\n"))
    assert main(["secret", "set"]) == 2
    assert "not the course's secret" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{secret}\n"))
    assert main(["secret", "set"]) == 0
    assert course_secret.agreed(course) == secret
    assert (tmp_path / "second" / "secret").stat().st_mode & 0o777 == 0o600


def test_another_secret_grades_nobody(course, monkeypatch, capsys):
    course_secret.agreed(course)
    monkeypatch.setenv("VIVA_SECRET", "of last year")
    with pytest.raises(WrongSecret, match="another secret"):
        course_secret.agreed(course)
    assert keeping.about_secret(course).fatal
    assert main(["secret", "show"]) == 2
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO("of last year\n"))
    assert main(["secret", "set", "--new"]) == 0
    assert course_secret.agreed(course) == "of last year"


def test_a_file_that_others_can_read_is_told(course, tmp_path):
    course_secret.agreed(course)
    os.chmod(tmp_path / "ta" / "secret", 0o644)
    found = keeping.about_secret(course)
    assert "others can read" in found.what and "chmod 600" in found.remedy


def test_a_course_without_exams_needs_none(course, capsys):
    (course.root / "nbgrader_config.py").write_text("c = get_config()\n")
    assert course_secret.agreed(Course(course.root)) == ""
    assert main(["secret", "show"]) == 2
    assert "needs no secret" in capsys.readouterr().err


def test_nothing_is_graded_with_another_secret(tmp_path, monkeypatch):
    made = courses.make(tmp_path / "course", "plain", plain_course.source_notebook(),
                        extra="c.Examiner.course = 'viva_course'")
    courses.hand_in(made, "plain", "ada", plain_course.submission("right"))
    course_secret.agreed(made)
    monkeypatch.setenv("VIVA_SECRET", "another")
    with pytest.raises(WrongSecret):
        autograde(made, "plain")
    assert courses.grades(made, "plain") == {}
