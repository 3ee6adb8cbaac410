"""Names that a person typed: homeworks and students, or the sentence that helps to find them."""

import argparse
import textwrap
from pathlib import Path

from viva.nearest import did_you_mean
from viva_examiner.course import Course
from viva_examiner.failure import Failure


class Unknown(Failure):
    """There is no such homework or student."""


def check(args: argparse.Namespace, course: Course) -> None:
    """Raise Unknown if a command names a homework or a student that nobody has heard of."""
    wanted = getattr(args, "homework", None) or []
    for name in [wanted] if isinstance(wanted, str) else wanted:
        check_homework(course, name)
    student = getattr(args, "student", None)
    if student and not set("*?[") & set(student):
        check_student(course, student)


def check_homework(course: Course, name: str) -> None:
    """In source/, in release/, or in a gradebook that came from elsewhere."""
    released = Path(course.path("release", ".", "*")).parent
    known = {*course.homeworks(), *(path.parent.name for path in released.glob("*/*.ipynb"))}
    if name not in known and name not in (known := known | set(_in_gradebook(course)[0])):
        all_ = textwrap.fill(f"homeworks: {', '.join(sorted(known)) or 'none yet'}", 100,
                             break_on_hyphens=False, subsequent_indent="  ")
        raise Unknown(f"there is no homework {name}{did_you_mean(name, known)}\n{all_}")


def check_student(course: Course, name: str) -> None:
    """In submitted/, or in nbgrader's table of students."""
    pattern = Path(course.path("submitted", name, "*"))
    if any(pattern.parent.glob(pattern.name)):
        return
    if name not in (known := students_of(course)):
        raise Unknown(f"there is no student {name}{did_you_mean(name, known)}")


def students_of(course: Course) -> set[str]:
    """Everybody who handed something in or is in nbgrader's table."""
    from viva_examiner.gradebook.submissions import submissions

    return {each.student for each in submissions(course, "*")} | set(_in_gradebook(course)[1])


def _in_gradebook(course: Course) -> tuple[list[str], list[str]]:
    """(homeworks, students) of the gradebook; nothing of one that does not exist."""
    from nbgrader.api import Gradebook

    from viva_examiner.gradebook.database import gradebook_errors, is_there

    if not is_there(course.db_url):
        return [], []
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        return ([each.name for each in gradebook.assignments],
                [each.id for each in gradebook.students])
