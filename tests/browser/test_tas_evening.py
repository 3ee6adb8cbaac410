"""A TA's evening: autograde from formgrader, read a submission, grade an answer, feedback."""

from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

import formgrader
from lab import TOKEN, WRONG
from repository import ROOT
from viva_examiner.course import Course
from viva_examiner.demo import cohort, play
from viva_examiner.release.releasing import release

HOMEWORK = "hand_design_transformer"
WORDS = "Only the QK circuit can be compared; bases of queries and keys are free."


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The course with one submission: a known mistake in stable_softmax, an answer in words."""
    course = play.prepare(Course(ROOT), tmp_path_factory.mktemp("evening") / "course")
    release(course, HOMEWORK)
    read = {room: nbformat.read(Path(course.path(room, ".", HOMEWORK)) / f"{HOMEWORK}.ipynb", 4)
            for room in ("source", "release")}
    written = {name: WORDS for name in cohort.solutions(read["source"]) if "written" in name}
    answers = cohort.solutions(read["source"]) | {"stable_softmax": WRONG} | written
    folder = Path(course.path("submitted", "ada", HOMEWORK))
    folder.mkdir(parents=True)
    nbformat.write(cohort.filled(read["release"], answers), folder / f"{HOMEWORK}.ipynb")
    return course


def press(page, cell: str, expected: str) -> None:
    """Click a button of the submissions page and wait for the word that it worked."""
    page.locator(f"td.{cell} a").first.click()
    page.get_by_text(expected).wait_for(timeout=600_000)  # a whole notebook runs


def framed(page, picture, name: str) -> None:
    """Keep a picture of the first test with its rubric, up to the next exercise."""
    page.locator(".viva-rubric").first.evaluate(
        "node => window.scrollTo(0, node.getBoundingClientRect().top + scrollY - 275)")
    height = page.get_by_role("heading", name="One attention head").bounding_box()["y"]
    picture(page, name, clip={"x": 0, "y": 0, "width": 1200, "height": height})


@pytest.mark.browser
def test_a_tas_evening(page, picture, serve, course):
    address = serve(course.root)
    submissions = f"{address}/formgrader/manage_submissions/{HOMEWORK}"
    page.goto(f"{address}/lab?token={TOKEN}")  # signs in
    page.goto(submissions)
    press(page, "autograde", "Successfully autograded")

    page.goto(f"{address}/formgrader/gradebook/{HOMEWORK}/{HOMEWORK}")
    page.get_by_text("Submission #1").click()
    rubric = page.locator(".viva-rubric").first
    rubric.wait_for()
    assert "Usual cause" in rubric.inner_text()
    page.get_by_text(WORDS).nth(2).wait_for()  # in all three written answers
    assert page.locator(".output_png img, .jp-RenderedImage img").count() > 0
    assert "Figure with" in page.locator("img[alt^='Figure with']").first.get_attribute("alt")
    framed(page, picture, "formgrader")

    cell = formgrader.give(page, 2)
    page.goto(submissions)
    press(page, "generate-feedback", "Successfully generated feedback")
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        assert gradebook.find_grade(cell, HOMEWORK, HOMEWORK, "ada").manual_score == 2
    feedback = course.root / "feedback" / "ada" / HOMEWORK / f"{HOMEWORK}.html"
    page.goto(feedback.as_uri())
    text = page.locator("body").inner_text()
    assert "Usual cause" in text and WORDS in text
    assert "examine(" not in text and "HIDDEN TESTS" not in text
    framed(page, picture, "feedback")
