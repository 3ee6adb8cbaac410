"""What a lesson states and nobody has proven: reasons not to release a homework with claims."""

import re
from collections.abc import Iterator

from nbformat import NotebookNode

from viva_examiner.library import Claim
from viva_examiner.notebook.claim_marks import (
    ClaimedWords,
    marked,
    states_finding,
    titles,
    unproven_numbers,
)
from viva_examiner.release.problems import Problem, where

QUOTED = re.compile(r"[\"“](.+?)[\"”]", re.S)


def problems_of_claims(source: NotebookNode, claims: dict) -> Iterator[Problem]:
    """In what the words of a source notebook and the claims of the course's library differ.

    claims: {name: claim}, each with `kind`, `titles`, `quotes` and `section`
    """
    stated, drawn = set(), set()
    for index, cell in enumerate(source.cells):
        place = where(index, cell)
        if cell.cell_type == "code":
            drawn |= set(titles(cell.source))
            yield from _of_titles(place, cell.source, claims)
            continue
        found, fault = marked(cell.source)
        if fault:
            yield Problem(place, fault, "write <!-- claim: id --> before the words and "
                          "<!-- /claim --> after them")
            continue
        stated |= {each.name for each in found}
        for each in found:
            yield from _of_mark(place, each, claims)
        for number in dict.fromkeys(unproven_numbers(cell.source)):
            yield Problem(place, f"the read-out states {number}, which stands in no claim",
                          "mark its sentence as a claim and prove it, or say it without a number")
    for claim in claims.values():
        yield from _of_claim(claim, stated, drawn)


def _of_titles(place: str, code: str, claims: dict) -> Iterator[Problem]:
    proven = {title for claim in claims.values() for title in claim.titles}
    for title in dict.fromkeys(titles(code)):
        if states_finding(title) and title not in proven:
            yield Problem(place, f"the title {title!r} states a finding that no claim proves",
                          "give it to the claim that proves it (title=…); a title that only says "
                          "what is drawn begins with a small letter or a question word")


def _of_mark(place: str, mark: ClaimedWords, claims: dict) -> Iterator[Problem]:
    claim = claims.get(mark.name)
    if claim is None:
        yield Problem(place, f"the claim {mark.name} has no function",
                      f"write def {mark.name}(notebook, seed) in the homework's package of claims")
    elif claim.kind == "literature":
        own = " ".join(claim.quotes)
        for quote in QUOTED.findall(mark.words):
            if " ".join(quote.split()) not in own:
                yield Problem(place, f"quotes {quote!r}, which {mark.name} does not give as the "
                              "source's own words", "add it to quotes=…, or take the marks away")


def _of_claim(claim: Claim, stated: set[str], drawn: set[str]) -> Iterator[Problem]:
    place = f"claim {claim.name} ({claim.section}.py)"
    for title in claim.titles:
        if title not in drawn:
            yield Problem(place, f"no figure has the title {title!r}", "give it the figure's words")
    if claim.name not in stated and not claim.titles:
        yield Problem(place, "proves a sentence that the notebook does not have",
                      f"put <!-- claim: {claim.name} --> … <!-- /claim --> around its words")
