"""The page of `viva written` in Chromium, with two hundred students, by keyboard alone."""

import subprocess
import sys

import pytest
from nbgrader.api import Gradebook

from written_course import ANSWERS, HOMEWORK, write_course

pytestmark = pytest.mark.browser
CLASS = ANSWERS | {f"student{number:03}": f"Answer {number % 40}: because $a<b$, so it follows."
                   for number in range(194)}


@pytest.fixture
def course(tmp_path, empty_gradebook):
    return write_course(tmp_path / "course", empty_gradebook, CLASS)


@pytest.fixture
def address(course):
    """Where `viva written` serves the class, until the test is over."""
    words = [sys.executable, "-m", "viva_examiner.cli", "written", HOMEWORK, "--no-browser"]
    with subprocess.Popen(words, cwd=course.root, stdout=subprocess.PIPE, text=True) as server:
        yield server.stdout.readline().strip()
        server.terminate()


def scores(course, question="written_why") -> dict:
    with Gradebook(course.db_url, "w") as book:
        return {submission.student.id: grade.manual_score
                for submission in book.assignment_submissions(HOMEWORK)
                for grade in submission.notebooks[0].grades if grade.cell.name == question}


def test_a_ta_grades_by_keyboard_and_no_answer_runs(course, address, page, picture):
    page.goto(address)
    where = page.locator("#where")
    where.get_by_text("equal answers").wait_for()
    page.locator("#asks .MathJax").first.wait_for()  # formulas without a network
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
    page.keyboard.type("See the lecture")
    picture(page, "written")
    page.keyboard.press("Enter")
    page.get_by_text(f"1 of {total - 2}").wait_for()
    graded = [name for name, score in scores(course).items() if score == 2.5]
    assert len(graded) == 5  # a group of equal answers

    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.get_by_text(f"of {total - 1}").wait_for()
    assert 2.5 not in scores(course).values()

    for _ in range(total):  # look at every answer, the hostile one too
        page.keyboard.press("n")
    page.get_by_text("onerror").wait_for() if page.get_by_text("onerror").count() else None
    assert page.title() == "Written answers"


def test_somebody_elses_grade_is_shown_and_kept(course, address, page):
    page.goto(address)
    page.locator("#where").get_by_text("equal answers").wait_for()
    with Gradebook(course.db_url, "w") as book:  # formgrader, meanwhile
        grade = book.find_grade("written_why", HOMEWORK, HOMEWORK, "dan")
        grade.manual_score = 1.0
        book.db.commit()
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    page.get_by_text("Somebody else graded this answer").wait_for()
    assert scores(course)["dan"] == 1.0 and scores(course)["eve"] is None
