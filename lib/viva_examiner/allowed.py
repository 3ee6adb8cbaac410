"""What HTML may hold that a student had a hand in, and the sanitiser (nh3) that leaves no more.

The pages that show it find their fields by id and bind their buttons by class, and they change
links once more after rendering. So a student's text has no class, id, name or style; a link is a
whole address, and a picture brings its own data. Then no later filter of theirs matters.
"""

import re

TAGS = frozenset(
    "a b blockquote br caption center code col colgroup dd del details div dl dt em h1 h2 h3 h4 h5 "
    "h6 hr i img ins kbd li mark ol p pre q s small span strong sub summary sup table tbody td "
    "tfoot th thead tr u ul".split())
ATTRIBUTES = {
    "*": {"align", "title", "dir", "lang"},
    "a": {"href"}, "img": {"src", "alt", "width", "height"}, "details": {"open"},
    "ol": {"start"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan", "scope"},
    "col": {"span"}, "colgroup": {"span"},
}
COLOURS = {"div": {"highlight"},  # of code, by pygments; nothing is bound to them
           "span": set("bp c c1 ch cm cp cpf cs dl err esc fm g gd ge ges gh gi go gp gr gs gt gu "
                       "il k kc kd kn kp kr kt l ld m mb mf mh mi mo n na nb nc nd ne nf ni nl nn "
                       "no nt nv nx o ow p pm py s s1 s2 sa sb sc sd se sh si sr ss sx vc vg vi vm "
                       "w x".split())}
ADDRESS = re.compile(r"(?:https?://[\w\[]|mailto:\w)", re.I)  # at the very beginning of a link
EMBEDDED = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*\Z")
# Of a cell's own HTML, which is drawn by code: no links, but the looks of tables and cards.
SHOWN_TAGS = set(TAGS - {"a"} | {"progress"})
SHOWN_ATTRIBUTES = set(
    "align alt aria-hidden aria-label colspan data-status height max open role rowspan scope "
    "style title value width".split())
# the kit's cards, the tables of rubrics, pandas' tables
SHOWN_CLASSES = {"div": {"viva-card", "viva-rubric"}, "table": {"dataframe"}}
SWALLOWED = set("script style template noscript textarea title xmp iframe object".split())
DECLARATION = re.compile(  # no negative number: nothing is moved over what stands beside it
    r"\s*(?:(?:margin|padding|border|background|text|font|line|white|max|min|vertical)[a-z-]*|color|"
    r"display|opacity|width|height)\s*:\s*(?:(?:rgb|hsl)a?\([\d\s.,%/]*\)|"  # the only functions:
    r"(?!-\s*[\d.])[\w\s.,#%'+/-])*\Z", re.I)  # others ask a server, or count below zero
OPENS = re.compile(r"<(?!br|hr|img|col)[A-Za-z]", re.I)
MAX_HTML = 1 << 16  # characters of one output
MAX_OPEN = 64  # tags left open; nested deeper than any table


def cleaned(page: str) -> str:
    """What may stay of a page made of a student's Markdown."""
    import nh3

    return nh3.clean(page, tags=set(TAGS), attributes=ATTRIBUTES, attribute_filter=_harmless_value,
                     url_schemes={"http", "https", "mailto", "data"}, link_rel=None,
                     strip_comments=True, clean_content_tags=SWALLOWED,
                     allowed_classes=COLOURS)


def harmless_html(text: str) -> str:
    """What a sanitiser leaves of a cell's HTML; empty if there is too much of it to look at.

    No script, style sheet, form, frame, link or drawing language passes, and no picture or style
    that would ask another place.
    """
    if len(text) > MAX_HTML or left_open(text) > MAX_OPEN:
        return ""
    import nh3

    made = nh3.clean(
        text, tags=SHOWN_TAGS, attributes={"*": SHOWN_ATTRIBUTES, "img": {"src"}},
        attribute_filter=_harmless_value, url_schemes={"data"}, clean_content_tags=SWALLOWED,
        link_rel=None, strip_comments=True, allowed_classes=SHOWN_CLASSES)
    return made if len(made) <= 2 * MAX_HTML else ""


def left_open(text: str) -> int:
    """How many tags more are opened than closed: a parser's time grows with their square."""
    return len(OPENS.findall(text)) - text.count("</")


def _harmless_value(tag: str, name: str, value: str) -> str | None:
    """An attribute's value as it may stay; None if it may not."""
    if name == "href":
        return value if ADDRESS.match(value) else None
    if name == "src":
        return value if EMBEDDED.match(value) else None
    if name == "style":
        kept = "; ".join(row.strip() for row in value.split(";") if DECLARATION.match(row))
        return kept or None
    return value
