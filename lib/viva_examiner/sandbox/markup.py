"""HTML of a student, rewritten so that a TA's browser only ever shows it.

The text is taken apart in one pass and written anew from a short list of tags and attributes, all
text escaped and every tag closed. No script, style sheet, form, frame, link or drawing language
passes, so there is no context left in which text could turn into something else.
"""

import html
import re

MAX_CHARACTERS = 1 << 16
MAX_OPEN = 64  # nested deeper than any table
TAGS = frozenset(
    "b blockquote br caption center code col colgroup dd details div dl dt em h1 h2 h3 h4 h5 h6 hr "
    "i img li ol p pre progress s small span strong sub summary sup table tbody td tfoot th thead "
    "tr u ul".split())
VOID = frozenset("br col hr img".split())
SWALLOWED = frozenset("script style template noscript textarea title xmp iframe object".split())
ATTRIBUTES = frozenset(
    "align alt aria-hidden aria-label class colspan data-status height max open role rowspan scope "
    "src style title value width".split())
# A tag's text holds no angle bracket, so that finding tags takes time in proportion to the text.
TOKEN = re.compile(r"(?P<comment><!--)|<(?P<end>/?)(?P<tag>[A-Za-z][A-Za-z0-9]*)(?P<rest>[^<>]*)>")
ATTRIBUTE = re.compile(r"""([A-Za-z-]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")
IMAGE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*\Z")
DECLARATION = re.compile(
    r"\s*(?:(?:margin|padding|border|background|text|font|line|white|max|min|vertical)[a-z-]*|color|"
    r"display|opacity|width|height)\s*:\s*(?:(?!url|expression)[\w\s.,#%()'+/-])*\Z")


class Rewriter:
    """Collects the allowed part of a text, in one pass."""

    def __init__(self):
        self.parts: list[str] = []
        self.open: list[str] = []

    def read(self, text: str) -> str:
        position = 0
        while token := TOKEN.search(text, position):
            self.write(text[position:token.start()])
            position = token.end()
            if token["comment"]:
                position = _after(text, "-->", position)
            elif token["tag"].lower() in SWALLOWED and not token["end"]:
                position = _after(text, f"</{token['tag']}[^<>]*>?", position)
            else:
                self.tag(token["tag"].lower(), bool(token["end"]), token["rest"])
        self.write(text[position:])
        return "".join(self.parts) + "".join(f"</{tag}>" for tag in reversed(self.open))

    def write(self, text: str) -> None:
        self.parts.append(html.escape(html.unescape(text), quote=False))

    def tag(self, tag: str, is_end: bool, rest: str) -> None:
        if is_end:
            if tag in self.open:
                while (last := self.open.pop()) != tag:
                    self.parts.append(f"</{last}>")
                self.parts.append(f"</{tag}>")
        elif tag in VOID:
            self.parts.append(f"<{tag}{attributes(rest)}>")
        elif tag in TAGS and len(self.open) < MAX_OPEN:
            self.open.append(tag)
            self.parts.append(f"<{tag}{attributes(rest)}>")


def _after(text: str, mark: str, position: int) -> int:
    """The place behind the next match, whatever its case; the end if there is none."""
    found = re.compile(mark, re.IGNORECASE).search(text, position)
    return found.end() if found else len(text)


def attributes(text: str) -> str:
    """The harmless ones, escaped."""
    kept = {}
    for name, value in ATTRIBUTE.findall(text):
        value = html.unescape(value[1:-1] if value[:1] in ("'", '"') else value)
        name = name.lower()
        if name not in ATTRIBUTES or (name == "src" and not IMAGE.match(value)):
            continue
        if name == "style":
            value = "; ".join(row.strip() for row in value.split(";") if DECLARATION.match(row))
        kept.setdefault(name, f' {name}="{html.escape(value)}"')
    return "".join(kept.values())


def clean_markup(text: str) -> str:
    """The harmless part of HTML; empty if there is too much of it to look at."""
    if len(text) > MAX_CHARACTERS:
        return ""
    return Rewriter().read(text)
