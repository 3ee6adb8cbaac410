"""The page that a student gets back: its standing in words, its exercises by name, no script.

`c.GenerateFeedback.exporter_class = FeedbackPage` makes nbgrader, formgrader's button and
`viva feedback` write it.
"""

import base64
import functools
import re
import shutil
from pathlib import Path

from bs4 import BeautifulSoup
from jinja2 import pass_context
from markupsafe import Markup, escape
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbgrader.api import Gradebook
from traitlets.config import Config

from viva.log import LOG_NAME
from viva_examiner.course import Course
from viva_examiner.formulas import with_formulas
from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.gradebook.results import Results
from viva_examiner.gradebook.standing import LOOK, Cell, Standing
from viva_examiner.records import UNREADABLE

TEMPLATES = Path(__file__).parent / "templates"
OPENS, CLOSES = "<!-- standing -->", "<!-- /standing -->"
NO_WORDS = re.compile(r"<img\b(?![^>]*\balt=)")


class FeedbackPage(HTMLExporter):
    """nbconvert's HTML, in our layout, with formulas that need nothing but a browser."""

    def __init__(self, config=None, **options):
        own = Config(config or {})  # before anything is read: nbgrader names its own template
        own.FeedbackPage.template_name = "viva_feedback"
        own.FeedbackPage.extra_template_basedirs = [str(TEMPLATES)]
        super().__init__(config=own, **options)
        self._standings: dict[str, dict[str, Standing]] = {}
        self._code: dict[tuple, str] = {}

    def from_notebook_node(self, nb, resources=None, **options):
        about = resources["nbgrader"]
        homework, student = about["assignment"], about["student"]
        standing = self._of(homework).get(student) or Standing(handed_in=False)
        unreadable = nb.metadata.get(RECORD, {}).get("status") == UNREADABLE
        resources["viva"] = {
            "words": standing.words, "note": note(standing), "points": points, "says": says,
            "cells": {cell.name: cell for cell in standing.cells}, "unreadable": unreadable,
            "font": font()}
        if unreadable:
            nb.cells = []  # they are the released ones, and nobody handed them in
        page, resources = self._page(nb, resources, options)
        if self.parent is not None:
            self._only_what_was_handed_in(homework, student)
        return Markup(with_formulas(page)), resources

    def _page(self, nb, resources, options) -> tuple[str, dict]:
        """What nbconvert's exporter does, but for reading its own page again as a tree of ten
        thousand tags, which takes twice as long as all the rest."""
        resources = self._init_resources(resources)
        shown = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self,
                                      resources=resources)
        about = nb.metadata.get("language_info", {})
        colours = Highlight2HTML(parent=self, pygments_lexer=about.get(
            "pygments_lexer", about.get("name")))
        self.register_filter("highlight_code", functools.partial(self._coloured, colours))
        self.register_filter("filter_data_type", shown)
        page, resources = super(HTMLExporter, self).from_notebook_node(nb, resources, **options)
        return NO_WORDS.sub('<img alt="A picture without a description"', page), resources

    def _coloured(self, colours, source: str, language=None, metadata=None) -> str:
        """Code in colours; most cells are the same in every submission."""
        key = source, language or colours.pygments_lexer, (metadata or {}).get("magics_language")
        if key not in self._code:
            self._code[key] = colours(source, language, metadata)
        return self._code[key]

    @pass_context
    def markdown2html(self, context, source):
        """A cell's words; a tag that a student left open ends with its cell."""
        return closed(super().markdown2html(context, source))

    def _of(self, homework: str) -> dict[str, Standing]:
        if homework not in self._standings:
            directory = self.parent.coursedir
            with Gradebook(directory.db_url, directory.course_id) as gradebook:
                course = Course(Path(directory.root))
                self._standings[homework] = Results(gradebook, course).submitted(homework)
        return self._standings[homework]

    def _only_what_was_handed_in(self, homework: str, student: str) -> None:
        """nbgrader copied what lies in autograded/: the examiner's own log is not the student's."""
        course = Course(Path(self.parent.coursedir.root))
        copied = Path(course.path("feedback", student, homework)) / LOG_NAME
        own = Path(course.path("submitted", student, homework)) / LOG_NAME
        was_copied = copied.is_file()
        copied.unlink(missing_ok=True)  # it may be read-only, as an exchange leaves its files
        if was_copied and own.is_file() and not own.is_symlink():
            shutil.copyfile(own, copied)


@functools.lru_cache(maxsize=1024)
def closed(fragment: str) -> str:
    """A piece of HTML with every tag closed."""
    return str(BeautifulSoup(fragment, "html.parser"))


@functools.cache
def font() -> str:
    """The font of the formulas in base64: part of STIX Two Math (its licence lies beside it)."""
    return base64.b64encode((TEMPLATES / "viva_feedback" / "math.woff").read_bytes()).decode()


def note(standing: Standing) -> str:
    """What a student should know before reading marks that are not all there."""
    if not standing.waits:
        return ""
    return (f"This page was made before everything was graded. {standing.note[:1].upper()}"
            f"{standing.note[1:]}.")


def says(cell: Cell) -> str:
    """Why a mark is missing, for the student."""
    worth = f"{points(cell.points)} point{'s' if cell.points != 1 else ''}"
    return (f"a TA will look at it ({worth})" if cell.waits == LOOK
            else f"not graded yet ({worth}, waits for a TA)")


def points(number: float) -> str:
    return f"{round(number, 6):g}"


def for_another(page: str, standing: Standing) -> str:
    """The same page with the standing of another author of a group."""
    before, _, rest = page.partition(OPENS)
    _, _, after = rest.partition(CLOSES)
    said = note(standing)
    words = f"<p><b>{escape(standing.words)}</b></p>"
    if said:
        words += f'<p class="note">{escape(said)}</p>'
    return f"{before}{OPENS}{words}{CLOSES}{after}"
