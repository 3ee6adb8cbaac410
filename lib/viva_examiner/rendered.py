"""Markdown as the HTML that our pages show: cleaned, formulas drawn, nothing left to a script.

Whoever wrote it: `viva written`, feedback and formgrader show staff's and students' words by this
one function. A formula is MathML, made here, each one by itself: no macro of one text changes
another, and no TeX is left for the browser to run.
"""

import functools

from viva_examiner.allowed import cleaned
from viva_examiner.formulas import with_formulas
from viva_examiner.harmless import ATTACHED, MAX_MARKDOWN, fenced, html_of, is_bounded


def rendered(source: str, attachments: dict | None = None) -> str:
    """The HTML of a text; what would take too long to look at is shown as it was written."""
    if attachments:
        return _rendered(source, attachments)
    return _without_pictures(ATTACHED.sub("", source))  # the renderer would look for their data


@functools.lru_cache(maxsize=4096)  # most cells are the same in every submission
def _without_pictures(source: str) -> str:
    return _rendered(source)


def _rendered(source: str, attachments: dict | None = None) -> str:
    if not is_bounded(source):
        return cleaned(html_of(fenced(source[:MAX_MARKDOWN])))
    try:
        page = html_of(source, attachments)
    except Exception:  # whatever breaks the renderer, or a picture that is not there
        page = html_of(fenced(source))
    return with_formulas(cleaned(page))
