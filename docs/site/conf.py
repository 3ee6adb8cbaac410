"""How Sphinx makes the site: everything local, formulas drawn here, no notebook run."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from viva_examiner.formulas import math_style, mathml

project, author = "Viva", "the Viva authors"
html_title = "Viva"
extensions = ["myst_nb"]
exclude_patterns = ["downloads"]

nb_execution_mode = "off"  # a page shows the notebook as students get it
nb_ipywidgets_js: dict = {}  # the default loads two scripts from a content network
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_dmath_double_inline = True  # $$ … $$ within a paragraph, as JupyterLab shows it
myst_heading_anchors = 3  # links to a heading of a page, as on a code forge
html_math_renderer = "mathml"
highlight_language = "none"  # a block without a language is typed, not Python

html_theme = "sphinx_book_theme"
html_theme_options = {
    "use_download_button": False,  # its download is our source; a page's own button is in its text
    "use_fullscreen_button": False,
    "show_toc_level": 2,
    "navbar_persistent": [],  # the sidebar has the search
}
html_context = {"default_mode": "auto"}  # light or dark as the reader's machine is
html_static_path = ["static"]
html_css_files = ["formulas.css", "style.css"]
html_show_sourcelink = html_copy_source = False
html_show_copyright = False
html_last_updated_fmt = None  # the same bytes from the same course


def formula(translator: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """A formula as MathML, which browsers draw by themselves; one that cannot be is a warning."""
    shown = isinstance(node, nodes.math_block)
    made = mathml(node.astext(), shown)
    if not made:
        logging.getLogger(__name__).warning("cannot draw %s", node.astext(), location=node)
    tag = "div" if shown else "span"
    translator.body.append(f'<{tag} class="formula">{made}</{tag}>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    (Path(app.srcdir) / "static" / "formulas.css").write_text(math_style())
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))
