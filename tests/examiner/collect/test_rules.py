"""The table of the platforms' names: the page has it, and every platform is in it."""

from repository import ROOT
from viva_examiner.collect.rules import RULES
from viva_examiner.collect.sources import PLATFORMS


def test_the_page_has_the_table():
    page = (ROOT / "docs" / "ta.md").read_text()
    rows = [f"| {each.platform} | {each.what} | `{each.form}` | {each.source} |" for each in RULES]
    assert "\n".join(rows) in page


def test_every_platform_has_rules_with_a_source():
    assert {each.platform for each in RULES} == set(PLATFORMS)
    assert all(each.source for each in RULES)
