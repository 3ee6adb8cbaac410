"""A student's words, made so that a browser only ever shows them.

Formgrader and feedback turn Markdown into HTML, scripts included, on the origin that holds the
gradebook. So what a student wrote is rendered here first, by the same renderer. If the sanitiser
(`allowed`) finds nothing to take out of the page, the text stays exactly as it is; else it is
shown as a block of code, where nothing in it means anything.
"""

import base64
import binascii
import html
import re
from typing import TYPE_CHECKING, Any

from viva.unbroken import unbroken
from viva_examiner.allowed import MAX_HTML, MAX_OPEN, cleaned, left_open

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

# Without one of these, Markdown makes nothing but paragraphs, lists, emphasis and formulas.
SUSPICIOUS = re.compile(r"<|&[#\w]|\]\s*[(:\[]|!\[|script|mermaid")
# Commands of MathJax that make links, load code or set attributes.
ACTIVE_TEX = re.compile(r"\\(?:href|url|require|html\w*|data|class|style|cssId|bbox|unicode|csname|"
                        r"includegraphics)(?![a-z])", re.I)
FORMULA = re.compile(r"\\\\[(\[]|\\begin")
PICTURE = re.compile(r"!\[[^\[\]\n]{0,300}\]\((?P<place>[^()\s]{0,500})(?: \"[^\"\n]*\")?\)")
PLAINER = (  # the renderer's columns and lists of tasks, without style or class
    (re.compile(r'(<t[dh]) style="text-align:(left|right|center)"'), r'\1 align="\2"'),
    (re.compile('<li class="task-list-item">'), "<li>"),
    (re.compile('<input class="task-list-item-checkbox" type="checkbox" disabled checked/>'), "☑ "),
    (re.compile('<input class="task-list-item-checkbox" type="checkbox" disabled/>'), "☐ "))
LANGUAGE = re.compile(r'\A<pre><code class="language-[^"]*">')
ATTACHED = re.compile(r"attachment:[\w.%+-]*")
FENCED = re.compile(r"(?P<fence>`{3,})text\n(?P<inside>.*)\n(?P=fence)", re.S)
PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8"}
MAX_MARKDOWN = 50_000  # characters of one cell; no essay is as long, and rendering takes its time
MAX_FORMULAS = 200  # that begin in a way for whose end the renderer looks through the whole text
SPACES = re.compile(r"(?<! ) {200}(?: +)")  # a run of them takes the renderer its square
TOO_WIDE = " " * 2000  # formgrader without our lines takes seconds for a text full of spaces
MAX_PICTURE = 8 * 2**20  # characters of one attached picture
MAX_ATTACHMENTS = 50


def fenced(text: str) -> str:
    """Markdown that shows a text exactly as it is."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def one_line(words: str, limit: int = 500) -> str:
    """Words of whatever origin as one printable line."""
    words = unbroken(words[: 4 * limit])
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())
    return text if len(text) <= limit else f"{whole_words(text, limit)} …"


def whole_words(text: str, limit: int) -> str:
    """The first words of a text, none of them cut where there are several."""
    return text[:limit + 1].rpartition(" ")[0] or text[:limit]


def harmless_markdown(source: str) -> str:
    """The source itself if a page made of it is harmless; else as much of it as can be.

    Pictures that lie elsewhere are named instead of shown; if that is not enough, the words stand
    in a block of code.
    """
    if is_harmless(source):
        return source
    if len(source) <= MAX_MARKDOWN:
        named = PICTURE.sub(_named, source)
        if named != source and is_harmless(named):
            return named
    return fenced(source[:MAX_MARKDOWN])


def _named(picture: re.Match) -> str:
    place = picture["place"].replace("`", "'")
    return picture[0] if place.startswith("attachment:") else f"(picture `{place}`)"


def is_harmless(source: str) -> bool:
    """Whether a browser that shows this Markdown runs nothing and asks no other place."""
    if len(source) <= MAX_MARKDOWN + 1000:
        block = FENCED.fullmatch(source)
        if block and block["fence"] not in block["inside"]:
            return True  # made harmless before
    if not is_bounded(source) or ACTIVE_TEX.search(source):
        return False
    if not SUSPICIOUS.search(source):
        return True
    try:
        # a picture of the cell's own stands for itself; the renderer would look for its data
        page = html_of(ATTACHED.sub("data:image/png;base64,", source))
    except Exception:  # a text that breaks the renderer here would break it there
        return False
    return not ACTIVE_TEX.search(html.unescape(page)) and _is_clean(page)


def is_bounded(source: str) -> bool:
    """Whether Markdown is rendered in a time that grows with its length only."""
    return (len(source) <= MAX_MARKDOWN and TOO_WIDE not in source
            and left_open(source) <= MAX_OPEN
            and len(FORMULA.findall(source)) <= MAX_FORMULAS)


def html_of(source: str, attachments: dict | None = None) -> str:
    """Markdown as nbconvert renders it: HTML of whoever wrote it, not cleaned yet.

    Only what nbconvert itself adds is left out: ids of headings, names of unknown languages.
    """
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        def block_code(self, code: str, info: str | None = None) -> str:
            return LANGUAGE.sub("<pre><code>", super().block_code(code, info))

    renderer = Renderer(escape=False, exclude_anchor_links=True, attachments=attachments)
    page = MarkdownWithMath(renderer=renderer).render(SPACES.sub(" " * 200, source))
    for pattern, instead in PLAINER:
        page = pattern.sub(instead, page)
    return page


def _is_clean(page: str) -> bool:
    """Whether the sanitiser leaves a page as it is.

    Both are compared in the form that a second parser gives them. What only one of the two parsers
    sees is missing on one side, so a disagreement between them counts as harm.
    """
    from bs4 import BeautifulSoup

    return _canonical(BeautifulSoup(page, "html.parser")) == _canonical(
        BeautifulSoup(cleaned(page), "html.parser"))


def _canonical(soup: "BeautifulSoup") -> str:
    for cell in soup.find_all(True):
        cell.attrs = dict(sorted(cell.attrs.items()))
    return " ".join(soup.decode(formatter="minimal").split())


def harmless_output(text: str) -> str:
    """A cell's Markdown output: as plain text where it would take long to check."""
    return harmless_markdown(text) if len(text) <= MAX_HTML else fenced(text)


def harmless_attachments(attachments: Any) -> dict:
    """The pictures attached to a Markdown cell; nothing that a browser would run (no SVG)."""
    kept: dict[str, dict[str, str]] = {}
    if not isinstance(attachments, dict):
        return kept
    for name, bundle in list(attachments.items())[:MAX_ATTACHMENTS]:
        if not isinstance(bundle, dict) or not isinstance(name, str):
            continue
        pictures = {mime: text for mime, text in bundle.items()
                    if mime in PICTURES and is_picture(mime, text)}
        if pictures:
            kept[one_line(name, 200)] = pictures
    return kept


def is_picture(mime: str, text: Any) -> bool:
    """Whether this is base64 of the kind of picture that it claims to be."""
    if not isinstance(text, str) or len(text) > MAX_PICTURE:
        return False
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return False
    return data.startswith(PICTURES[mime])
