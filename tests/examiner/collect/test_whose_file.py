"""Whose a file is: by the platform's own rule, file by file, and not taken where it is doubtful."""

from datetime import datetime

import pytest

from collecting import PEOPLE, TABLE, collected, owners, refused, work
from platform_exports import (
    archive,
    blackboard,
    brightspace,
    canvas,
    canvas_text,
    gradescope,
    moodle,
    worksheet,
    zipped,
)
from viva_examiner.collect.students import Students
from viva_examiner.collect.worksheet import BadWorksheet, Worksheet

AT = "2026-10-12-17-05-09"
NOBODY = Students()


def of(tmp_path, *parts, **about):
    """Collect one archive that holds all parts."""
    files = {}
    for part in parts:
        files |= part
    return collected(archive(tmp_path, "export.zip", files), **about)


def table(*rows):
    return Students.of([*PEOPLE, *rows])


# Canvas

def test_a_text_an_anonymous_file_and_an_underscore_cost_nobody_else_anything(tmp_path):
    found = of(tmp_path, canvas("Lovelace, Ada", 101, work("a")),
               canvas("Byron, Bob", 102, work("b"), late=True),
               canvas_text("Byron, Cyd", 103, b"<p>my answer"),
               canvas("", 0, work("x"), anonymous="aB3xZ"),
               canvas("o_brien, Eve", 104, work("e")),
               students=table({"id": "eve", "first_name": "Eve", "last_name": "O_Brien",
                               "lms_user_id": "104"}))
    assert owners(found) == {"ada": "a", "bob": "b", "eve": "e"}
    assert not found.taken["ada"].late and found.taken["bob"].late
    assert refused(found, "anon_aB3xZ", "anonymously")
    assert found.taken["cyd"].remarks == ["handed in, not a notebook: text.html"]


def test_a_files_own_name_that_looks_like_another_student_is_not_taken(tmp_path):
    hostile = {"byronbob_102_9_attention.ipynb": work("a")["attention.ipynb"]}
    found = of(tmp_path, canvas("Lovelace, Ada", 101, hostile),
               canvas("Byron, Cyd", 103, work("c")))
    assert owners(found) == {"cyd": "c"} and refused(found, "could be ada or bob")


def test_a_name_on_canvas_that_holds_another_students_number_is_not_taken(tmp_path):
    """Canvas makes byronbob_102_9_x of this name."""
    found = of(tmp_path, canvas("byronbob__102___9__x", 101, work("a")))
    assert any("byronbob_102_9_x_101_" in line for line in found.refused)
    assert not found.taken and refused(found, "could be ada or bob")


@pytest.mark.parametrize("file, name", [("x_102_5_attention.ipynb", "Hide, Jack"),
                                        ("attention.ipynb", "x__102__5"),
                                        ("attention.ipynb", "bob_102")])
def test_who_is_not_in_the_table_cannot_write_another_students_number(tmp_path, file, name):
    """The person's own number, 999, names nobody; what was left was the one of the file's name."""
    hostile = canvas(name, 999, {file: work("x")["attention.ipynb"]}, first=9500)
    found = of(tmp_path, hostile)
    assert not found.taken and refused(found, "could be bob's by a number in it")
    found = of(tmp_path, hostile, canvas("Byron, Bob", 102, work("b")))
    assert owners(found) == {"bob": "b"}


def test_a_group_of_the_roster_may_hand_in_a_file_that_begins_with_a_number(tmp_path):
    reds = Students.of(PEOPLE)
    reds.groups["thereds3"] = ["ada", "bob"]
    numbered = {"7_attention.ipynb": work("r")["attention.ipynb"]}
    found = of(tmp_path, canvas("The Reds 3", 102, numbered), students=reds)
    assert owners(found) == {"bob": "r"}


def test_a_files_own_name_may_begin_with_numbers(tmp_path):
    hostile = {"7_attention.ipynb": work("a")["attention.ipynb"]}
    assert owners(of(tmp_path, canvas("Lovelace, Ada", 101, hostile))) == {"ada": "a"}


def test_two_readings_that_name_two_students_are_not_taken(tmp_path):
    found = of(tmp_path, canvas("Lovelace, Ada", 101, {"7_attention.ipynb": b"{}"}, first=102),
               students=Students.of([{"id": "ada", "lms_user_id": "101"},
                                     {"id": "bob", "lms_user_id": "102"}]))
    assert not found.taken and refused(found, "could be ada or bob")


@pytest.mark.parametrize("name, number, said", [
    ("Byron, Bob", 101, "number 101 is ada's, the name is bob's"),
    ("Lovelace, Ada", 999, "the name is ada's, the number is not")])
def test_a_name_and_a_number_of_two_people_are_not_taken(tmp_path, name, number, said):
    found = of(tmp_path, canvas(name, number, work("x")))
    assert not found.taken and refused(found, said)


def test_a_group_on_canvas_is_told_by_the_number_of_who_handed_in(tmp_path):
    found = of(tmp_path, canvas("The Reds 3", 102, work("r")))
    assert owners(found) == {"bob": "r"}


# Moodle

@pytest.mark.parametrize("flat", [False, True])
def test_moodles_number_is_not_the_students(tmp_path, flat):
    """Participant 101 of this assignment is Bob; 101 is also Ada's number on the platform."""
    found = of(tmp_path, moodle("Bob Byron", 101, work("b"), flat))
    assert owners(found) == {"bob": "b"}
    assert bool(found.notes) == flat  # one of two files of equal name is lost there


def test_the_worksheet_says_whose_a_number_is(tmp_path):
    twins = table({"id": "ada2", "first_name": "Ada", "last_name": "Lovelace",
                   "email": "al2@example.org"})
    parts = [moodle("Ada Lovelace", 17, work("first")), moodle("Ada Lovelace", 18, work("second"))]
    found = of(tmp_path, *parts, students=twins)
    assert not found.taken
    assert refused(found, "2 students in the table are called Ada Lovelace: ada, ada2")
    sheet = tmp_path / "grades.csv"
    sheet.write_text(worksheet({17: ("Ada Lovelace", "al2@example.org"),
                                18: ("Ada Lovelace", "ada@example.org")}))
    found = of(tmp_path, *parts, students=twins, worksheet=Worksheet.in_file(sheet))
    assert owners(found) == {"ada2": "first", "ada": "second"}


def test_the_worksheet_of_another_assignment_is_noticed(tmp_path):
    sheet = tmp_path / "grades.csv"
    sheet.write_text(worksheet({17: ("Bob Byron", "bob@example.org")}))
    found = of(tmp_path, moodle("Ada Lovelace", 17, work("a")),
               moodle("Cyd Byron", 18, work("c")), worksheet=Worksheet.in_file(sheet))
    assert not found.taken
    assert refused(found, "e-mail bob@example.org is bob's, the name is ada's")
    assert refused(found, "participant 18 is not in the worksheet")


def test_a_file_that_is_no_worksheet_is_refused(tmp_path):
    (tmp_path / "x.csv").write_text("id,name\nada,Ada\n")
    with pytest.raises(BadWorksheet, match="no line begins with a participant"):
        Worksheet.in_file(tmp_path / "x.csv")


def test_blind_marking_and_online_text(tmp_path):
    parts = [moodle("Participant", 24, work("b")),
             moodle("Ada Lovelace", 15, {"onlinetext.html": b"<p>text"}, plugin="onlinetext")]
    found = of(tmp_path, *parts)
    assert refused(found, "Participant_24", "marked blind")
    assert found.taken["ada"].remarks == ["handed in, not a notebook: onlinetext.html"]
    sheet = tmp_path / "grades.csv"
    sheet.write_text(worksheet({24: ("Bob Byron", "bob@example.org"),
                                15: ("Ada Lovelace", "ada@example.org")}))
    found = of(tmp_path, *parts, worksheet=Worksheet.in_file(sheet))
    assert found.taken["bob"].has_notebook


def test_two_people_with_the_name_of_one_student_are_not_taken(tmp_path):
    """One of them is not in the table."""
    found = of(tmp_path, moodle("Ada Lovelace", 17, work("1")),
               moodle("Ada Lovelace", 18, work("2")), moodle("Bob Byron", 19, work("b")))
    assert owners(found) == {"bob": "b"}
    assert refused(found, "two people on the platform have the name of ada (17, 18)")


def test_a_group_is_one_of_the_rosters(tmp_path):
    reds = Students.of(PEOPLE)
    reds.groups = {"reds": ["bob", "cyd"]}
    found = of(tmp_path, moodle("Reds", 4, work("r")),
               moodle("Default group", "", work("d")), students=reds)
    assert owners(found) == {"bob": "r"}
    assert refused(found, "Default group", "not in the table")


# Blackboard

@pytest.mark.parametrize("title", ["Homework 1", "kernel_attention", "HW_j"])
def test_a_login_may_hold_underscores(tmp_path, title):
    people = table({"id": "j_doe"}, {"id": "doe"})
    found = of(tmp_path, blackboard(title, "j_doe", "Jane Doe", AT, work("jane")),
               blackboard(title, "doe", "John Doe", AT, work("john")), students=people)
    assert owners(found) == {"j_doe": "jane", "doe": "john"}


def test_without_blackboards_text_a_login_that_could_be_two_is_not_taken(tmp_path):
    people = table({"id": "j_doe"}, {"id": "doe"})
    found = of(tmp_path, blackboard("HW", "j_doe", "Jane Doe", AT, work("j"), with_text=False),
               students=people)
    assert not found.taken and refused(found, "the login could be j_doe, doe")


def test_a_files_own_name_that_holds_an_attempt_is_not_read(tmp_path):
    hostile = {f"x_ada_attempt_{AT}_attention.ipynb": work("b")["attention.ipynb"],
               f"x_ada_attempt_{AT}.txt": b"Name: Ada Lovelace (ada)\n"}
    found = of(tmp_path, blackboard("Homework 1", "bob", "Bob (ada)", AT, hostile))
    assert owners(found) == {"bob": "b"}


def test_a_text_alone_is_handed_in(tmp_path):
    found = of(tmp_path, blackboard("HW", "ada", "Ada Lovelace", AT, {}, text="My answer."))
    assert found.taken["ada"].remarks == ["handed in, not a notebook: attempt.txt"]


def test_a_group_on_blackboard_is_one_of_the_rosters(tmp_path):
    reds = Students.of(PEOPLE)
    reds.groups = {"reds": ["bob", "cyd"]}
    found = of(tmp_path, blackboard("HW", "Reds", "Reds", AT, work("r")), students=reds)
    assert owners(found) == {"bob": "r"}


# Brightspace

WHEN = datetime(2026, 9, 24, 21, 26)


def test_two_people_of_one_name_on_brightspace_do_not_merge(tmp_path):
    parts = [brightspace("Ada Lovelace", 7, WHEN, work("1")),
             brightspace("Ada Lovelace", 8, WHEN, work("2")),
             brightspace("Bob Byron", 9, WHEN, work("b"))]
    found = of(tmp_path, *parts)
    assert owners(found) == {"bob": "b"} and refused(found, "two people", "ada")
    assert len(of(tmp_path, *parts, students=NOBODY).taken) == 3


@pytest.mark.parametrize("name", ["Ada Lovelace", "Lovelace Ada", "ada Ada Lovelace",
                                  "ada Lovelace"])
def test_brightspaces_names_with_and_without_a_login(tmp_path, name):
    found = of(tmp_path, brightspace(name, 7, WHEN, work("a")))
    assert owners(found) == {"ada": "a"}
    assert found.taken["ada"].when == WHEN.astimezone(found.taken["ada"].when.tzinfo)


def test_a_first_name_that_is_another_students_id_is_not_a_login(tmp_path):
    found = of(tmp_path, brightspace("Ada King", 7, WHEN, work("k")))
    assert not found.taken and refused(found, "Ada King is not in the table")


# Gradescope

def test_gradescopes_people_by_id_address_and_name(tmp_path):
    at = "2026-10-12 17:05:09.000000000 Z"
    found = of(tmp_path, gradescope([
        ([("Ada Lovelace", "ada", "a@example.org")], at, work("a")),
        ([("Cyd Byron", "", "unknown@example.org"), ("Bob B", "", "bob@example.org")], at,
         work("group"))]))
    assert owners(found) == {"ada": "a", "bob": "group", "cyd": "group"}


def test_the_name_of_a_classmate_with_another_address_is_not_enough(tmp_path):
    found = of(tmp_path, gradescope([([("Bob Byron", "", "mallory@example.org")],
                                      "2026-10-12 17:05:09 Z", work("m"))]))
    assert not found.taken and refused(found, "the name is bob's, the e-mail is not")


def test_another_account_with_a_students_id_does_not_take_their_place(tmp_path):
    """On Gradescope people write their own id; the address is the account's."""
    early, late = "2026-10-12 17:05:09 Z", "2026-10-13 17:05:09 Z"
    own = ([("Ada Lovelace", "ada", "ada@example.org")], early, work("a"))
    other = ([("Ada Lovelace", "ada", "mallory@example.org")], late, work("m"))
    found = of(tmp_path, gradescope([own, other]))
    assert owners(found) == {"ada": "a"} and refused(found, "known by more than a name")
    found = of(tmp_path, gradescope([other]))  # an address that the course does not know is shown
    assert "not e-mail: mallory@example.org" in found.taken["ada"].upload.how
    third = ([("Ada Lovelace", "ada", "")], late, work("t"))
    found = of(tmp_path, gradescope([own, third]))
    assert not found.taken and refused(found, "what only ada should have")


# Archives and folders of single students

@pytest.mark.parametrize("students, names", [(TABLE, {"ada"}), (NOBODY, {"ada_lovelace",
                                                                        "ada_king"})])
def test_half_a_name_is_nobodys(tmp_path, students, names):
    found = of(tmp_path, {"ada_lovelace_attention.ipynb": work("l")["attention.ipynb"],
                          "ada_king_attention.ipynb": work("k")["attention.ipynb"]},
               students=students)
    assert set(found.taken) == names


def test_among_several_archives_each_is_its_own_students(tmp_path):
    """Bob's looks like Canvas' export, Cyd's like Gradescope's, and another like a class."""
    made = [archive(tmp_path, "ada.zip", work("a")),
            archive(tmp_path, "bob.zip", canvas("Lovelace, Ada", 101, work("forged"))),
            archive(tmp_path, "cyd.zip", gradescope([([("Ada Lovelace", "ada", "")],
                                                      "2026-10-12 17:05:09 Z", work("forged"))])),
            archive(tmp_path, "final.zip", {f"ada/{k}": v for k, v in work("forged").items()})]
    for found in (collected(*made), collected(tmp_path)):
        assert owners(found) == {"ada": "a", "bob": "forged", "cyd": "forged"}
        assert refused(found, "final.zip", "collect it by itself")


def test_an_archive_named_alone_may_be_the_class(tmp_path):
    class_ = {f"{who}/{k}": v for who in ("ada", "bob") for k, v in work(who).items()}
    assert owners(of(tmp_path, class_)) == {"ada": "ada", "bob": "bob"}
    one = archive(tmp_path, "final.zip", {"bob/attention.ipynb": b"{}"})
    assert not collected(one).taken, "somebody's own archive, or a class of one?"


def test_what_a_student_packed_is_the_students(tmp_path):
    """Ada packs folders and files named after Bob, and a manifest."""
    hostile = {"bob/attention.ipynb": b"{}", "byronbob_102_1_attention.ipynb": b"{}",
               "submission_metadata.yml": b"bob:\n  :submitters:\n  - :sid: bob\n"}
    for made in (canvas("Lovelace, Ada", 101, {"work.zip": zipped(hostile)}),
                 moodle("Ada Lovelace", 17, hostile), moodle("Ada Lovelace", 17, hostile, True),
                 {f"ada/{k}": v for k, v in hostile.items()} | {"cyd/x.pdf": b"x"}):
        assert "bob" not in of(tmp_path, made).taken


def test_an_export_may_lie_beside_a_worksheet_or_a_list(tmp_path):
    (tmp_path / "grades.csv").write_text("x")
    archive(tmp_path, "export.zip", canvas("Lovelace, Ada", 101, work("a")))
    found = collected(tmp_path)
    assert owners(found) == {"ada": "a"} and not found.open and refused(found, "grades.csv")


def test_an_id_that_is_no_folder_is_not_taken(tmp_path):
    climbing = Students.of([{"id": "../x", "lms_user_id": "7"}])
    found = of(tmp_path, canvas("x", 7, work("x")), students=climbing)
    assert not found.taken and refused(found, "cannot be the name of a folder")


def test_a_folder_of_one_student(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada/attention.ipynb").write_bytes(work("a")["attention.ipynb"])
    assert owners(collected(tmp_path / "ada")) == {"ada": "a"}
