"""Every page of the desk for everybody: axe finds no barrier, and every width is wide enough."""

import os
from datetime import timedelta

import pytest

import marked_course
from desk_server import desk
from viva_examiner.gradebook import roster
from viva_examiner.nbgrader_steps.feedback import make_feedback
from viva_examiner.report.page import write_report

pytestmark = pytest.mark.browser
ROOMS = {  # name of the picture: address
    "course": [""], "class": ["class", "one"], "student": ["student", "ada"],
    "account": ["student", "cyd", "one"], "written": ["written", "one"],
    "report": ["report", "one"], "similar": ["similar", "one"], "run": ["run", "one"],
    "requests": ["requests", "one"], "voce": ["voce", "one"], "lms": ["lms"],
    "told": ["class", "nothing"], "no-report": ["report", "two"],
}
WIDTHS = (360, 390, 1280, 1920)
PICTURES = {("class", 1280): "desk-class", ("account", 390): "desk-account-390"}  # of docs/ta.md


@pytest.fixture(scope="module")
def served(tmp_path_factory, empty_gradebook):
    course = marked_course.write_course(tmp_path_factory.mktemp("access") / "course",
                                        empty_gradebook, ["dan"])
    for number in range(12):
        marked_course.hand_in(course, "one", f"student{number:02}", number % 7, number % 5)
    marked_course.hand_in(course, "one", "ada", 6, 3, late=timedelta(days=2))
    marked_course.hand_in(course, "one", "bob", 5)
    marked_course.hand_in(course, "one", "cyd", 2, 1, look=True)
    marked_course.hand_in(course, "two", "ada", 6, 4)
    roster.change(course, lambda old: roster.Roster.of([
        *old.lines.values(), roster.Line("ada", "one", group="the evening")]))
    make_feedback(course, "one")
    marked_course.hand_in(course, "one", "ada", 6, 1, late=timedelta(days=2))
    write_report(course, "one")
    with desk(course, "--as", "tina") as served:
        yield served


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_barrier(served, chromium, barriers, scheme):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(served.address)
    for name, path in ROOMS.items():
        reply = page.goto(served.at(*path))
        assert reply.status == (404 if name == "told" else 200), name
        page.wait_for_load_state("networkidle")
        assert barriers(page) == [], name
    context.close()


def test_every_page_fits_from_a_telephone_to_a_wide_screen(served, chromium, picture):
    for width in WIDTHS:
        context = chromium.new_context(viewport={"width": width, "height": 900})
        page = context.new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda told: errors.append(told.text) if told.type == "error" else None)
        page.goto(served.address)
        for name, path in ROOMS.items():
            page.goto(served.at(*path))
            page.wait_for_load_state("networkidle")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{name} is {wide} wide on a screen of {width}"
            if (name, width) in PICTURES:
                picture(page, PICTURES[name, width])
            if folder := os.environ.get("VIVA_DESK_PICTURES"):  # to be looked at
                page.screenshot(path=f"{folder}/{name}-{width}.png")
        context.close()
        assert [each for each in errors if "404" not in str(each)] == []


def test_the_first_tab_leads_past_the_navigation(served, page):
    page.goto(served.address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the page"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
