"""Formgrader's page of a submission, without a line of formgrader changed.

It writes names, ids, Markdown and a cell's HTML into the page as they are, on the origin that holds
the gradebook and the kernels, and loads MathJax from a network. Its exporter reads one line of the
course's configuration, and this step does the rest from there.
"""

import html
import re

from jinja2 import ChoiceLoader, DictLoader, Environment, pass_context
from jinja2.runtime import Context
from nbconvert.filters import Highlight2HTML
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

from viva_examiner.allowed import harmless_html
from viva_examiner.formulas import math_style, with_formulas
from viva_examiner.harmless import PICTURES, fenced, is_picture
from viva_examiner.rendered import rendered

WRITTEN = ("student", "first_name", "last_name", "notebook_path")
LANGUAGE = re.compile(r"[\w+#.-]{0,40}")  # it becomes a class of code cells; so does a tag
NO_MATHJAX = DictLoader({"mathjax.html.j2": "{% macro mathjax(url='') %}{% endmacro %}"})


class HarmlessPage(Preprocessor):
    """`HTMLExporter.preprocessors`: what a student wrote is shown, and does nothing else.

    Whoever graded the notebook: what the examiner would have kept out of it is taken out here. Of
    what is said about a cell only nbgrader's own part stays: tags would be classes.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        for key in WRITTEN:
            if isinstance(resources.get(key), str):
                resources[key] = html.escape(resources[key])
        assert self.parent is not None  # the exporter, one of whose steps this is
        language = nb.metadata.get("language_info", {})
        if not all(LANGUAGE.fullmatch(str(word)) for word in language.values()):
            self.parent.register_filter("highlight_code", Highlight2HTML(parent=self.parent))
        for cell in nb.cells:
            about = cell.metadata.get("nbgrader")
            if about is not None and "grade_id" in about:
                about["grade_id"] = html.escape(str(about["grade_id"]))
            cell.metadata = NotebookNode() if about is None else NotebookNode(nbgrader=about)
            if cell.cell_type == "raw":
                cell.cell_type, cell.source = "markdown", fenced(cell.source)
            for output in cell.get("outputs", ()):
                if "data" in output:
                    output.data = shown(output.data)
                    output.metadata = _described(output.get("metadata", {}))
        self.parent.register_filter("markdown2html", _words)
        _without_mathjax(self.parent.environment)
        resources.setdefault("inlining", {}).setdefault("css", []).append(math_style())
        return nb, resources


def _without_mathjax(environment: Environment) -> None:
    """Formulas are drawn already; TeX that is left is text, and no script may take it up."""
    loader = environment.loader
    assert loader is not None  # nbconvert always sets one
    if not (isinstance(loader, ChoiceLoader) and NO_MATHJAX in loader.loaders):
        environment.loader = ChoiceLoader([NO_MATHJAX, loader])


@pass_context
def _words(context: Context, source: str) -> str:
    """nbconvert's filter `markdown2html`, which every Markdown of the page goes through."""
    return rendered(source, context.get("cell", {}).get("attachments"))


def shown(data: dict) -> NotebookNode:
    """Of what a cell displays: pictures, words, and HTML and formulas that are harmless."""
    kept = NotebookNode({mime: value for mime, value in data.items()
                         if mime in ("text/plain", "text/markdown") and isinstance(value, str)
                         or mime in PICTURES and is_picture(mime, value)})
    tex, page = data.get("text/latex"), data.get("text/html")
    if isinstance(tex, str):
        drawn = with_formulas(f"<div>{html.escape(tex)}</div>")
        if "<math" in drawn:
            kept["text/html"] = drawn
        else:
            kept.setdefault("text/plain", tex)
    elif isinstance(page, str) and (page := harmless_html(page)):
        kept["text/html"] = page
    return kept


def _described(metadata: dict) -> NotebookNode:
    """The words for a picture, and no wish of where it should come from."""
    return NotebookNode({mime: NotebookNode(alt=about["alt"]) for mime, about in metadata.items()
                         if mime in PICTURES and isinstance(about, dict)
                         and isinstance(about.get("alt"), str)})
