"""Members into nbgrader's table: compared before it is written, and nobody's work is lost."""

import pytest
from nbgrader.api import Gradebook

from lms_platform import member
from viva_examiner.cli import main
from viva_examiner.gradebook import class_roster as course_roster
from viva_examiner.lms import members_table, people
from viva_examiner.lms.members import Member


def table(course) -> dict[str, tuple]:
    with Gradebook(course.db_url, "m") as book:
        return {each.id: (each.first_name, each.last_name, each.email) for each in book.students}


@pytest.fixture
def run(course, monkeypatch, capsys):
    """viva lms roster …: (exit code, what it said)"""
    monkeypatch.chdir(course.root)

    def command(*words: str):
        code = main(["lms", "roster", *words])
        return code, capsys.readouterr().out
    return command


def test_the_difference_is_shown_before_anything_is_written(course, platform, run, monkeypatch):
    platform.members.append(member("14", "Dán", "Ünal", email="dan@uni.example"))
    before = table(course)
    assert run("--dry-run")[0] == 0 and table(course) == before
    asked = []
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "n")
    code, said = run()
    assert code == 1 and asked and table(course) == before
    assert "4 students in the LMS: 1 new, 3 changed, 0 unchanged" in said
    assert "new: dan (Dán Ünal, dan@uni.example)" in said and "staff: Tea Cher (teacher)" in said
    code, said = run("--yes")
    assert code == 0
    assert table(course)["ada"] == ("Ada", "O'Neil & Sons", "ada@uni.example")
    assert table(course)["dan"] == ("Dán", "Ünal", "dan@uni.example")
    assert "0 new, 0 changed, 4 unchanged" in run("--yes")[1]


def test_nobody_who_has_work_is_removed(course, platform, run):
    with Gradebook(course.db_url, "m") as book:
        book.add_student("idle")
    folder = course.root / "submitted" / "fresh" / "one"
    folder.mkdir(parents=True)
    with Gradebook(course.db_url, "m") as book:
        book.add_student("fresh")
    platform.members = platform.members[1:]  # ada, who has marks, has left
    assert "without work, kept (--remove): idle" in run("--yes")[1]
    assert "idle" in table(course)
    code, said = run("--yes", "--remove")
    assert "with work here, kept: ada, fresh" in said
    assert set(table(course)) == {"ada", "bob", "cyd", "fresh"}


def test_who_is_who_is_remembered_when_the_name_changes(course, platform, run):
    run("--yes")
    platform.members[0] |= {"given_name": "Adele", "email": "new@uni.example",
                            "lis_person_sourcedid": "4711"}
    code, said = run("--yes")
    assert "0 new, 1 changed" in said and table(course)["ada"][0] == "Adele"


@pytest.mark.parametrize("told, student", [
    (Member("1", number="s123"), "s123"),
    (Member("1", number="../x", login="anna"), "anna"),
    (Member("1", email="anna.m@uni.example"), "anna.m"),
    (Member("1", first_name="Anna", last_name="Müller"), "Anna_Müller"),
    (Member("1", login="ADA"), "member-1"),  # taken, but for its capitals
])
def test_an_id_for_somebody_new(course, told, student):
    assert set(members_table.compare(course, "uni", [told]).new) == {student}


@pytest.mark.parametrize("told", [
    Member("1", number="ada"), Member("1", email="ADA@uni.example"), Member("1", login="ada"),
    Member("1", first_name="Ada", last_name="King"),
])
def test_a_student_of_the_table_is_recognised(told):
    found, _ = people.matched([people.Person("ada", "Ada", "King", "ada@uni.example")], [told], {})
    assert found == {"ada": told}


def test_groups_are_taken_for_a_homework_only_when_asked(course, platform, run):
    assert "no groups: the platform tells none" in run("--dry-run", "--groups", "two")[1]
    for each in platform.members[:2]:
        each["group_enrollments"] = [{"group_id": "7"}]
    run("--yes")
    assert not course_roster.read(course).lines
    code, said = run("--yes", "--groups", "two")
    assert code == 0 and "ada: lms 7, for two" in said
    now = course_roster.read(course)
    assert now.authors("ada", "two", ["ada", "bob", "cyd"]) == ["ada", "bob"]
    assert now.authors("ada", "one", ["ada", "bob", "cyd"]) == ["ada"]


def test_an_assistant_whom_the_platform_calls_a_learner_is_no_student(course, platform, run):
    """Moodle: whoever may not edit the course is a learner."""
    platform.members.append(member("9", "Assi", "Stant", email="assi@uni.example"))
    assert main(["lms", "roster", "--dry-run", "--staff", "nobody"]) == 2
    code, said = run("--yes", "--staff", "Assi@uni.example")
    assert "staff: Tea Cher (teacher), Assi Stant (assistant)" in said
    assert "assi" not in table(course)
    assert "0 new" in run("--yes")[1] and "assi" not in table(course)
