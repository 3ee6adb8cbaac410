"""A student's words, made so that a browser only ever shows them.

Formgrader and feedback turn Markdown into HTML, scripts included, on the origin that holds the
gradebook. So what a student wrote is rendered here first, by the same renderer. If a sanitiser
(nh3) finds nothing to take out of the page, the text stays as it is, to the letter; else the whole
text is shown as a block of code, where nothing in it means anything.
"""

import base64
import binascii
import re

from viva.unbroken import unbroken

# Without one of these, Markdown makes nothing but paragraphs, lists, emphasis and formulas.
SUSPICIOUS = re.compile(r"<|&[#\w]|\]\s*[(:\[]|!\[|script")
# Commands of MathJax that make links, load code or set attributes.
ACTIVE_TEX = re.compile(r"\\(?:href|url|require|html\w*|data|class|style|cssId|bbox|unicode|csname|"
                        r"includegraphics)\b", re.I)
FENCED = re.compile(r"(?P<fence>`{3,})text\n(?P<inside>.*)\n(?P=fence)", re.S)
TAGS = frozenset(
    "a b blockquote br caption center code col colgroup dd del details div dl dt em h1 h2 h3 h4 h5 "
    "h6 hr i img ins kbd li mark ol p pre q s small span strong sub summary sup table tbody td "
    "tfoot th thead tr u ul".split())
ATTRIBUTES = {
    "*": {"align", "class", "id", "title", "dir", "lang"},
    "a": {"href"}, "img": {"src", "alt", "width", "height"}, "details": {"open"},
    "ol": {"start"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan", "scope"},
    "col": {"span"}, "colgroup": {"span"},
}
SCHEMES = {"http", "https", "mailto"}
# Of a cell's own HTML, which is drawn by code: no links, but the looks of tables and cards.
SHOWN_TAGS = set(TAGS - {"a"} | {"progress"})
SHOWN_ATTRIBUTES = set(
    "align alt aria-hidden aria-label class colspan data-status height max open role rowspan scope "
    "style title value width".split())
SWALLOWED = set("script style template noscript textarea title xmp iframe object".split())
EMBEDDED = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*\Z")
DECLARATION = re.compile(
    r"\s*(?:(?:margin|padding|border|background|text|font|line|white|max|min|vertical)[a-z-]*|color|"
    r"display|opacity|width|height)\s*:\s*(?:(?!url|expression)[\w\s.,#%()'+/-])*\Z")
OPENS = re.compile(r"<(?!br|hr|img|col)[A-Za-z]", re.I)
MAX_HTML = 1 << 16  # characters of one output
MAX_OPEN = 64  # tags left open; nested deeper than any table
PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8"}
MAX_MARKDOWN = 50_000  # characters of one cell; no essay is as long, and rendering takes its time
MAX_BEGIN = 200  # \\begin in one cell: the renderer looks from each to the end of the text
MAX_PICTURE = 8 * 2**20  # characters of one attached picture
MAX_ATTACHMENTS = 50


def fenced(text: str) -> str:
    """Markdown that shows a text to the letter."""
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
    """The source itself if a page made of it is harmless; else its words as a block of code."""
    return source if is_harmless(source) else fenced(source[:MAX_MARKDOWN])


def is_harmless(source: str) -> bool:
    """Whether a browser that shows this Markdown runs nothing and asks no other place."""
    if len(source) <= MAX_MARKDOWN + 1000:
        block = FENCED.fullmatch(source)
        if block and block["fence"] not in block["inside"]:
            return True  # made harmless before
    if len(source) > MAX_MARKDOWN or ACTIVE_TEX.search(source) or left_open(source) > MAX_OPEN:
        return False
    if source.count("\\begin") > MAX_BEGIN:
        return False
    if not SUSPICIOUS.search(source):
        return True
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    try:
        # a picture of the cell's own stands for itself; the renderer would look for its data
        page = markdown2html_mistune(source.replace("attachment:", "https://attachment.invalid/"))
    except Exception:  # a text that breaks the renderer here would break it there
        return False
    return _is_clean(page)


def _is_clean(page: str) -> bool:
    """Whether the sanitiser leaves a page as it is.

    Both are compared in the form that a second parser gives them. What only one of the two parsers
    sees is missing on one side, so a disagreement between them counts as harm.
    """
    import nh3
    from bs4 import BeautifulSoup

    cleaned = nh3.clean(page, tags=set(TAGS), attributes=ATTRIBUTES, url_schemes=SCHEMES,
                        link_rel=None, strip_comments=True, filter_style_properties=set())
    return _canonical(BeautifulSoup(page, "html.parser")) == _canonical(
        BeautifulSoup(cleaned, "html.parser"))


def _canonical(soup) -> str:
    for cell in soup.find_all(True):
        cell.attrs = dict(sorted(cell.attrs.items()))
    return " ".join(soup.decode(formatter="minimal").split())


def harmless_html(text: str) -> str:
    """What a sanitiser leaves of a cell's HTML; empty if there is too much of it to look at.

    No script, style sheet, form, frame, link or drawing language passes, and no picture or style
    that would ask another place.
    """
    if len(text) > MAX_HTML or left_open(text) > MAX_OPEN:
        return ""
    import nh3

    cleaned = nh3.clean(
        text, tags=SHOWN_TAGS, attributes={"*": SHOWN_ATTRIBUTES, "img": {"src"}},
        attribute_filter=_harmless_value, url_schemes={"data"}, clean_content_tags=SWALLOWED,
        link_rel=None, strip_comments=True)
    return cleaned if len(cleaned) <= 2 * MAX_HTML else ""


def harmless_output(text: str) -> str:
    """A cell's Markdown output: to the letter where it would take long to look at."""
    return harmless_markdown(text) if len(text) <= MAX_HTML else fenced(text)


def left_open(text: str) -> int:
    """How many tags more are opened than closed: a parser's time grows with their square."""
    return len(OPENS.findall(text)) - text.count("</")


def _harmless_value(tag: str, name: str, value: str) -> str | None:
    """An attribute's value as it may stay; None if it may not."""
    if name == "src":
        return value if EMBEDDED.match(value) else None
    if name == "style":
        kept = "; ".join(row.strip() for row in value.split(";") if DECLARATION.match(row))
        return kept or None
    return value


def harmless_attachments(attachments) -> dict:
    """The pictures attached to a Markdown cell; nothing that a browser would run (no SVG)."""
    kept = {}
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


def is_picture(mime: str, text) -> bool:
    """Whether this is base64 of the kind of picture that it claims to be."""
    if not isinstance(text, str) or len(text) > MAX_PICTURE:
        return False
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return False
    return data.startswith(PICTURES[mime])
