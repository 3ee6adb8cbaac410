"""Formulas as MathML: every one of the homeworks is drawn, and no text does more than be shown."""

import re
import time

import nbformat
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from repository import ROOT
from viva_examiner.formulas import MAX_DEPTH, mathml, with_formulas

NOTEBOOKS = sorted((ROOT / "release").glob("*/*.ipynb"))


def left(page: str) -> str:
    """What a reader sees of a page outside code and drawn formulas."""
    soup = BeautifulSoup(page, "html.parser")
    for each in soup.find_all(["code", "pre", "math"]):
        each.decompose()
    return soup.get_text()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_formula_of_a_homework_is_drawn(path):
    drawn = 0
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            page = with_formulas(markdown2html_mistune(cell.source))
            drawn += page.count("<math")
            assert "&" not in "".join(each.get_text() for each in BeautifulSoup(
                page, "html.parser").find_all("math")), cell.id  # a sign of alignment, printed
            rest = left(page)
            assert not re.search(r"\$|\\[a-zA-Z(\[]", rest), (cell.id, rest[:300])
    assert drawn > 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_formula_touches_code(path):
    """JupyterLab then prints the backticks, and links behind them as they are written."""
    for cell in nbformat.read(path, as_version=4).cells:
        assert cell.cell_type != "markdown" or not re.search(r"\$`|`\$", cell.source), cell.id


def test_inline_and_shown_formulas_and_what_is_none():
    page = with_formulas(r"<p>$a&lt;b$, $$\frac12$$, \(x\), <code>$y$</code>, \$5, 3$ and 4$5</p>")
    assert page.count("<math") == 3 and page.count('display="block"') == 1
    assert "<mo>&lt;</mo>" in page.replace("&#x0003C;", "&lt;")
    assert "<code>$y$</code>" in page and r"\$5" in page


@pytest.mark.parametrize("tex", [
    r"\href{javascript:alert(1)}{x}", r"\style{x}{y}", r"\class{a}{b}", "{" * (MAX_DEPTH + 1),
    "x" * 5000, r"\begin{pmatrix} 1", "", " ", r"\def\leq{\geq} a\leq b", r"\gdef\a{b}\a",
    r"\newcommand{\R}{x}\R", r"\renewcommand\alpha{\beta}\alpha", r"\let\leq\geq a\leq b",
    r"\href1{x}", r"\hspace{1000em}x", r"\kern-100em x"])
def test_what_is_active_endless_or_broken_stays_as_written(tex):
    assert mathml(tex) == ""
    assert with_formulas(f"<p>${tex}$</p>") == f"<p>${tex}$</p>"


@pytest.mark.parametrize("words", [
    "<script>alert(1)</script>", "<svg/onload=alert(1)>", "<iframe>", "<b>x</b>", "<!--",
    "&lt;script&gt;", "&#60;script>", "]]>"])
@pytest.mark.parametrize("command", ["text", "mbox", "mathrm", "operatorname", "textbf", "color"])
def test_words_in_a_formula_are_words(command, words):
    """The converter takes its own escapes back: `\\text{<script>}` was a script."""
    from html import escape

    tex = rf"$a \{command}{{{words}}} b$"
    page = with_formulas(f"<p>{escape(tex)}</p>")
    tags = {each.name for each in BeautifulSoup(page, "html.parser").find_all(True)}
    assert all(re.fullmatch(r"p|math|m\w+", tag) for tag in tags), page


def test_a_sign_between_words_of_a_formula_is_shown():
    assert "<mtext>a\u00a0&lt;\u00a0b</mtext>" in mathml(r"\text{a < b}").replace(
        "&#x000A0;", "\u00a0")


@pytest.mark.parametrize("tex", [
    r"\raise 9em {22}", r"\raise9in x", r"\lower-9em x", r"\smash{\rule{9em}{9em}}", r"\llap{22}",
    r"\mathrlap{22}", r"\rule{9in}{9in}", r"\hspace{9cm}"])
def test_no_formula_stands_over_what_is_beside_it(tex):
    assert mathml(tex) == ""


@pytest.mark.parametrize("opening", ["$", "$$", r"\(", r"\[", r"\begin{align}", "{", "<code>"])
def test_a_text_full_of_openings_takes_no_time(opening):
    began = time.process_time()
    with_formulas(f"<p>{opening * (50_000 // len(opening))}</p>")
    assert time.process_time() - began < 10  # a second at most; minutes without a bound


@given(st.text(alphabet="ab$\\{}_^&<> \n123frac(), \"'", max_size=60))
def test_no_text_breaks_a_page_or_brings_a_tag_of_its_own(text):
    from html import escape

    page = with_formulas(f"<p>{escape(text)}</p>")
    tags = {each.name for each in BeautifulSoup(page, "html.parser").find_all(True)}
    assert all(re.fullmatch(r"p|math|m\w+", tag) for tag in tags), tags


@pytest.mark.parametrize("tex", [r"\lambda\lVert W\rVert_F^2", r"\lambda\|W\|_F^2",
                                 r"2\lvert x\rvert"])
def test_the_bars_of_a_norm_are_as_high_as_their_letters(tex):
    bars = re.findall("<mo([^>]*)>&#x(?:02016|0007C);</mo>", mathml(tex))
    assert len(bars) == 2 and all('stretchy="false"' in attributes for attributes in bars)
    assert 'stretchy="true"' in mathml(r"\left\|\frac{a}{b}\right\|")


@pytest.mark.parametrize("name", ["aligned", "align*", "split", "eqnarray", "gathered", "gather*"])
def test_equations_stand_below_each_other(name):
    made = mathml(rf"V,\qquad\begin{{{name}}} a &= b \\ c &= d \end{{{name}}}")
    assert made.count("<mtr>") == 2 and "&</" not in made


def test_a_table_that_the_converter_does_not_know_stays_as_written():
    assert mathml(r"\begin{alignedat}{2} a &= b \\ c &= d \end{alignedat}") == ""
