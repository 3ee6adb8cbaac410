"""Where a source notebook states results: marks around words, titles of figures, read-outs.

`<!-- claim: id -->the words<!-- /claim -->` in a Markdown cell marks what the claim `id` of the
course's library proves. Students see the words only.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from viva_examiner.notebook.cells import tree_of

MARK = re.compile(r"<!--\s*(?:claim:\s*(?P<name>\w+)|(?P<end>/claim))\s*-->")
LOOKS_LIKE_ONE = re.compile(r"<!--[\s/]*claims?\b[^>]*-->", re.I)
TITLED = ("set_title", "suptitle", "title")  # of matplotlib: functions whose first word is one
VALUE = "{}"  # stands for what a title computes
READ_OUT = re.compile(
    r"<summary>\s*What (?:the \w+ shows?|you (?:should )?see)\b.*?</summary>(.*?)</details>",
    re.S | re.I)
QUESTIONS = re.compile(r"(?:What|Who|Which|Where|When|How|Why)\b")
# A number that is a result: not that of an exercise, a year, a unit of a formula's name (S4, s1).
NUMBER = re.compile(r"(?<![\w.^_{])(?<![A-Za-z]-)\d[\d,]*(?:\.\d+)?")
NAMED = re.compile(r"(?:exercises?|questions?|sections?|parts?|figures?|tables?|equations?|hints?)"
                   r"\s+\d[\d.]*(?:(?:,| and| to)\s+\d[\d.]*)*|\((?:[^()]*\s)?(?:19|20)\d\d\)"
                   r"|\[[^\]]*\]\([^)]*\)", re.I)


@dataclass(frozen=True)
class ClaimedWords:
    """Words of a cell that a claim covers."""

    name: str
    words: str


def without_claims(text: str) -> str:
    """A cell's words as students read them."""
    return MARK.sub("", text)


def marked(text: str) -> tuple[list[ClaimedWords], str]:
    """The claims of a Markdown cell, and what is wrong with its marks, if anything is."""
    found: list[ClaimedWords] = []
    begun, start = "", 0
    for mark in MARK.finditer(text):
        if mark["name"] and begun:
            return found, f"begins the claim {mark['name']} inside the claim {begun}"
        if mark["end"] and not begun:
            return found, "ends a claim that has not begun"
        if mark["end"]:
            found.append(ClaimedWords(begun, text[start : mark.start()]))
        begun, start = mark["name"] or "", mark.end()
    if begun:
        return found, f"does not end the claim {begun}"
    odd = [each[0] for each in LOOKS_LIKE_ONE.finditer(text) if not MARK.fullmatch(each[0])]
    return found, f"has something like a mark that is not one: {odd[0]}" if odd else ""


def unproven_numbers(text: str) -> list[str]:
    """The numbers in a cell's "What the picture shows" that stand in no claim."""
    outside = "\0".join(MARK.sub("\0", text).split("\0")[::2])  # marks come in pairs
    return [number for part in READ_OUT.findall(outside)
            for number in NUMBER.findall(NAMED.sub("", part))]


def titles(source: str) -> Iterator[str]:
    """The titles that a code cell gives its figures, with {} for what it computes."""
    for node in ast.walk(tree_of(source) or ast.Module([], [])):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        given = [word.value for word in node.keywords if word.arg == "title"]
        given += node.args[:1] if name in TITLED else []
        yield from filter(None, map(_words, given))


def _words(node: ast.expr) -> str:
    """The literal text of an expression; empty where there is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE
                       for part in node.values)
    return ""


def states_finding(title: str) -> bool:
    """Whether a title says what was found. One that only names a panel, or asks, begins with a
    small letter, a symbol, a value or a question word."""
    words = title.lstrip("… .")
    return words != title.strip() or bool(words[:1].isupper() and not QUESTIONS.match(words))
