"""What docs/ta.md claims beside its commands: words, tables and places are those of the code."""

import re

import pytest

from repository import ROOT
from viva_examiner.collect.sources import PLATFORMS
from viva_examiner.course import Examiner
from viva_examiner.explain.explanation_page import FOLDER
from viva_examiner.gradebook import standing
from viva_examiner.gradebook.standing import Cell, Standing

PAGE = (ROOT / "docs" / "ta.md").read_text()
FLAT = " ".join(PAGE.split())
CODE = "\n".join(path.read_text() for path in sorted((ROOT / "lib/viva_examiner").rglob("*.py")))


def section(title: str) -> str:
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)[1]


def test_the_table_of_what_is_not_final_has_every_word_and_no_other():
    rows = re.findall(r"^\| (.+?) \|", section("Feedback and marks"), re.M)
    assert set(rows) - {"words", "---"} == {
        standing.UNGRADED, standing.LOOK, standing.NOT_HANDED_IN, standing.NOT_EXAMINED,
        standing.RIVAL, standing.NOT_A_NOTEBOOK}


def test_the_sentence_of_the_terminal_is_the_one_it_says():
    said = re.search(r'the terminal says "(.+?)"', FLAT)[1]
    marks = [Cell("test_f", 90.0, 90.0), Cell("written_why", None, 10.0, waits=standing.UNGRADED)]
    assert Standing(marks, points=100.0).words == said


REMARKS = [words.split(" … ") for block in re.findall(
    r"^- (\*.+?\*): ", section("What the marks mean").replace("\n  ", " "), re.M)
    for words in re.findall(r"\*(.+?)\*", block)]


@pytest.mark.parametrize("parts", REMARKS, ids=" ".join)
def test_a_remark_that_the_page_explains_is_one_that_the_examiner_makes(parts):
    assert re.search(".*".join(map(re.escape, [part.strip(" …") for part in parts])), CODE)


def test_every_remark_was_found():
    assert len(REMARKS) >= 7


def test_platforms_places_and_settings_are_those_of_the_code():
    sentence = re.search(r"It reads the exports of (.+?), a zip", FLAT)[1]
    assert set(PLATFORMS) == set(re.findall(r"[A-Z]\w+", sentence))
    assert f"`reports/{FOLDER}/`" in PAGE and "`exports/`" in PAGE
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"/downloaded/", "/exports/", "/grades.csv", "/roster.csv"} <= set(ignored)
    assert set(Examiner.second_opinion.values) - {""} == set(re.findall(
        r'`"(\w+)"`', re.search(r"says what stands until then.+?opinion\.", FLAT)[0]))
