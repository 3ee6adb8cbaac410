"""Formulas of a finished HTML page as MathML, which browsers draw by themselves.

So a page that is sent to a student needs neither a script nor a network. What cannot be turned into
MathML, defines a macro, or would do more than show a formula stays visible as it was written.
"""

import base64
import functools
import html
import re
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from viva_examiner.harmless import ACTIVE_TEX

MAX_FORMULA = 4000  # characters; no formula of a homework is as long
MAX_DEPTH = 60  # braces in braces
TAG = re.compile(r"<!--.*?-->|<(?P<end>/?)(?P<name>[a-zA-Z]\w*)[^>]*>", re.S)
PLAIN = frozenset("script style code pre textarea title svg math".split())  # no formulas in these
OPENS = re.compile(r"\\\\|\\\$|\$\$|\$|\\\(|\\\[|"
                   r"\\begin\{(?P<name>(?:equation|align|aligned|gather|multline|eqnarray)\*?)\}")
KNOWN = {"aligned": "split", "eqnarray": "split", "gathered": "matrix", "gather": "matrix",
         "multline": "matrix"}  # what the converter would print with its signs of alignment
DEFINES = re.compile(r"\\(?:[gex]?def|let|futurelet|global|catcode|(?:re)?newcommand|"
                     r"providecommand|(?:re)?newenvironment|DeclareMath\w+|"
                     r"raise|lower|smash|(?:math)?[lrc]lap)"  # over what stands beside it
                     r"(?![a-zA-Z])")
SIGN = re.compile(r"&#x[0-9A-Fa-f]+;")  # as the converter writes signs into its texts
PARTS = frozenset(
    "math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub "
    "msubsup msup mtable mtd mtext mtr munder munderover".split())
ATTRIBUTES = frozenset(  # what MathML may say: how it looks, never where it leads
    "xmlns display stretchy fence form separator mathvariant mathcolor mathbackground mathsize "
    "displaystyle scriptlevel linethickness columnalign rowalign columnspacing rowspacing "
    "columnlines rowlines frame width height depth lspace rspace voffset minsize maxsize "
    "movablelimits accent accentunder symmetric notation largeop".split())
LONG = re.compile(  # ten and more of any unit: over what stands beside it
    r"(?<![.\d])\d{2,}|\d *(?:in|cm|pc|v\w+)\b")
NO_LENGTHS = ("xmlns", "mathcolor", "mathbackground")
CLOSES = {"$$": "$$", "$": "$", r"\(": r"\)", r"\[": r"\]"}


@functools.cache
def math_style() -> str:
    """The style sheet of pages with formulas: letters and signs of STIX Two Math (its licence lies
    beside it), without which a browser does not even lower an index.
    """
    font = base64.b64encode((Path(__file__).parent / "fonts" / "math.woff").read_bytes()).decode()
    return ("@font-face { font-family: formulas; "
            f'src: url(data:font/woff;base64,{font}) format("woff"); }}\n'
            "math { font-family: formulas, math, serif; font-size: 1.1em; }\n"
            'mtd[columnalign="left"] { text-align: left; } '
            'mtd[columnalign="right"] { text-align: right; }')


def with_formulas(page: str) -> str:
    """The page with every formula drawn."""
    parts, at, inside = [], 0, ""  # inside: the element whose text is left alone
    for tag in TAG.finditer(page):
        text, at, name = page[at:tag.start()], tag.end(), (tag["name"] or "").lower()
        parts += [text if inside else drawn(text), tag[0]]
        if inside and tag["end"] and name == inside:
            inside = ""
        elif not inside and not tag["end"] and name in PLAIN:
            inside = name
    return "".join([*parts, page[at:] if inside else drawn(page[at:])])


def drawn(text: str) -> str:
    """Text between two tags with its formulas as MathML."""
    parts, at = [], 0
    while found := OPENS.search(text, at):
        end = _end(text, found)
        inside = text[found.end():end]
        if found["name"]:
            inside = found[0] + inside + rf"\end{{{found['name']}}}"
        close = _close(found)
        made = "" if end < 0 or "\n\n" in inside else mathml(
            html.unescape(inside), found[0] not in ("$", r"\("))
        after = end + len(close) if end >= 0 else found.end()
        parts += [text[at:found.start()], made or text[found.start():after]]
        at = after
    return "".join([*parts, text[at:]])


def _close(found: re.Match) -> str:
    return rf"\end{{{found['name']}}}" if found["name"] else CLOSES.get(found[0], "")


def _end(text: str, found: re.Match) -> int:
    """Where the formula that opens here ends; -1 if it does not, or is none."""
    close = _close(found)
    end = text.find(close, found.end(), found.end() + MAX_FORMULA) if close else -1
    if found[0] != "$" or end < 0:
        return end
    if text[end - 1] == "\\" or text[end + 1:end + 2].isdigit():
        return -1  # an escaped sign, or an amount of money
    return end


@functools.lru_cache(maxsize=4096)
def mathml(tex: str, shown: bool = False) -> str:
    """A formula as MathML; empty if it cannot be one, or would do more than show something."""
    if not tex.strip() or len(tex) > MAX_FORMULA or _depth(tex) > MAX_DEPTH:
        return ""
    if ACTIVE_TEX.search(tex) or DEFINES.search(tex):
        return ""
    from latex2mathml.converter import Converter

    try:
        tree = Converter(display="block" if shown else "inline").convert_to_element(
            _understood(tex))
    except Exception:  # a student's formula may break the converter; then it stays as written
        return ""
    return re.sub("<mo>(&#x02016;|&#x0007C;)</mo>", r'<mo stretchy="false">\1</mo>', _written(tree))


def _written(tree: Element) -> str:
    """A converted formula as text; empty if it holds what was not converted, or is none.

    (The converter's own writer would let `\\text{<script>}` be a script.)
    """
    for part in tree.iter():
        words = SIGN.sub("", (part.text or "") + (part.tail or ""))
        if part.tag not in PARTS or "\\" in words or "&" in words or not all(
                _harmless(*pair) for pair in part.attrib.items()):
            return ""
    return re.sub("&amp;(#x[0-9A-Fa-f]+;)", r"&\1", tostring(tree, encoding="unicode"))


def _harmless(name: str, value: str) -> bool:
    """Whether an attribute only says how a formula stands, close to its own place."""
    return name in ATTRIBUTES and (name in NO_LENGTHS or not LONG.search(value))


def _understood(tex: str) -> str:
    """In words that the converter knows: no sized norms, no \\arg, no `aligned`."""
    tex = re.sub(r"\\[bB]igg?[lrm]?\s*(?=\\(?:\||[lr]?[vV]ert\b))", "", tex)
    for name, known in KNOWN.items():
        tex = re.sub(rf"\\(begin|end)\{{{name}\*?\}}", rf"\\\1{{{known}}}", tex)
    return re.sub(r"\\arg\b", r"\\operatorname{arg}", tex)


def _depth(tex: str) -> int:
    deepest = depth = 0
    for sign in tex:
        depth += (sign == "{") - (sign == "}")
        deepest = max(deepest, depth)
    return deepest
