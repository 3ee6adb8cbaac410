"""`viva written`: the rubric as data, answers in groups, and marks that nobody loses."""

import pytest
from nbgrader.api import Gradebook

from viva_examiner.cli import main
from viva_examiner.gradebook import class_roster
from viva_examiner.gradebook.by_hand import Conflict, grader
from viva_examiner.gradebook.ledger_words import in_words
from viva_examiner.gradebook.standing import UNGRADED, of_submission
from viva_examiner.written import rescore
from viva_examiner.written.answers import difference, grouped
from viva_examiner.written.grading import InvalidMark, WrittenGrading
from viva_examiner.written.rubric import WrittenRubric, comment_of, read_comment, score_of
from written_course import ANSWERS, HOMEWORK, QUESTIONS, STAFF, notebook, write_course

RUBRIC = WrittenRubric.read(STAFF["written_why"])


@pytest.fixture
def course(tmp_path, empty_gradebook):
    return write_course(tmp_path / "course", empty_gradebook)


@pytest.fixture
def desk(course):
    desk = WrittenGrading(course, HOMEWORK)
    yield desk
    desk.close()


def test_the_rubric_is_read_from_the_staffs_cell():
    assert RUBRIC.answer == "Because $a<b$."
    assert [(item.points, item.says) for item in RUBRIC.items] == [
        (2, "it says *why*, in a sentence"), (1, "it names $a<b$")]
    other = WrittenRubric.read(STAFF["written_how"])
    assert other.points == 2 and other.items[1].says == "an example"
    assert WrittenRubric.read("only an answer").items == ()


def test_what_was_ticked_is_kept_in_the_comment_and_read_back():
    comment = comment_of(RUBRIC, [1.0, 0.5], "Almost.")
    assert comment == ("- ☑ 2: it says *why*, in a sentence\n- ◪ 1: it names $a<b$\n\nAlmost.")
    assert read_comment(RUBRIC, comment) == ([1.0, 0.5], "Almost.")
    assert score_of(RUBRIC, [1.0, 0.5], 3) == 2.5 and score_of(RUBRIC, [1.0, 1.0], 2) == 2


def test_a_comment_of_formgrader_and_ticks_of_an_older_rubric_are_kept():
    assert read_comment(RUBRIC, "Well done") == (None, "Well done")
    old = "- ☑ 1: an item that is gone\n- ☑ 1: it names $a<b$"
    assert read_comment(RUBRIC, old) == ([0.0, 1.0], "- ☑ 1: an item that is gone")


def test_equal_answers_stand_together_and_empty_ones_first():
    groups = grouped(ANSWERS)
    assert groups[0].is_empty and groups[0].students == ["dan", "eve"]
    assert groups[1].students == ["ada", "bob"]
    near = grouped({"a": "one two three four five six seven eight nine ten",
                    "b": "something else",
                    "c": "b one two three four five six seven eight nine"
                    " ten", "d": "something else"})
    assert [group.students for group in near] == [["b", "d"], ["a"], ["c"]]


def gradebook_of(course) -> dict:
    with Gradebook(course.db_url, "w") as book:
        found = {}
        for submission in book.assignment_submissions(HOMEWORK):
            for grade in submission.notebooks[0].grades:
                comment = book.find_comment(grade.cell.name, HOMEWORK, HOMEWORK,
                                            submission.student.id)
                found[submission.student.id, grade.cell.name] = (
                    grade.manual_score, comment.manual_comment, grade.needs_manual_grade)
        return found


def unit_of(desk, number, student):
    return next(unit for unit in desk.question(number)["units"]
                if student in [row["student"] for row in unit["rows"]])


def rows_of(desk, number, student):
    return unit_of(desk, number, student)["rows"]


def by_formgrader(course, student, score, comment=None, question="written_why"):
    """What formgrader writes when a TA grades a cell there."""
    with Gradebook(course.db_url, "w") as book:
        grade = book.find_grade(question, HOMEWORK, HOMEWORK, student)
        grade.manual_score, grade.needs_manual_grade = score, score is None
        if comment is not None:
            book.find_comment(question, HOMEWORK, HOMEWORK, student).manual_comment = comment
        book.db.commit()


def hand_in_again(course, student, text):
    path = course.root / "autograded" / student / HOMEWORK / f"{HOMEWORK}.ipynb"
    path.write_text(notebook({name: text for name in QUESTIONS}))


def test_grading_a_group_writes_score_and_comment_and_nothing_else(course, desk):
    before = gradebook_of(course)
    desk.grade(0, rows_of(desk, 0, "ada"), [1.0, 0.0], "", None)
    after = gradebook_of(course)
    changed = {key for key in after if after[key] != before[key]}
    assert changed == {("ada", "written_why"), ("bob", "written_why")}
    assert after["ada", "written_why"][0] == 2.0 and not after["ada", "written_why"][2]
    assert desk.overview()[0]["waiting"] == len(ANSWERS) - 2


def test_every_mark_is_an_entry_with_author_items_comment_and_text(course, desk):
    desk.me = "tina"
    desk.grade(0, rows_of(desk, 0, "cyd"), [1.0, 0.5], "Almost.", None)
    entry, = desk.entries(0, "cyd")
    assert (entry.kind, entry.author, entry.cell) == ("mark", "tina", "written_why")
    payload = entry.payload
    assert payload["before"] == {"score": None, "comment": ""} and payload["score"] == 2.5
    assert [item["share"] for item in payload["items"]] == [1.0, 0.5]
    assert payload["answer"] == ANSWERS["cyd"] and "Almost." in payload["comment"]
    assert desk.overview()[0]["by"] == {"tina": 1}
    unit, = [unit for unit in desk.question(0)["units"] if not unit["waits"]]
    assert unit["rows"][0]["graded_by"].startswith("tina, 20")


def test_a_group_is_saved_for_the_rows_that_wait_and_says_what_stands(course, desk):
    """Nineteen equal answers, eighteen graded, one of them with another TA's comment."""
    by_formgrader(course, "ada", 2.5, "another TA's words")
    unit = unit_of(desk, 0, "bob")
    assert [row["student"] for row in unit["rows"]] == ["bob"] and unit["waits"]
    assert [(other["score"], other["count"], other["by"], other["words"])
            for other in unit["others"]] == [(2.5, 1, ["formgrader"], "another TA's words")]
    desk.grade(0, unit["rows"], [0.0, 0.0], "", None)
    marks = gradebook_of(course)
    assert marks["ada", "written_why"][:2] == (2.5, "another TA's words")
    assert marks["bob", "written_why"][0] == 0.0


def test_a_mark_that_stands_is_changed_on_purpose_only(course, desk):
    desk.grade(0, rows_of(desk, 0, "ada"), [1.0, 1.0], "", None)
    rows = rows_of(desk, 0, "ada")
    with pytest.raises(Conflict):
        desk.grade(0, rows, [0.0, 0.0], "", None)
    assert gradebook_of(course)["ada", "written_why"][0] == 3.0
    desk.grade(0, rows, [0.0, 0.0], "", None, standing=True)
    assert gradebook_of(course)["ada", "written_why"][0] == 0.0


def test_undo_brings_back_what_was_there_and_is_an_entry(course, desk):
    before = gradebook_of(course)
    desk.grade(0, rows_of(desk, 0, "ada"), [1.0, 1.0], "fine", None)
    desk.grade(0, rows_of(desk, 0, "ada"), [1.0, 0.0], "", None, standing=True)
    desk.undo(0, rows_of(desk, 0, "ada"))
    assert gradebook_of(course)["ada", "written_why"][0] == 3.0
    desk.undo(0, rows_of(desk, 0, "ada"))
    assert gradebook_of(course) == before
    assert [entry.kind for entry in desk.entries(0, "ada")] == ["mark", "mark", "undo", "undo"]
    assert "undone" in in_words(desk.entries(0, "ada")[-1])


def test_of_two_tas_the_second_is_told_and_overwrites_nothing(course, desk):
    other = WrittenGrading(course, HOMEWORK, "second")
    seen_by_both = rows_of(other, 0, "ada")
    desk.me = "first"
    desk.grade(0, rows_of(desk, 0, "ada"), [1.0, 1.0], "mine", None)
    stands = gradebook_of(course)
    for on_purpose in (False, True):
        with pytest.raises(Conflict) as caught:
            other.grade(0, seen_by_both, [0.0, 0.0], "second", None, on_purpose)
    assert caught.value.students == ["ada", "bob"]
    assert gradebook_of(course) == stands
    shown = other.standing(0, caught.value.students)
    assert [(row["seen"]["score"], row["words"]) for row in shown] == [(3.0, "mine")] * 2
    assert all(row["graded_by"].startswith("first") for row in shown)
    other.close()


def test_a_mark_that_was_given_and_taken_back_meanwhile_is_a_conflict_too(course, desk):
    rows = rows_of(desk, 0, "cyd")
    other = WrittenGrading(course, HOMEWORK)
    other.grade(0, rows_of(other, 0, "cyd"), [1.0, 1.0], "", None)
    other.undo(0, rows_of(other, 0, "cyd"))
    with pytest.raises(Conflict):
        desk.grade(0, rows, [0.0, 0.0], "", None)
    other.close()


def test_a_conflict_in_one_answer_of_a_group_writes_none(course, desk):
    rows = rows_of(desk, 0, "ada")
    by_formgrader(course, "bob", 0.5, "by formgrader")
    stands = gradebook_of(course)
    with pytest.raises(Conflict):
        desk.grade(0, rows, [1.0, 1.0], "", None)
    assert gradebook_of(course) == stands
    assert not desk.entries(0, "ada")


def test_a_new_text_waits_again_and_shows_the_old_mark_and_the_difference(course, desk):
    desk.grade(0, rows_of(desk, 0, "cyd"), [1.0, 0.0], "", None)
    hand_in_again(course, "cyd", "No good <b>idea</b>.")
    unit = unit_of(desk, 0, "cyd")
    assert unit["waits"] and unit["score"] == 2.0
    assert unit["earlier"] == ("No <del>idea.</del><ins>good &lt;b&gt;idea&lt;/b&gt;.</ins>")
    with Gradebook(course.db_url, "w") as book:
        standing = of_submission(book.find_submission(HOMEWORK, "cyd"))
    assert standing.score is None and UNGRADED in standing.note
    desk.grade(0, unit["rows"], [1.0, 1.0], "", None)
    assert not unit_of(desk, 0, "cyd")["waits"]
    assert [entry.kind for entry in desk.entries(0, "cyd")] == ["mark", "changed", "mark"]


def test_another_spacing_is_no_new_text(course, desk):
    desk.grade(0, rows_of(desk, 0, "cyd"), [1.0, 0.0], "", None)
    hand_in_again(course, "cyd", "no  idea")
    assert not unit_of(desk, 0, "cyd")["waits"]


def test_who_saw_the_old_text_grades_nothing(course, desk):
    rows = rows_of(desk, 0, "cyd")
    hand_in_again(course, "cyd", "Another answer.")
    with pytest.raises(Conflict):
        desk.grade(0, rows, [1.0, 1.0], "", None)


def test_a_mark_of_formgrader_is_noticed_with_its_text(course, desk):
    by_formgrader(course, "cyd", 1.0, "ok")
    desk.question(0)
    entry, = desk.entries(0, "cyd")
    assert (entry.author, entry.payload["score"], entry.payload["answer"]) == (
        "formgrader", 1.0, ANSWERS["cyd"])
    hand_in_again(course, "cyd", "Another answer.")
    assert unit_of(desk, 0, "cyd")["waits"]
    by_formgrader(course, "cyd", 1.0)  # the same mark again, for the new text
    assert not unit_of(desk, 0, "cyd")["waits"]
    assert [entry.kind for entry in desk.entries(0, "cyd")] == ["mark", "changed", "mark"]
    by_formgrader(course, "cyd", None, "")
    assert unit_of(desk, 0, "cyd")["waits"]
    assert desk.entries(0, "cyd")[-1].payload["score"] is None


def test_a_score_that_the_question_cannot_have_is_refused(course, desk):
    for shares, score in ((None, 4.0), (None, -1.0), (None, None), ([1.0], None),
                          ([1.0, 7.0], None)):
        with pytest.raises(InvalidMark):
            desk.grade(0, rows_of(desk, 0, "cyd"), shares, "", score)
    assert gradebook_of(course)["cyd", "written_why"][0] is None


def test_everybody_sees_what_is_theirs_and_what_is_nobodys(course, desk):
    (course.root / "roster.csv").write_text(
        "student,homework,grader\n*,essays,written_why=tina\ncyd,*,bob\n")
    tina, bob = (WrittenGrading(course, HOMEWORK, who) for who in ("tina", "bob"))
    shown = {desk.me: [{row["student"] for unit in desk.question(number)["units"]
                        for row in unit["rows"]} for number in (0, 1)] for desk in (tina, bob)}
    assert shown == {"tina": [set(ANSWERS) - {"cyd"}] * 2, "bob": [{"cyd"}, set(ANSWERS)]}
    every = WrittenGrading(course, HOMEWORK, "bob", everything=True)
    assert every.overview()[0]["all"] == len(ANSWERS)
    tina.close()
    bob.close()


def change_rubric(course, old, new):
    path = course.root / "source" / HOMEWORK / f"{HOMEWORK}.ipynb"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_rubric_that_has_changed_rescores_what_was_ticked_after_a_dry_run(course, desk):
    desk.me = "tina"
    desk.grade(0, rows_of(desk, 0, "ada"), [1.0, 0.0], "Good.", None)
    desk.grade(0, rows_of(desk, 0, "cyd"), [0.0, 1.0], "", None)
    by_formgrader(course, "mallory", 1.5, "no items here")
    change_rubric(course, "- 2: it says *why*", "- 1.5: it says *why*")
    change_rubric(course, "- 1: it names $a<b$", "- 1: it names that $a<b$\\n- 0.5: an example")
    later = WrittenGrading(course, HOMEWORK, "bob")
    before = gradebook_of(course)
    assert rescore.lines(rescore.rescored(later, 0)) == [
        "ada, written_why: 2 to 1.5", "bob, written_why: 2 to 1.5",
        "1 more have other items and the same mark"]
    assert gradebook_of(course) == before, "a dry run writes nothing"
    rescore.rescore(later, 0)
    marks = gradebook_of(course)
    assert marks["ada", "written_why"][0] == 1.5 and "Good." in marks["ada", "written_why"][1]
    assert marks["mallory", "written_why"][0] == 1.5
    assert not rescore.rescored(later, 0)
    entry = later.entries(0, "ada")[-1]
    assert (entry.author, grader(entry)) == ("bob", "tina")
    assert later.overview()[0]["by"] == {"tina": 3, "formgrader": 1}
    later.close()


def test_differences_are_escaped():
    assert difference("a <b> c", "a <i> c") == "a <del>&lt;b&gt;</del><ins>&lt;i&gt;</ins> c"


def test_history_and_rescoring_in_a_terminal(course, desk, monkeypatch, capsys):
    desk.me = "tina"
    desk.grade(0, rows_of(desk, 0, "cyd"), [1.0, 0.5], "Almost.", None)
    monkeypatch.chdir(course.root)
    assert main(["history", HOMEWORK, "cyd"]) == 0
    line, = capsys.readouterr().out.splitlines()
    assert "tina: written_why: no mark to 2.5 [2 of 2 items] · comment: " in line
    assert main(["history", HOMEWORK, "ada"]) == 0
    assert "Nobody has given ada a mark by hand" in capsys.readouterr().out

    change_rubric(course, "- 2: it says *why*", "- 1: it says *why*")
    assert main(["written", HOMEWORK, "--rescore"]) == 0
    assert "1 mark would change" in capsys.readouterr().out
    assert gradebook_of(course)["cyd", "written_why"][0] == 2.5
    assert main(["written", HOMEWORK, "--rescore", "--yes"]) == 0
    assert "cyd, written_why: 2.5 to 1.5" in capsys.readouterr().out
    assert gradebook_of(course)["cyd", "written_why"][0] == 1.5
    assert main(["written", HOMEWORK, "--rescore"]) == 0
    assert "Every mark" in capsys.readouterr().out


def test_the_roster_says_who_grades_what(course, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    for words in (["*", HOMEWORK, "--grader", "tina"], ["ada", "--grader", "bob"],
                  ["*", HOMEWORK, "--grader", "tom", "--question", "written_how"]):
        assert main(["roster", *words]) == 0
    assert "everybody, essays: tina grades the written answers, tom grades written_how" in (
        capsys.readouterr().out)
    found = class_roster.read(course)
    assert [found.grader(who, HOMEWORK, cell) for who in ("cyd", "ada")
            for cell in ("written_why", "written_how")] == ["tina", "tom", "bob", "bob"]
    assert main(["roster", "ada", "--question", "written_how"]) == 2
