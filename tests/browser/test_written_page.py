"""The desk's room of written answers in Chromium, with two hundred students, by keyboard alone."""

import contextlib
import re
import subprocess
import sys
import time

import pytest
from nbgrader.api import Gradebook

import written_course
from written_course import ANSWERS, HOMEWORK, write_course

pytestmark = pytest.mark.browser
CLASS = ANSWERS | {f"student{number:03}": f"Answer {number % 40}: because $a<b$, so it follows."
                   for number in range(194)}


@pytest.fixture
def course(tmp_path, empty_gradebook):
    return write_course(tmp_path / "course", empty_gradebook, CLASS)


@contextlib.contextmanager
def served(course, *words):
    """Where `viva written` serves the class, until the block is over."""
    command = [sys.executable, "-m", "viva_examiner.cli", "written", HOMEWORK, "--no-browser"]
    with subprocess.Popen([*command, *words], cwd=course.root, stdout=subprocess.PIPE,
                          text=True) as server:
        yield server.stdout.readline().strip()
        server.terminate()


@pytest.fixture
def address(course):
    with served(course) as address:
        yield address


def scores(course, question="written_why") -> dict:
    with Gradebook(course.db_url, "w") as book:
        return {submission.student.id: grade.manual_score
                for submission in book.assignment_submissions(HOMEWORK)
                for grade in submission.notebooks[0].grades if grade.cell.name == question}


def test_a_ta_grades_by_keyboard_and_no_answer_runs(course, address, page, picture):
    page.goto(address)
    where = page.locator("#where")
    where.get_by_text("equal answers").wait_for()
    page.locator("#asks math").first.wait_for()  # formulas without a network
    total = int(where.inner_text().split(" of ")[1].split(",")[0])
    assert total == 1 + 1 + 1 + 1 + 40  # empty, ada and bob, cyd, mallory, forty kinds of answers
    assert "empty" in page.locator("#text").inner_text() and "student" not in where.inner_text()

    page.keyboard.press("0")
    page.keyboard.press("Enter")  # every empty answer at once
    page.get_by_text(f"1 of {total - 1}").wait_for()
    assert {scores(course)[name] for name in ("dan", "eve")} == {0.0}

    page.keyboard.press("Digit1")
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("c")
    page.keyboard.type("See the")
    page.keyboard.press("Enter")  # in the comment: a new line, as everywhere
    page.keyboard.type("lecture")
    assert page.locator("#words").input_value() == "See the\nlecture"
    picture(page, "written")
    page.keyboard.press("Control+Enter")
    page.get_by_text(f"1 of {total - 2}").wait_for()
    graded = [name for name, score in scores(course).items() if score == 2.5]
    assert len(graded) == 5  # a group of equal answers

    page.keyboard.press("u")
    page.get_by_text(f"of {total - 1}").wait_for()
    assert 2.5 not in scores(course).values()

    for _ in range(total):  # look at every answer, the hostile one too
        page.keyboard.press("n")
    page.get_by_text("onerror").wait_for() if page.get_by_text("onerror").count() else None
    assert page.title() == "essays: written answers · viva desk"


def test_somebody_elses_grade_is_shown_and_kept(course, address, page):
    page.goto(address)
    page.locator("#where").get_by_text("equal answers").wait_for()
    with Gradebook(course.db_url, "w") as book:  # formgrader, meanwhile
        grade = book.find_grade("written_why", HOMEWORK, HOMEWORK, "dan")
        grade.manual_score, grade.needs_manual_grade = 1.0, False
        book.db.commit()
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    page.get_by_text("Nothing was saved: somebody else graded this answer").wait_for()
    assert scores(course)["dan"] == 1.0 and scores(course)["eve"] is None
    stands = page.locator("#stands").inner_text()
    assert "1 equal answer with 1 points, by formgrader" in stands
    page.keyboard.press("Enter")  # for those that are left
    page.locator("#said:empty").wait_for(state="attached")
    assert scores(course)["dan"] == 1.0 and scores(course)["eve"] == 0.0


def test_two_tas_at_once_lose_no_mark_and_see_what_the_other_gave(course, chromium, page):
    with served(course, "--as", "tina") as hers, served(course, "--as", "tom") as his:
        other = chromium.new_context().new_page()
        page.goto(hers)
        other.goto(his)
        for each in (page, other):
            each.locator("#where").get_by_text("equal answers").wait_for()
        page.keyboard.press("a")
        page.keyboard.press("c")
        page.keyboard.type("Tina's words")
        page.keyboard.press("Control+Enter")
        page.get_by_text("graded by tina: 2").wait_for()
        other.keyboard.press("Digit2")
        other.keyboard.press("c")
        other.keyboard.type("Tom's words")
        other.keyboard.press("Control+Enter")
        other.get_by_text("Nothing was saved").wait_for()
        told = other.locator("#said").inner_text()
        assert "3 points by tina" in told and "Tina's words" in told
        assert {scores(course)[name] for name in ("dan", "eve")} == {3.0}
        other.close()


def test_a_mark_that_stands_needs_the_button_and_its_history_is_on_the_page(course, page):
    with served(course, "--as", "tina") as address:
        page.goto(address)
        page.locator("#where").get_by_text("equal answers").wait_for()
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        page.get_by_text("graded by tina: 2").wait_for()
        page.locator("#all").check()
        page.get_by_text("3 points stand, by tina").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("0")
        page.keyboard.press("Enter")
        page.get_by_text("A mark stands: the button changes it.").wait_for()
        assert scores(course)["dan"] == 3.0
        page.get_by_role("button", name="Change these 2 marks").click()
        page.locator("#where").get_by_text(re.compile("^2 of")).wait_for()
        assert scores(course)["dan"] == 0.0
        page.keyboard.press("p")
        page.locator("#history summary").click()
        page.get_by_text("3 to 0").first.wait_for()


def test_enter_in_a_focused_control_does_what_the_control_does(course, address, page):
    page.goto(address)
    page.locator("#where").get_by_text("equal answers").wait_for()
    for name in ("half", "Undo (u)"):
        page.get_by_role("button", name=name).first.focus()
        page.keyboard.press("Enter")
    page.locator("#items input").first.focus()
    page.keyboard.press("Enter")
    page.locator("#again").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    assert set(scores(course).values()) == {None}
    assert page.locator("#items li").first.get_attribute("data-share") == "0.5"


def test_a_class_of_200_with_four_questions_opens_within_a_second(
        tmp_path, empty_gradebook, monkeypatch, page):
    """Everybody's answer is another one: the most that the page can have to show."""
    for name in ("written_when", "written_where"):
        monkeypatch.setitem(written_course.QUESTIONS, name, 2.0)
        monkeypatch.setitem(written_course.STAFF, name, written_course.STAFF["written_how"])
    answers = {f"student{number:03}": f"Because of $x_{number}$, it follows." * 10
               for number in range(200)}
    course = write_course(tmp_path / "large", empty_gradebook, answers)
    with served(course) as address:
        page.goto(address)
        page.get_by_text("1 of 200").wait_for()
        took = []
        for _ in range(3):
            began = time.monotonic()
            page.reload()
            page.get_by_text("1 of 200").wait_for()
            took.append(time.monotonic() - began)
    assert min(took) < 1, took
