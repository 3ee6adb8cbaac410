"""The page that a student gets back: its standing in words, its exercises by name, no script.

`c.GenerateFeedback.exporter_class = FeedbackPage` makes nbgrader, formgrader's button and
`viva feedback` write it.
"""

import functools
import re
import shutil
from pathlib import Path

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from viva.log import LOG_NAME
from viva_examiner import looks
from viva_examiner.course import Course
from viva_examiner.formulas import math_style, with_formulas
from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.gradebook.request_book import (
    ACCEPTED,
    CORRECTED,
    DECLINED,
    OPEN,
    REFUSED,
    WITHDRAWN,
    Request,
    Requests,
)
from viva_examiner.gradebook.results import Results
from viva_examiner.gradebook.standing import LOOK, Cell, Standing
from viva_examiner.records import UNREADABLE
from viva_examiner.rendered import rendered

TEMPLATES = Path(__file__).parent / "templates"
OPENS, CLOSES = "<!-- standing -->", "<!-- /standing -->"
NO_WORDS = re.compile(r"<img\b(?![^>]*\balt=)")


class FeedbackPage(HTMLExporter):
    """nbconvert's HTML, in our layout, with formulas that need nothing but a browser."""

    def __init__(self, config: Config | None = None, **options: object) -> None:
        own = Config(config or {})  # before anything is read: nbgrader names its own template
        own.FeedbackPage.template_name = "viva_feedback"
        own.FeedbackPage.extra_template_basedirs = [str(TEMPLATES)]
        super().__init__(config=own, **options)
        self._standings: dict[str, dict[str, Standing]] = {}
        self._asked: dict[str, dict[str, dict[str, list[Request]]]] = {}
        self._code: dict[tuple, str] = {}

    def from_notebook_node(  # type: ignore[override]  # text, as nbconvert's own HTML exporter
            self, nb: NotebookNode, resources: dict, **options: object) -> tuple[str, dict]:
        about = resources["nbgrader"]
        homework, student = about["assignment"], about["student"]
        standing = self._of(homework).get(student) or Standing(handed_in=False)
        unreadable = nb.metadata.get(RECORD, {}).get("status") == UNREADABLE
        resources["viva"] = {
            "words": standing.words, "note": note(standing), "points": points, "says": says,
            "cells": {cell.name: cell for cell in standing.cells}, "unreadable": unreadable,
            "math": math_style(), "style": looks.sheet(),
            "requests": self._asked[homework].get(student, {}), "verdict": verdict}
        if unreadable:
            nb.cells = []  # they are the released ones, and nobody handed them in
        page, resources = self._page(nb, resources, options)
        if self.parent is not None:
            self._only_what_was_handed_in(homework, student)
        return Markup(with_formulas(page)), resources

    def _page(self, nb: NotebookNode, resources: dict, options: dict) -> tuple[str, dict]:
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

    def _coloured(self, colours: Highlight2HTML, source: str, language: str | None = None,
                  metadata: dict | None = None) -> str:
        """Code in colours; most cells are the same in every submission."""
        key = source, language or colours.pygments_lexer, (metadata or {}).get("magics_language")
        if key not in self._code:
            self._code[key] = colours(source, language, metadata)
        return self._code[key]

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """A cell's words or a TA's, with nothing in them that a browser would act on."""
        return rendered(source, context.get("cell", {}).get("attachments"))

    def _of(self, homework: str) -> dict[str, Standing]:
        if homework not in self._standings:
            directory = self._directory()
            with Gradebook(directory.db_url, directory.course_id) as gradebook:
                course = Course(Path(directory.root))
                self._standings[homework] = Results(gradebook, course).submitted(homework)
                self._asked[homework] = asked_about(Requests(gradebook.db, course, homework))
        return self._standings[homework]

    def _directory(self) -> CourseDirectory:
        assert self.parent is not None  # nbgrader's application, whose exporter this is
        return self.parent.coursedir

    def _only_what_was_handed_in(self, homework: str, student: str) -> None:
        """nbgrader copied what lies in autograded/: the examiner's own log is not the student's."""
        course = Course(Path(self._directory().root))
        copied = Path(course.path("feedback", student, homework)) / LOG_NAME
        own = Path(course.path("submitted", student, homework)) / LOG_NAME
        was_copied = copied.is_file()
        copied.unlink(missing_ok=True)  # it may be read-only, as an exchange leaves its files
        if was_copied and own.is_file() and not own.is_symlink():
            shutil.copyfile(own, copied)


def note(standing: Standing) -> str:
    """What a student should know before reading marks that are not all there."""
    if not standing.waits:
        return ""
    return (f"This page was made before everything was graded. {standing.note[:1].upper()}"
            f"{standing.note[1:]}.")


def asked_about(requests: Requests) -> dict[str, dict[str, list[Request]]]:
    """{submitter: {cell: requests about its mark}}, without those that were withdrawn."""
    found: dict[str, dict[str, list[Request]]] = {}
    for each in requests.all():
        if each.state != WITHDRAWN and not (each.submitter and requests.is_outdated(each)):
            cells = found.setdefault(each.submitter or each.student, {})
            cells.setdefault(each.cell.rpartition("/")[2], []).append(each)
    return found


def verdict(request: Request) -> str:
    """What became of a request, for the student."""
    when = f" on {request.answered_at:%Y-%m-%d}" if request.answered_at else ""
    return {OPEN: "not answered yet", ACCEPTED: f"accepted{when}",
            CORRECTED: f"the mark was corrected{when}", DECLINED: f"declined{when}",
            REFUSED: "not taken"}[request.state]


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
