"""The class report, as `viva report` writes it, with links into the desk."""

from datetime import UTC, datetime

from markupsafe import Markup

from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.rooms.place import NAME, RoomLink
from viva_examiner.gradebook.database import file_of
from viva_examiner.report.report_page import for_desk

PLACE = RoomLink("report", "Class report", of_homework=True)


class ReportRoom(Page):
    """It takes seconds to make for a large class, so a run makes it and this page shows it."""

    @signed_in
    def get(self, homework: str) -> None:
        path = for_desk(self.course, self.homework(homework))
        made = datetime.fromtimestamp(path.stat().st_mtime, UTC) if path.is_file() else None
        book = file_of(self.course.db_url)
        changed = bool(made and book and book.is_file()
                       and book.stat().st_mtime > path.stat().st_mtime)
        # our own page, every word of it escaped when it was written
        body = Markup(path.read_text()) if made else Markup()
        self.show("report", here="report", homework=homework, made=made, body=body,
                  changed=changed)


HANDLERS = [(rf"/report/{NAME}", ReportRoom)]
