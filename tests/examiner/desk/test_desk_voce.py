"""The room of the viva voce: questions, ticks that are kept in the ledger, and no mark changed."""

import json
import re

import pytest
from nbgrader.api import Gradebook

import marked_course
from desk_server import desk
from viva_examiner.cli import main
from viva_examiner.gradebook import voce_results
from viva_examiner.gradebook.ledger import Ledger
from viva_examiner.gradebook.results import Results
from viva_examiner.report.report_page import render
from viva_examiner.voce.sheet_page import kept_path

HOSTILE = "<script>alert(1)</script>"
ASKED = {"key": "k1", "about": "linear_attention", "kind": "now", "words": HOSTILE, "call": "f(2)",
         "code": f"  1  def f(x):\n  2      {HOSTILE}", "options": ["1", "2", "3", HOSTILE],
         "right": "b", "why": "it ran"}
WHY = {"key": "k2", "about": "train", "kind": "why", "words": "Why?", "call": "", "code": "",
       "options": [], "right": "", "why": "because", "good": "g", "partial": "p", "wrong": "w"}


@pytest.fixture(scope="module")
def course(tmp_path_factory, empty_gradebook):
    course = marked_course.write_course(tmp_path_factory.mktemp("voce") / "course",
                                        empty_gradebook, ["dan"])
    marked_course.hand_in(course, "one", "ada", 6, 3)
    path = kept_path(course, "one", "ada")
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"how": "Drawn.", "notes": [], "questions": [ASKED, WHY]}))
    return course


@pytest.fixture(scope="module")
def served(course):
    with desk(course, "--as", "tina") as served:
        yield served


def mark(course):
    with Gradebook(course.db_url, "m") as book:
        return next(each.standing.score for each in Results(book, course).of("one")
                    if each.student.id == "ada")


def tick(served, **words):
    """As the page does: with what it was shown last."""
    page = served.get("voce", "one", "ada").text
    sent = {"question": "k1", "result": "wrong", "note": "an axis", "seconds": 75,
            "seen": re.search('data-question="k1".*?data-seen="(.*?)"', page)[1]} | words
    return served.post("voce", "one", "ada", json=sent,
                       headers={"Accept": "application/json"}).status_code


def test_the_page_shows_questions_and_runs_nothing_of_them(served):
    assert 'href="/desk/voce/one/ada"' in served.get("voce", "one").text
    page = served.get("voce", "one", "ada").text
    assert "it ran" in page and "because" in page
    assert HOSTILE not in page and "&lt;script&gt;" in page
    assert served.get("voce", "one", "dan").status_code == 404


def test_a_tick_is_an_entry_of_the_ledger_and_no_mark(course, served):
    before = mark(course)
    assert tick(served) == 200 and tick(served, result="partly", note="then the axis") == 200
    with Gradebook(course.db_url, "m") as book:
        ledger = Ledger(book.db)
        entries = ledger.entries(voce_results.KIND, homework="one", student="ada",
                                 cell=voce_results.CELL)
        found = list(voce_results.latest(ledger, "one").values())
    assert [entry.payload["result"] for entry in entries] == ["wrong", "partly"]
    assert {entry.author for entry in entries} == {"tina"}
    assert [(each.result, each.seconds, each.note) for each in found] == [
        ("partly", 75, "then the axis")]
    assert mark(course) == before
    assert "1 partly" in served.get("voce", "one").text


@pytest.mark.parametrize("words", [{"result": "excellent"}, {"question": "k9"}, {"seconds": "7"}])
def test_anything_else_is_refused(served, words):
    assert tick(served, **words) == 400


def test_a_page_that_has_not_seen_the_newest_tick_changes_nothing(served):
    assert tick(served, result="right") == 200
    assert tick(served, result="wrong", seen="") == 409
    assert "1 right" in served.get("voce", "one").text


def test_a_stranger_ticks_nothing(served):
    reply = served.browser.post(served.at("voce", "one", "ada"), json={})
    assert reply.status_code == 403


def test_the_export_has_a_column(course, served, monkeypatch, capsys):
    tick(served, result="right")
    monkeypatch.chdir(course.root)
    assert main(["export", "one"]) == 0
    table = (course.root / "exports" / "one-csv.csv").read_text()
    assert table.splitlines()[0].endswith(",voce")
    assert any("ada" in line and line.endswith("1 right") for line in table.splitlines())


def test_the_report_says_what_is_used_but_not_explained():
    told = [voce_results.VoceResult("ada", "1", "f", "now", voce_results.WRONG),
            voce_results.VoceResult("bob", "2", "f", "now", voce_results.RIGHT),
            voce_results.VoceResult("bob", "3", "g", "now", voce_results.RIGHT),
            voce_results.VoceResult("cyd", "4", "h", "now", voce_results.NOT_ASKED)]
    assert [each.about for each in voce_results.explained(told)] == ["f", "g"]
    page = render("one", [], [], [], heard=told)
    assert "What the class can use but not explain" in page
    assert page.index("<td>f</td>") < page.index("<td>g</td>") and "<td>h</td>" not in page
