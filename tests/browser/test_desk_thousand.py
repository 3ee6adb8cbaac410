"""A class of 1,000 at the desk: everybody is on one page, and scrolling makes nobody wait."""

import pytest

from desk_server import desk
from large_class import HOMEWORK, write_course

pytestmark = pytest.mark.browser
STUDENTS = 1_000
STEPS = 40  # from the top of the page to its end


@pytest.fixture(scope="module")
def served(tmp_path_factory, empty_gradebook):
    course = write_course(tmp_path_factory.mktemp("thousand") / "course", empty_gradebook,
                          STUDENTS, tests=4)
    with desk(course, "--as", "tina") as served:
        yield served


def laid_out(devtools) -> int:
    """How often the browser had to compute where things stand."""
    told = devtools.send("Performance.getMetrics")["metrics"]
    return int({each["name"]: each["value"] for each in told}["LayoutCount"])


def test_a_thousand_students_scroll_without_a_wait(served, page):
    """Nothing is fetched and nothing laid out again on the way: rows are there, as text is."""
    page.goto(served.address)
    page.goto(served.at("class", HOMEWORK))
    assert page.locator("table.class tbody tr").count() == STUDENTS
    assert page.locator("script").count() == 0
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    page.mouse.move(600, 500)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    height = page.evaluate("document.documentElement.scrollHeight")
    before = laid_out(devtools)
    for _ in range(STEPS):
        page.mouse.wheel(0, height / STEPS)
    page.wait_for_function("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
    last = page.get_by_role("link", name=f"s{STUDENTS - 1:04}", exact=True)
    assert last.evaluate("link => link.getBoundingClientRect().bottom <= innerHeight")
    assert asked == [] and laid_out(devtools) == before


def test_one_of_a_thousand_is_found_by_name_and_by_filter(served, page):
    page.goto(served.address)
    page.goto(served.at("class", f"{HOMEWORK}?only=written"))
    page.get_by_label("Find a student").fill("s0777")
    page.keyboard.press("Enter")
    page.wait_for_url("**find=s0777**")
    assert page.locator("table.class tbody tr").count() == 1
    assert "only=written" in page.url
