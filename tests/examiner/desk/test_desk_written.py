"""The room of written answers over HTTP: marks, conflicts, and a rubric that changes."""

import pytest
import requests
from nbgrader.api import Gradebook

import written_course
from desk_server import desk
from viva_examiner.written.answers import questions_of
from viva_examiner.written.grading import WrittenGrading
from viva_examiner.written.reword import NoRubric, checked
from written_course import HOMEWORK

QUESTIONS = ("written", HOMEWORK, "questions")


@pytest.fixture
def course(tmp_path, empty_gradebook):
    return written_course.write_course(tmp_path / "course", empty_gradebook)


@pytest.fixture
def served(course):
    with desk(course, "--as", "tina", command=("written", HOMEWORK)) as served:
        yield served


def question(served, number=0) -> dict:
    return served.get(*QUESTIONS, str(number)).json()


def rows(told: dict, student: str) -> list[dict]:
    return [{"student": row["student"], "seen": row["seen"]} for unit in told["units"]
            for row in unit["rows"] if row["student"] == student]


def tick(served, student, shares, number=0, **more):
    told = question(served, number)
    return served.post(*QUESTIONS, str(number), json={
        "rows": rows(told, student), "shares": shares, "words": "", "score": None,
        "rubric": told["rubric"]} | more)


def score(course, student, cell="written_why"):
    with Gradebook(course.db_url, "w") as book:
        return book.find_grade(cell, HOMEWORK, HOMEWORK, student).manual_score


def test_the_command_opens_the_desk_at_this_room(served):
    assert f"/desk/written/{HOMEWORK}?token=" in served.address
    page = served.browser.get(served.address).text
    assert 'id="words"' in page and 'src="/static/viva_desk/written.js' in page


def test_nothing_without_the_token(served):
    for path in (QUESTIONS, (*QUESTIONS, "0")):
        assert requests.get(served.at(*path), allow_redirects=False).status_code in (302, 403)
    without = served.browser.post(served.at(*QUESTIONS, "0"), json={"undo": []})
    assert without.status_code == 403  # no word of ours came with it


def test_a_students_script_arrives_as_text(served):
    pages = [unit["page"] for unit in question(served)["units"]
             if unit["rows"][0]["student"] == "mallory"]
    assert "<script" not in pages[0] and "<img" not in pages[0] and "onerror" in pages[0]


def test_a_grade_a_conflict_and_a_refusal(course, served):
    told = question(served, 1)
    sent = {"rows": rows(told, "cyd"), "shares": [1.0, 0.0], "words": "ok", "score": None,
            "rubric": told["rubric"]}
    assert served.post(*QUESTIONS, "1", json=sent).status_code == 200
    assert score(course, "cyd", "written_how") == 1.0
    late = served.post(*QUESTIONS, "1", json=sent)
    assert late.status_code == 409 and late.json()["stands"][0]["seen"]["score"] == 1.0
    history = served.get(*QUESTIONS, "1", "history?student=cyd").json()["lines"]
    assert len(history) == 1 and "tina" in history[0] and "no mark to 1" in history[0]
    refused = served.post(*QUESTIONS, "1", json=sent | {"shares": None, "score": 99})
    assert refused.status_code == 400 and "between 0 and 2" in refused.json()["why"]
    assert served.post(*QUESTIONS, "1", json={"rows": 3}).status_code == 400
    assert served.get(*QUESTIONS, "9").status_code == 404


def test_a_comment_can_be_used_again_at_another_question(served):
    assert tick(served, "cyd", [0.0, 0.0], words="See the lecture").status_code == 200
    assert question(served, 1)["comments"] == ["See the lecture"]


def test_an_answer_like_another_shows_what_differs(course):
    start = ("Each row of the matrix sums to one, no weight is negative, so what comes out is an "
             "average of the values; an average lies between the least and the greatest of them, ")
    texts = {"ada": f"{start}for every row of the matrix.",
             "bob": f"{start}for each row of the matrix."}
    for student, text in texts.items():
        path = course.root / "autograded" / student / HOMEWORK / f"{HOMEWORK}.ipynb"
        path.write_text(written_course.notebook({name: text for name in written_course.QUESTIONS}))
    own = WrittenGrading(course, HOMEWORK)
    near = [unit["near"] for unit in own.question(0)["units"] if unit["near"]]
    own.close()
    assert len(near) == 1 and "<del>every</del><ins>each</ins>" in near[0]


def test_a_reworded_rubric_is_written_to_the_staffs_cell_and_rescores(course, served):
    assert tick(served, "ada", [1.0, 0.0]).status_code == 200
    assert score(course, "ada") == 2.0
    told = question(served)
    items = [{"was": 0, "points": 1, "says": "a reason, whatever it is"},
             {"was": 1, "points": 1, "says": told["items"][1]["source"]},
             {"was": None, "points": 0.5, "says": "a whole sentence"}]
    stale = served.post(*QUESTIONS, "0", "rubric", json={"rubric": "old", "items": items})
    assert stale.status_code == 400
    done = served.post(*QUESTIONS, "0", "rubric",
                       json={"rubric": told["rubric"], "items": items}).json()
    assert done["lines"] == ["ada, written_why: 2 to 1"] and score(course, "ada") == 1.0
    source = course.root / "source" / HOMEWORK / f"{HOMEWORK}.ipynb"
    assert [(item.points, item.says) for item in questions_of(source)[0].rubric.items] == [
        (1, "a reason, whatever it is"), (1, "it names $a<b$"), (0.5, "a whole sentence")]
    assert "Because $a<b$." in questions_of(source)[0].rubric.answer
    late = served.post(*QUESTIONS, "0", json={
        "rows": rows(told, "cyd"), "shares": [1.0, 0.0], "words": "", "score": None,
        "rubric": told["rubric"]})
    assert late.status_code == 400 and "changed the rubric" in late.json()["why"]
    history = served.get(*QUESTIONS, "0", "history?student=ada").json()["lines"]
    assert "the rubric has changed" in history[-1] and "graded by tina" in history[-1]


@pytest.mark.parametrize("items", [
    [], "x", [{}], [{"was": None, "points": 0, "says": "x"}],
    [{"was": None, "points": 4, "says": "x"}], [{"was": None, "points": 1, "says": " "}],
    [{"was": 7, "points": 1, "says": "x"}], [{"was": None, "points": "nan", "says": "x"}],
    [{"was": 0, "points": 1, "says": "x"}, {"was": 0, "points": 1, "says": "y"}]])
def test_what_is_no_rubric_is_refused(items):
    with pytest.raises(NoRubric):
        checked(items, 3.0, 2)
