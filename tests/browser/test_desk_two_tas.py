"""Two TAs at once, each at their own desk: nothing is lost, and whoever comes second sees it."""

import contextlib
import json
from datetime import UTC, datetime

import pytest
from nbgrader.api import Gradebook

import marked_course
from desk_server import desk
from viva_examiner.desk import runs
from viva_examiner.gradebook import ledger, request_book, voce_results
from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.gradebook.request_intake import RequestFile, take_in
from viva_examiner.records import Graded, Kind, Mark, Remark
from viva_examiner.voce.sheet_page import kept_path

pytestmark = pytest.mark.browser
ASKED = {"key": "k1", "about": "train", "kind": "why", "words": "Why?", "call": "", "code": "",
         "options": [], "right": "", "why": "because", "good": "g", "partial": "p", "wrong": "w"}


@pytest.fixture
def course(tmp_path, empty_gradebook):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    said = {"because": "because it is right", "time": "2026-02-03T07:00:00Z"}
    file = json.dumps({"schema": "viva-request/1", "kit": "3", "homeworks": {
        "one": {"student": "x", "requests": {"test_sum": said}}}}).encode()
    for student in ("ada", "bob"):
        marked_course.hand_in(course, "one", student, 2.0, written=1.0)
        take_in(course, "one", {student: RequestFile(file, datetime(2026, 2, 3, 8, tzinfo=UTC))})
    marked_course.hand_in(course, "one", "cyd", 0.0, 1.0, look=True)
    path = course.root / "autograded" / "cyd" / "one" / "one.ipynb"
    record = Graded("cyd", "one", "one", "needs a look", {"test_sum": Mark(0.0, 6.0)},
                    remarks=(Remark(Kind.NO_NOTEBOOK, "an odd file"),))
    path.write_text(marked_course.notebook(**{RECORD: record.summary()}))
    kept = kept_path(course, "one", "ada")
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps({"how": "Drawn.", "notes": [], "questions": [ASKED]}))
    return course


@pytest.fixture
def both(course, chromium):
    """both(*room): the same room, open at Tina's desk and at Tom's."""
    with contextlib.ExitStack() as stack:
        opened = []
        for name in ("tina", "tom"):
            served = stack.enter_context(desk(course, "--as", name))
            context = chromium.new_context()
            stack.callback(context.close)
            page = context.new_page()
            page.goto(served.address)
            opened.append((served, page))

        def at(*room):
            for served, page in opened:
                page.goto(served.at(*room))
            return [page for _, page in opened]

        yield at


def answer(page, student, words, button, points="") -> None:
    form = page.get_by_role("article").filter(has=page.get_by_role("link", name=student))
    form.get_by_role("textbox").fill(words)
    if points:
        form.get_by_role("spinbutton").fill(points)
    form.get_by_role("button", name=button).click()


def mark(course, student):
    with Gradebook(course.db_url, "m") as book:
        return book.find_grade("test_sum", "one", "one", student).manual_score


def test_a_request_is_answered_once_and_the_second_keeps_the_words(course, both):
    tina, tom = both("requests", "one")
    answer(tina, "ada", "You are right.", "Accept: 6 points")
    tina.get_by_text("accepted by tina").wait_for()
    answer(tom, "ada", "No, read it again.", "Decline")
    told = tom.get_by_role("alert")
    told.wait_for()
    assert "accepted by tina" in told.inner_text() and "No, read it again." in told.inner_text()
    assert mark(course, "ada") == 6.0


def test_a_mark_that_changed_below_a_request_is_shown_before_it_is_changed_again(course, both):
    _, tom = both("requests", "one")
    with Gradebook(course.db_url, "m") as book:  # Tina, in formgrader
        grade = book.find_grade("test_sum", "one", "one", "bob")
        grade.manual_score = 5.0
        book.db.commit()
    answer(tom, "bob", "A little more.", "Correct", points="3")
    tom.get_by_text("somebody changed this mark").wait_for()
    assert mark(course, "bob") == 5.0
    article = tom.get_by_role("article").filter(has=tom.get_by_role("link", name="bob"))
    assert "Now 5 of 6 points, by hand" in article.inner_text()
    assert article.get_by_role("textbox").input_value() == "A little more."
    answer(tom, "bob", "A little more.", "Correct", points="5.5")
    tom.get_by_text("corrected by tom").wait_for()
    assert mark(course, "bob") == 5.5
    with request_book.opened(course, "one") as queue:
        assert [each.student for each in queue.waiting()] == ["ada"]


def test_a_second_run_is_not_started_and_says_whose_runs(course, both, monkeypatch):
    tina, tom = both("run", "one")
    monkeypatch.setitem(runs.KINDS, "wait", runs.DeskCommand("wait", ("desk", "--no-browser")))
    runs.start(course, "wait", "one", "tina")  # a command that lasts
    tom.get_by_role("button", name="Make feedback pages").click()
    told = tom.get_by_role("alert")
    told.wait_for()
    assert "is under way, started by tina" in told.inner_text()
    tom, tina = reversed(both("run", "one"))
    assert tom.get_by_role("button", name="Make feedback pages").is_disabled()
    tom.get_by_role("button", name="Stop").click()  # whoever sees it may stop it
    for page in (tom, tina):
        page.get_by_text("stopped; what was done is kept", exact=True).wait_for()
    assert runs.current(course).by == "tina"


def test_a_tick_of_the_viva_voce_does_not_cover_another(course, both):
    tina, tom = both("voce", "one", "ada")
    tina.get_by_label("right").check()
    tina.get_by_text("kept", exact=True).wait_for()
    tom.get_by_label("wrong").check()
    tom.get_by_text("tina ticked “right” meanwhile").wait_for()
    tom.get_by_label("partly").check()  # now on purpose
    tom.get_by_text("kept", exact=True).wait_for()
    with ledger.opened(course) as book:
        entries = book.entries(voce_results.KIND, homework="one", student="ada")
    assert [(each.author, each.payload["result"]) for each in entries] == [
        ("tina", "right"), ("tom", "partly")]


def test_who_has_looked_is_said_to_the_second(course, both):
    tina, tom = both("student", "cyd", "one")
    tina.get_by_label("Note for the ledger").fill("a PDF in disguise")
    tina.get_by_role("button", name="I have looked").click()
    tina.get_by_text("tina has looked").wait_for()
    tom.get_by_role("button", name="I have looked").click()
    tom.get_by_text("tina has looked already").wait_for()
    tina, tom = both("student", "cyd", "one")
    tom.get_by_text("a PDF in disguise").first.wait_for()
    for page in both("class", "one?only=look"):
        assert page.get_by_role("link", name="cyd").count() == 0
    with ledger.opened(course) as book:
        assert [each.author for each in book.entries(ledger.SEEN)] == ["tina"]
