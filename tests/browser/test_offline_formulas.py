"""Formulas without a network or a script, in formgrader and in feedback."""

from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from lab import TOKEN
from marked_course import hand_in, write_course
from viva_examiner.cli import main

pytestmark = pytest.mark.browser


@pytest.fixture
def course(tmp_path, empty_gradebook):
    course = write_course(tmp_path / "course", empty_gradebook, ["ada"])
    hand_in(course, "one", "ada", 6.0, 4.0, answer=r"Because $\sqrt{x}$ grows.")
    return course


def test_formgrader_draws_formulas_without_a_network(course, serve, page, elsewhere):
    with Gradebook(course.db_url, "m") as gradebook:
        submission = gradebook.find_submission("one", "ada").notebooks[0].id
    address = serve(course.root)
    page.goto(f"{address}/lab?token={TOKEN}")  # signs in
    elsewhere.clear()  # JupyterLab itself may look for news
    page.goto(f"{address}/formgrader/submissions/{submission}")
    page.locator("math mfrac").first.wait_for()
    page.locator("math msqrt").first.wait_for()  # the student's own
    assert page.locator("script[src*=athJax]").count() == 0 and elsewhere == []


def test_feedback_draws_formulas_without_a_network_or_a_script(
        course, page, elsewhere, monkeypatch):
    monkeypatch.chdir(course.root)
    assert main(["feedback", "one"]) == 0
    page.goto((Path(course.path("feedback", "ada", "one")) / "one.html").as_uri())
    above, below = (page.locator("math mfrac > *").nth(number).bounding_box()
                    for number in (0, 1))
    assert above["y"] + above["height"] <= below["y"] + 1  # a fraction, not "ab"
    base, index = (page.locator("math msub > *").nth(number).bounding_box() for number in (0, 1))
    assert index["y"] + index["height"] > base["y"] + base["height"] + 1  # lowered, by the font
    assert page.evaluate("document.fonts.check('16px formulas')")
    assert page.locator("math msqrt").bounding_box()["height"] > 5
    assert page.locator("script").count() == 0 and elsewhere == []
