"""What a homework with claims may not be released with; and nothing of a claim is released."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from doubling import released
from viva_course.claiming import Claim
from viva_examiner.cli import main
from viva_examiner.notebook.claim_marks import marked, states_finding, titles, unproven_numbers
from viva_examiner.release.claim_faults import problems_of_claims
from viva_examiner.release.problems import ReleaseRefused
from viva_examiner.release.releasing import release

MARKED = "It <!-- claim: doubles -->doubles 3 of 4 numbers<!-- /claim -->, mostly."
FIGURE = 'ax.set(title="Doubling wins", xlabel="x")'


def claim(name="doubles", kind="observation", **about):
    return Claim(name, kind, "doubling", "first", None, **about)


def problems(cells, *claims):
    notebook = nbformat.from_dict({"cells": cells})
    named = {each.name: each for each in claims}
    return [str(each) for each in problems_of_claims(notebook, named)]


def test_words_that_are_proven_and_a_label_are_fine():
    cells = [new_markdown_cell(MARKED), new_code_cell(FIGURE),
             new_code_cell('ax.set_title(f"k = {k}"); fig.suptitle("Who has heard?")')]
    assert problems(cells, claim(), claim("wins", titles=("Doubling wins",))) == []


@pytest.mark.parametrize("text, words", [
    (MARKED.replace("doubles -->", "halves -->"), "the claim halves has no function"),
    (MARKED.replace("<!-- /claim -->", ""), "does not end the claim doubles"),
    ("It doubles.<!-- /claim -->", "ends a claim that has not begun"),
    (MARKED.replace("3", "<!-- claim: two -->"), "begins the claim two inside the claim doubles"),
    (MARKED + "<!-- claims: two -->",
     "has something like a mark that is not one: <!-- claims: two -->"),
])
def test_marks_that_nobody_can_prove(text, words):
    assert any(words in each for each in problems([new_markdown_cell(text)], claim()))


def test_a_function_without_its_sentence():
    found, = problems([new_markdown_cell("It doubles.")], claim())
    assert found.startswith("claim doubles (first.py): proves a sentence that the notebook does")
    assert "<!-- claim: doubles -->" in found


def test_a_title_that_no_claim_proves_and_one_that_no_figure_has():
    found = problems([new_code_cell(FIGURE)], claim(titles=("Doubling loses",)))
    assert "the title 'Doubling wins' states a finding that no claim proves" in found[0]
    assert "no figure has the title 'Doubling loses'" in found[1] and len(found) == 2


def test_a_number_of_a_read_out_that_stands_in_no_claim():
    shows = "<details><summary>What the picture shows, and why</summary>\n\n{}\n</details>"
    text = shows.format("At 5 steps " + MARKED + " In exercise 7, S4 (Gu, 2022) and 2.5 times.")
    found = problems([new_markdown_cell(text)], claim())
    assert [each.split(": ")[1].split("\n")[0] for each in found] == [
        "the read-out states 5, which stands in no claim",
        "the read-out states 2.5, which stands in no claim"]
    assert unproven_numbers("At 5 steps.") == []  # not a read-out: a rule or an example


def test_quotation_marks_stand_around_the_sources_own_words_only():
    text = '<!-- claim: doubles -->They "prevent units from co-adapting"<!-- /claim -->.'
    own = claim(kind="literature", source="Srivastava et al. (2014)", place="abstract",
                quotes=("prevent units from co-adapting too much",))
    assert problems([new_markdown_cell(text)], own) == []
    found, = problems([new_markdown_cell(text.replace("prevent units", "stop units"))], own)
    assert "does not give as the source's own words" in found


def test_what_is_a_title_and_what_it_states():
    code = ('fig.suptitle(f"Half from n = {half} on"); ax.set(title=name); plt.title("… and wins")'
            '\nsheet(rows, title="best loss (star)")')
    assert set(titles(code)) == {"Half from n = {} on", "… and wins", "best loss (star)"}
    assert [each for each in titles(code) if not states_finding(each)] == ["best loss (star)"]
    assert not states_finding("{}: {} layers") and not states_finding("What head {} reads")


def test_the_marks_of_claims_are_not_released(course, cells, tmp_path):
    """Neither by `viva release` nor by nbgrader's own command; the examiner knows the rest."""
    cells["title"].source += f"\n{MARKED}"
    made = course()
    release(made, "doubling")
    text = released(made).read_text()
    assert "claim" not in text and "It doubles 3 of 4 numbers, mostly." in text
    assert marked(cells["title"].source)[0][0].words == "doubles 3 of 4 numbers"
    from viva_examiner.notebook.released import released_from

    known = released_from(nbformat.read(made.notebooks("doubling")[0], 4), "doubling", "doubling")
    assert nbformat.reads(text, 4).cells[0].source in known.texts


def test_a_mark_in_a_code_cell_is_refused(course, cells):
    cells["setup"].source += "\n# <!-- claim: doubles -->"
    with pytest.raises(ReleaseRefused, match="keeps the mark of a claim"):
        release(course(), "doubling")


def test_release_asks_the_library_for_claims(course, cells, monkeypatch):
    monkeypatch.setattr("viva_course.claims_of", lambda homework: {"doubles": claim()})
    with pytest.raises(ReleaseRefused, match="claim doubles .first.py.: proves a sentence"):
        release(course(), "doubling")
    cells["title"].source += f"\n{MARKED}"
    release(course(), "doubling")


def test_a_homework_without_a_package_of_claims_is_named(course, monkeypatch, capsys):
    monkeypatch.chdir(course().root)
    assert main(["claims"]) == 0
    assert "no claims yet: doubling" in capsys.readouterr().out
