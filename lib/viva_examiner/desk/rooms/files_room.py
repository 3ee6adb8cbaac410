"""Pages that are files: feedback as the student sees it, an explanation, the looks of formulas.

They carry their own style sheet, so they are served under a policy of their own: no script, no
request, no form, and an origin that is nobody's (`sandbox`).
"""

from pathlib import Path

from tornado import web

from viva_examiner.course import Course
from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.rooms.place import NAME
from viva_examiner.formulas import math_style

PLACE = None
ALONE = ("default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'self'")


def feedback_of(course: Course, student: str, homework: str) -> list[Path]:
    """The feedback pages of a student."""
    return sorted(Path(course.path("feedback", student, homework)).glob("*.html"))


def explained(course: Course, student: str, homework: str) -> Path:
    """Where `viva explain` leaves the staff's page."""
    return course.root / "reports" / "explained" / homework / f"{student}.html"


class File(Page):
    """A page of ours from disk."""

    @property
    def content_security_policy(self) -> str:
        return ALONE

    def send(self, path: Path) -> None:
        if not path.is_file() or path.is_symlink():
            raise web.HTTPError(404, "this page does not exist yet")
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        self.finish(path.read_bytes())


class Feedback(File):
    @signed_in
    def get(self, student: str, homework: str, notebook: str) -> None:
        pages = feedback_of(self.course, self.student(student), self.homework(homework))
        self.send(next((path for path in pages if path.stem == notebook), Path("/nowhere")))


class ExplainedFile(File):
    @signed_in
    def get(self, student: str, homework: str) -> None:
        self.send(explained(self.course, self.student(student), self.homework(homework)))


class Formulas(Page):
    """The looks of formulas, which carry their own fonts."""

    @signed_in
    def get(self) -> None:
        self.set_header("Content-Type", "text/css; charset=UTF-8")
        self.set_header("Cache-Control", "private, max-age=3600")
        self.finish(math_style())


HANDLERS = [(rf"/feedback/{NAME}/{NAME}/{NAME}", Feedback),
            (rf"/explained/{NAME}/{NAME}", ExplainedFile), (r"/math\.css", Formulas)]
