"""A student's words in a page: what is harmless stays to the letter, all else becomes text."""

import base64
import re
import time

import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from nbconvert.filters.strings import strip_files_prefix
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.server_extensions.formgrader.handlers import template_path
from traitlets.config import Config

from viva_examiner.allowed import COLOURS, TAGS, harmless_html
from viva_examiner.harmless import (
    fenced,
    harmless_attachments,
    harmless_markdown,
    one_line,
)
from viva_examiner.nbgrader_steps.formgrader_page import HarmlessPage
from viva_examiner.rendered import rendered

HONEST = [
    "The weights **sum to one**, so `softmax(x)` is a mean; see $a<b$ and $x_1^2 \\le y$.",
    "$$\\begin{aligned} a &= b \\\\ c &< d \\end{aligned}$$",
    "- one\n- two\n\n1. three\n\n> a quotation\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "```python\nif a < b and c > d:\n    print('<script>')\n```",
    "`x < y` and a < b and 3 > 2; x<y as well; AT&T; a &lt; b",
    "See [the paper](https://arxiv.org/abs/1706.03762) and <https://example.org/a?b=1>.",
    "H<sub>2</sub>O, x<sup>2</sup>,<br>a new line, <b>bold</b>, <kbd>Ctrl</kbd>",
    "![a plot](attachment:plot.png)",
    "<details><summary>more</summary>\n\nhidden text\n\n</details>",
    "Ümläute, 中文, emoji 🎉, “quotes”, a – b",
    "# Title\n\ntext  \nnext line\n\n---\n\n~~gone~~",
    "| a | b |\n|:--|--:|\n| 1 | 2 |", "- [x] [done](https://example.org)\n- [ ] not yet",
    "```algorithm\nfor a < b do\n```", "[write to me](mailto:ada@example.org)",
    "",
]

HARMLESS_ODDITIES = ["<img src=x onerror='alert(1)'\n\n>", "javascript:alert(1)", "a <b", "<>"]

HOSTILE = [
    "<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='java&#115;cript:alert(1)'>x</a>",
    "<a href=' \tjavascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](javascript\\:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](vbscript:msgbox(1))",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "<!--> <img src=x onerror=alert(1)> -->",
    "<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)></style></mglyph></math>",
    "<form action=/api><button formaction=javascript:alert(1)>x</button></form>",
    "<style>@import 'http://x'</style>",
    "<link rel=stylesheet href=http://x>", "<meta http-equiv=refresh content=0;url=http://x>",
    "<object data=x></object>", "<embed src=x>", "<base href=http://x>",
    "<div style='background:url(javascript:alert(1))'>x</div>",
    "<details open ontoggle=alert(1)>x</details>",
    "<b onclick=alert(1)>x</b>",
    "<input autofocus onfocus=alert(1)>", "<video><source onerror=alert(1)></video>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<textarea><img title='</textarea><img src=x onerror=alert(1)>'></textarea>",
    "$\\href{javascript:alert(1)}{x}$",
    "$$\\require{html} \\style{x}{y}$$",
    "$$\\href1{x}$$", "&#36;&#92;href{javascript:alert(1)}{x}&#36;",
    "&#36;\\h<!-- -->ref{javascript:alert(1)}{x}&#36;", "&dollar;&bsol;url{x}&dollar;",
    "[x](files/javascript:alert(1))", "[x](/files/javascript:alert(1))",
    "[x](files/files/javascript:alert(1))", "<a href='/files/javascript:alert(1)'>x</a>",
    "<a href=files/javascript:alert(1)>x</a>", "[x][y]\n\n[y]: files/javascript:alert(1)",
    "[x](attachment:javascript:alert(1))", "attachment:<script>alert(1)</script>",
    "[x](/logout)", "[x](../../api/shutdown)", "[x](//example.org)", "[x](https:/logout)",
    "[x](https:logout)", "[x](#words)", "[x](file:///etc/passwd)",
    "<div class='nbgrader_cell'><b class='full-credit'>x</b></div>", "<div id='words'>x</div>",
    "<a name='words'>x</a>", "<span style='color:red'>x</span>", "<b data-share='1'>x</b>",
    "<b role='button'>x</b>", "<b contenteditable>x</b>", "<b tabindex=1>x</b>",
    "<img src='/logout'>", "<img src='https://example.org/x.png'>", "<img srcset='/logout'>",
    "![x][y]\n\n[y]: https://example.org/x.png", "<picture><source srcset=/logout></picture>",
    "<table background='/logout'><tr><td>x</td></tr></table>", "<input type=image src=/logout>",
    "```mermaid\n<script>alert(1)</script>\n```", "```mermaid\ngraph LR; click A href '/'\n```",
    "`a` <img src=x onerror=alert(1)> `b`",
    "```\n</code></pre><script>alert(1)</script>\n```\n<script>alert(1)</script>",
    "a" * 300_000,
]


@pytest.mark.parametrize("source", HONEST)
def test_honest_words_stay_to_the_letter(source):
    assert harmless_markdown(source) == source


def tags_of(page: str) -> list:
    return BeautifulSoup(page, "html.parser").find_all(True)


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_words_become_text(source):
    shown = harmless_markdown(source)
    assert shown != source
    assert {tag.name for tag in tags_of(markdown2html_mistune(shown))} <= {"div", "pre", "span"}
    assert harmless_markdown(shown) == shown  # and stay as they are when graded again


@pytest.mark.parametrize("source, shown", [
    ("A plot: ![x](/logout).", "A plot: (picture `/logout`)."),
    ('$x$ ![](https://example.org/a.png "b") y', "$x$ (picture `https://example.org/a.png`) y"),
    ("![a](plot.png) ![b](attachment:b.png)", "(picture `plot.png`) ![b](attachment:b.png)"),
])
def test_pictures_that_lie_elsewhere_are_named_and_the_text_stays_readable(source, shown):
    assert harmless_markdown(source) == shown


@pytest.mark.parametrize("opening", ["\\\\(", "\\\\[", "\\\\(x ", "\\begin{a}", "$", "$$", "=\n",
                                     "[", "![", "<", "<!--", "*a ", "`", "> ", "|", "[a]: ", " "])
def test_a_text_full_of_openings_is_looked_at_in_no_time(opening):
    text = (opening * 48_000)[:48_000]
    text = f"x{text[2:]}x" if opening == " " else text
    began = time.process_time()
    shown = harmless_markdown(text)
    rendered(text)
    markdown2html_mistune(shown)  # what formgrader without our lines does
    assert time.process_time() - began < 6  # a second at most; 48 KB took 24 s


def formgraders_page(notebook) -> str:
    config = Config({"HTMLExporter": {
        "preprocessors": [HarmlessPage], "template_name": "formgrade",
        "extra_template_basedirs": [template_path]}})
    told = dict.fromkeys(("assignment_id", "notebook_id", "submission_id", "base_url", "student",
                          "last_name", "first_name", "notebook_path"), "x")
    return HTMLExporter(config=config).from_notebook_node(
        notebook, {**told, "index": 0, "total": 1})[0]


def test_a_name_of_a_cell_and_words_of_a_formula_are_text_in_formgraders_page():
    """Whoever graded the notebook, and whatever the student named a cell of his own."""
    runs = "<svg/onload=canary()>"
    named = new_code_cell("1", metadata={"nbgrader": {
        "grade_id": f'x">{runs}', "grade": True, "solution": True, "points": 1, "locked": False,
        "task": False, "schema_version": 3}})
    words = rf"$\text{{{runs}}}$"
    shows = [new_output("display_data", {"text/markdown": words}),
             new_output("display_data", {"text/latex": words})]
    page = formgraders_page(new_notebook(cells=[
        named, new_markdown_cell(words), new_code_cell("1", outputs=shows)]))
    assert page.count("canary") >= 4
    assert not BeautifulSoup(page, "html.parser").find_all("svg")


def test_what_is_said_about_cells_and_code_is_no_class_of_formgraders_page():
    """In a notebook that stock nbgrader has graded: a click on the student's code gave full marks,
    because formgrader binds `.full-credit` around the field of points."""
    hostile = "x full-credit"
    cell = new_code_cell("print(1)", metadata={
        "tags": [hostile], "magics_language": hostile,
        "nbgrader": {"grade_id": "f", "grade": True, "solution": True, "points": 1,
                     "locked": False, "task": False, "schema_version": 3}})
    notebook = new_notebook(cells=[cell, new_markdown_cell("x", metadata={"tags": [hostile]})],
                            metadata={"language_info": {"name": hostile}})
    page = formgraders_page(notebook)
    bound = BeautifulSoup(page, "html.parser").select(".full-credit")
    assert {each.name for each in bound} == {"button"} and 'id="f"' in page


@pytest.mark.parametrize("markup, left", [
    ("<div class='nbgrader_cell full-credit'>x</div>", ""), ("<i class='score tabbable'>x</i>", ""),
    ("<b style='margin-top:-300px'>x</b>", ""), ("<b style='margin:0 -9em'>x</b>", ""),
    ("<table class='dataframe x'></table>", "dataframe"),
    ("<div class='viva-card'>x</div>", "viva-card"),
    ("<b style='margin-top:3px'>x</b>", "margin-top:3px"),
    ("<b style='margin-top:calc(0px - (300px))'>x</b>", ""),
    ("<b style='margin-top:calc(300px / sin(4.7))'>x</b>", ""),
    ("<b style='margin:calc(0px - max(300px, 1px))'>x</b>", ""),
    ("<b style='background:IMAGE-SET(\"/logout\" 1x)'>x</b>", ""),
    ("<b style=\"background-image:image-set('//elsewhere.invalid/x.png' 1x)\">x</b>", ""),
    ("<b style=\"background:cross-fade('/logout', '/logout')\">x</b>", ""),
    ("<b style='color:rgb(1, 2, 3)'>x</b>", "color:rgb(1, 2, 3)"),
])
def test_of_a_cells_own_html_only_known_classes_stay_and_nothing_is_moved(markup, left):
    values = [value for tag in tags_of(harmless_html(markup)) for value in tag.attrs.values()]
    assert "".join("".join(each) for each in values) == left


@pytest.mark.parametrize("source", HONEST + HARMLESS_ODDITIES)
def test_no_page_of_honest_words_holds_an_event_or_another_origin(source):
    source = source.replace("attachment:", "https://example.org/")
    for tag in tags_of(markdown2html_mistune(harmless_markdown(source))):
        assert tag.name in TAGS | {"input"}  # of a list of tasks, switched off
        assert not any(name.startswith("on") for name in tag.attrs)


@pytest.mark.parametrize("source", HONEST + HARMLESS_ODDITIES + HOSTILE,
                         ids=range(len(HONEST + HARMLESS_ODDITIES + HOSTILE)))
def test_a_page_holds_whole_addresses_own_pictures_and_nothing_to_be_bound_to(source):
    page = strip_files_prefix(rendered(source))
    for tag in tags_of(page):
        assert tag.name in TAGS or tag.name.startswith("m")
        assert not set(tag.attrs) & {"id", "name", "style"}
        assert set(tag.get("class", ())) <= COLOURS.get(tag.name, set()) | {""}
        assert re.match("https?://|mailto:|$", tag.get("href", ""))
        assert re.match("data:image/(png|jpeg|gif);|$", tag.get("src", ""))


def test_a_fence_is_longer_than_any_in_the_text():
    text = "```\n````\n<script>"
    assert fenced(text).startswith("`````text\n")
    assert "<script" not in markdown2html_mistune(fenced(text))


def test_words_on_one_line():
    assert one_line("a\nb\x00c\u202e d") == "a b c d"
    assert one_line("x" * 600).endswith(" …")
    assert one_line("\ud800") == "?"


def test_attachments_are_pictures_only():
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 20).decode()
    svg = base64.b64encode(b"<svg onload=alert(1)>").decode()
    given = {"a.png": {"image/png": png, "text/html": "<script>"},
             "b.svg": {"image/svg+xml": svg}, "c.png": {"image/png": svg},
             "d\n.png": {"image/png": png}, "e": 7}
    kept = {"image/png": png}
    assert harmless_attachments(given) == {"a.png": kept, "d .png": kept}
    assert harmless_attachments("no dict") == {}
