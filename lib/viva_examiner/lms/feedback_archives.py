"""Feedback pages in the archive that a platform takes back, a page for each upload it exported.

A platform knows a student's feedback by the outer name of what it exported, so the export that was
collected is read once more, by the rules of `viva collect`. Nothing but feedback is put in:
platforms show a student whatever lies there.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook

from viva_examiner.collect.sources import Sources
from viva_examiner.collect.students import Students
from viva_examiner.collect.uploads import Upload, uploads_of
from viva_examiner.collect.worksheet import Worksheet
from viva_examiner.course import Course
from viva_examiner.files import zipped
from viva_examiner.gradebook.database import gradebook_errors
from viva_examiner.lms.platform_failure import LmsFailure


@dataclass
class PackedFeedback:
    """The archive, and whom it could not hold."""

    data: bytes = b""
    students: list[str] = field(default_factory=list)
    without_upload: list[str] = field(default_factory=list)  # a page, but nothing in the export
    without_page: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # "what: why" of the export


def _moodle(upload: Upload, page: str) -> str:
    """Moodle asks for the number alone; a name with an underscore would hide it."""
    number = upload.person[1]
    return f"Participant_{number}_assignsubmission_file/{page}" if number.isdigit() else ""


def _canvas(upload: Upload, page: str) -> str:
    """doejane_12345_67890_work.ipynb: the two numbers say whose file is commented on."""
    own = upload.files[0].name if upload.files else ""
    return f"{upload.outer.removesuffix(own)}{page}" if own and upload.outer.endswith(own) else ""


def _brightspace(upload: Upload, page: str) -> str:
    """The folder as it was exported."""
    return f"{upload.outer.split('/')[0]}/{page}" if "/" in upload.outer else ""


NAMES: dict[str, tuple[str, Callable[[Upload, str], str]]] = {
    "moodle": ("Moodle", _moodle), "canvas": ("Canvas", _canvas),
    "brightspace": ("Brightspace", _brightspace)}


def packed(course: Course, homework: str, platform: str, source: Path,
           worksheet: Path | None = None) -> PackedFeedback:
    """The feedback of a homework as one zip. LmsFailure if the export is not there, or another
    platform's.

    source: what `viva collect` was given
    worksheet: Moodle's, where names alone do not say who somebody is
    """
    if not source.exists():
        raise LmsFailure(f"there is no {source}: give --from what you gave `viva collect`")
    found = PackedFeedback()
    entries: dict[str, bytes] = {}
    shown, name_of = NAMES[platform]
    uploads = _uploads(course, homework, source, worksheet, found)
    if not any(each.person[0] == shown for each in uploads.values()):
        raise LmsFailure(f"{source} is not an export of {shown}, or names none of our students")
    pages = {path.parents[1].name: path.parent
             for path in Path(course.path("feedback", "*", homework)).parents[1].glob(
                 f"*/{homework}/*.html")}
    for student, upload in sorted(uploads.items()):
        folder = pages.pop(student, None)
        if folder is None:
            found.without_page.append(student)
            continue
        names = {name_of(upload, page.name): page for page in sorted(folder.glob("*.html"))}
        if "" in names:
            found.without_upload.append(student)
            continue
        entries |= {name: page.read_bytes() for name, page in names.items()}
        found.students.append(student)
    found.without_upload += sorted(pages)
    found.data = zipped(entries)
    return found


def _uploads(course: Course, homework: str, source: Path, worksheet: Path | None,
             found: PackedFeedback) -> dict[str, Upload]:
    """{student: the newest upload in the export}"""
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        students = Students.in_gradebook(gradebook)
    table = Worksheet.in_file(worksheet) if worksheet else None
    owned = uploads_of(Sources(homework, students, table).read([source]).files, students)
    found.refused = owned.refused
    uploads = sorted(owned.uploads, key=lambda each: (each.when is not None, str(each.when)))
    return {each.student: each for each in uploads}
