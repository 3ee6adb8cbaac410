"""An autograded notebook as data for a page: every part of it shown, none of it obeyed.

The cells go through what formgrader's and the feedback's pages use: Markdown becomes clean HTML
with its formulas drawn, outputs keep pictures, words and harmless HTML, code is text.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from markupsafe import Markup
from nbformat import NotebookNode

from viva_examiner.allowed import cleaned
from viva_examiner.harmless import PICTURES, fenced, harmless_attachments, harmless_markdown
from viva_examiner.nbgrader_steps.formgrader_page import shown
from viva_examiner.notebook.metadata import grade_id
from viva_examiner.rendered import rendered

MAX_TEXT = 20_000  # characters of one output
MAX_OUTPUTS = 50  # of one cell


@dataclass(frozen=True)
class Output:
    """One output: a text, clean HTML, or a picture's own data."""

    kind: str  # text, html, picture or error
    text: str = ""
    page: Markup = Markup()
    words: str = ""  # for who does not see the picture


@dataclass(frozen=True)
class ShownCell:
    """One cell."""

    kind: str  # code or words
    name: str  # its grade_id; empty for a cell of nobody's
    source: str
    page: Markup
    outputs: tuple[Output, ...] = ()


def cells(path: Path) -> list[ShownCell]:
    """The cells of a notebook of ours on disk; none if it is not there or cannot be read."""
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception:  # whatever nbformat trips over: there is nothing to show
        return []
    return [_shown(cell) for cell in notebook.cells]


def _shown(cell: NotebookNode) -> ShownCell:
    if cell.cell_type == "code":
        return ShownCell("code", grade_id(cell), cell.source, Markup(),
                         tuple(made for output in cell.get("outputs", [])[:MAX_OUTPUTS]
                               if (made := _output(output))))
    words = cell.source if cell.cell_type == "markdown" else fenced(cell.source)
    page = rendered(harmless_markdown(words), harmless_attachments(cell.get("attachments")))
    return ShownCell("words", grade_id(cell), "", Markup(page))


def _output(output: NotebookNode) -> Output | None:
    if output.output_type == "stream":
        return Output("text", _text(output.text))
    if output.output_type == "error":
        return Output("error", _text(f"{output.get('ename')}: {output.get('evalue')}"))
    kept = shown(output.get("data", {}))
    for kind in PICTURES:
        if kind in kept:
            data = "".join(str(kept[kind]).split())
            return Output("picture", f"data:{kind};base64,{data}",
                          words=_described(output.get("metadata", {}), kind))
    if "text/html" in kept:
        page = kept["text/html"]  # <math> is ours: a student's is taken out; styles are forbidden
        return Output("html", page=Markup(page if "<math" in page else cleaned(page)))
    if "text/markdown" in kept:
        return Output("html", page=Markup(rendered(harmless_markdown(kept["text/markdown"]))))
    return Output("text", _text(kept["text/plain"])) if "text/plain" in kept else None


def _described(metadata: dict[str, Any], kind: str) -> str:
    about = metadata.get(kind)
    words = about.get("alt") if isinstance(about, dict) else None
    return words if isinstance(words, str) else "A picture without a description"


def _text(words: object) -> str:
    text = str(words)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]} …"
