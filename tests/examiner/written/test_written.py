"""`viva written`: the rubric as data, answers in groups, and marks that nobody loses."""

import json

import pytest
import tornado.httpclient
import tornado.httpserver
import tornado.testing
from nbgrader.api import Gradebook

from viva_examiner.written.answers import grouped
from viva_examiner.written.app import Desk, application
from viva_examiner.written.marks import Conflict, Marks
from viva_examiner.written.rubric import Rubric, comment_of, read_comment, score_of
from written_course import ANSWERS, HOMEWORK, STAFF, write_course

RUBRIC = Rubric.read(STAFF["written_why"])


@pytest.fixture
def course(tmp_path, empty_gradebook):
    return write_course(tmp_path / "course", empty_gradebook)


@pytest.fixture
def desk(course):
    desk = Desk(course, HOMEWORK)
    yield desk
    desk.marks.close()


def test_the_rubric_is_read_from_the_staffs_cell():
    assert RUBRIC.answer == "Because $a<b$."
    assert [(item.points, item.says) for item in RUBRIC.items] == [
        (2, "it says *why*, in a sentence"), (1, "it names $a<b$")]
    other = Rubric.read(STAFF["written_how"])
    assert other.points == 2 and other.items[1].says == "an example"
    assert Rubric.read("only an answer").items == ()


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


def rows_of(desk, number, student):
    group = next(group for group in desk.question(number)["groups"]
                 if student in [row["student"] for row in group["rows"]])
    return [{"student": row["student"], "grade": row["grade"], "remark": row["remark"],
             "seen": {"score": row["score"], "comment": row["comment"]}} for row in group["rows"]]


def test_grading_a_group_writes_score_and_comment_and_nothing_else(course, desk):
    before = gradebook_of(course)
    desk.grade(0, rows_of(desk, 0, "ada"), [1.0, 0.0], "", None)
    after = gradebook_of(course)
    changed = {key for key in after if after[key] != before[key]}
    assert changed == {("ada", "written_why"), ("bob", "written_why")}
    assert after["ada", "written_why"][0] == 2.0 and not after["ada", "written_why"][2]
    assert desk.overview()[0]["waiting"] == len(ANSWERS) - 2


def test_undo_brings_back_what_was_there(course, desk):
    before, rows = gradebook_of(course), rows_of(desk, 0, "ada")
    desk.grade(0, rows, [1.0, 1.0], "fine", None)
    back = [row | {"score": old["seen"]["score"], "comment": old["seen"]["comment"]}
            for row, old in zip(rows_of(desk, 0, "ada"), rows, strict=True)]
    desk.restore(back)
    assert gradebook_of(course) == before


def test_of_two_tas_the_second_is_told_and_overwrites_nothing(course, desk):
    other = Desk(course, HOMEWORK)
    seen_by_both = rows_of(other, 0, "ada")
    desk.grade(0, rows_of(desk, 0, "ada"), [1.0, 1.0], "first", None)
    stands = gradebook_of(course)
    with pytest.raises(Conflict) as caught:
        other.grade(0, seen_by_both, [0.0, 0.0], "second", None)
    assert caught.value.students == ["ada", "bob"]
    assert gradebook_of(course) == stands
    other.grade(0, rows_of(other, 0, "ada"), [0.0, 1.0], "second", None)
    assert gradebook_of(course)["bob", "written_why"][0] == 1.0
    other.marks.close()


def test_a_conflict_in_one_answer_of_a_group_writes_none(course, desk):
    rows = rows_of(desk, 0, "ada")
    marks = Marks(course, HOMEWORK)
    marks.write([rows[1] | {"score": 0.5, "comment": "by formgrader"}])
    stands = gradebook_of(course)
    with pytest.raises(Conflict):
        desk.grade(0, rows, [1.0, 1.0], "", None)
    assert gradebook_of(course) == stands
    marks.close()


class OverHttp(tornado.testing.AsyncHTTPTestCase):
    """The page as a browser, and as somebody else on this machine, would ask for it."""

    @pytest.fixture(autouse=True)
    def graded_class(self, course):
        self.desk = Desk(course, HOMEWORK)
        yield
        self.desk.marks.close()

    def get_app(self):
        return application(self.desk, "the-token")

    def ask(self, path, **options):
        headers = options.pop("headers", {"X-Token": "the-token"})
        return self.fetch(path, headers=headers, **options)

    def test_nothing_without_the_token_or_under_another_name(self):
        assert self.ask("/api/questions", headers={}).code == 403
        assert self.ask("/?token=wrong", headers={}).code == 403
        assert self.ask("/api/questions", headers={"X-Token": "the-token",
                                                   "Host": "evil.example"}).code == 403
        assert self.ask("/?token=the-token", headers={}).code == 200

    def test_a_students_script_arrives_as_text(self):
        told = json.loads(self.ask("/api/questions/0").body)
        pages = [group["page"] for group in told["groups"]
                 if group["rows"][0]["student"] == "mallory"]
        assert "<script" not in pages[0] and "<img" not in pages[0] and "onerror" in pages[0]

    def test_a_grade_and_a_conflict(self):
        rows = rows_of(self.desk, 1, "cyd")
        body = json.dumps({"rows": rows, "shares": [1.0, 0.0], "words": "ok", "score": None})
        assert self.ask("/api/questions/1", method="POST", body=body).code == 200
        assert self.ask("/api/questions/1", method="POST", body=body).code == 409
        assert self.ask("/api/questions/9").code == 404

    def test_mathjax_is_local(self):
        assert self.ask("/mathjax/MathJax.js").code == 200
        assert b"http" not in self.ask("/?token=the-token").body
