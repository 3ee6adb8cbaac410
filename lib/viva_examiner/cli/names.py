"""Names that a person typed: homeworks and students, or the sentence that helps to find them."""

import textwrap
from pathlib import Path

from viva_examiner.nearest import did_you_mean

MAKE_NAMES = ("new", "rename")  # commands whose names need not exist yet
ANYBODY = ("grade-log",)  # a log may come from anywhere


class Unknown(Exception):
    """There is no such homework or student."""


def check(args, course) -> None:
    """Raise Unknown if a command names a homework or a student that nobody has heard of."""
    if args.command in MAKE_NAMES:
        return
    wanted = getattr(args, "homework", None) or []
    for name in [wanted] if isinstance(wanted, str) else wanted:
        check_homework(course, name)
    student = getattr(args, "student", None)
    if args.command not in ANYBODY and student and not set("*?[") & set(student):
        check_student(course, student)


def check_homework(course, name: str) -> None:
    """In source/, in release/, or in a gradebook that came from elsewhere."""
    released = Path(course.path("release", ".", "*")).parent
    known = {*course.homeworks(), *(path.parent.name for path in released.glob("*/*.ipynb"))}
    if name not in known and name not in (known := known | set(_in_gradebook(course)[0])):
        all_ = textwrap.fill(f"homeworks: {', '.join(sorted(known)) or 'none yet'}", 100,
                             break_on_hyphens=False, subsequent_indent="  ")
        raise Unknown(f"there is no homework {name}{did_you_mean(name, known)}\n{all_}")


def check_student(course, name: str) -> None:
    """In submitted/, or in nbgrader's table of students."""
    pattern = Path(course.path("submitted", name, "*"))
    if any(pattern.parent.glob(pattern.name)):
        return
    if name not in (known := students_of(course)):
        raise Unknown(f"there is no student {name}{did_you_mean(name, known)}")


def students_of(course) -> set[str]:
    """Everybody who handed something in or is in nbgrader's table."""
    from viva_examiner.gradebook.submissions import submissions

    return {each.student for each in submissions(course, "*")} | set(_in_gradebook(course)[1])


def _in_gradebook(course) -> tuple[list[str], list[str]]:
    """(homeworks, students) of the gradebook; nothing of one that does not exist."""
    from nbgrader.api import Gradebook

    from viva_examiner.gradebook.database import gradebook_errors

    url = course.db_url
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).is_file():
        return [], []
    with gradebook_errors(), Gradebook(url, course.directory.course_id) as gradebook:
        return ([each.name for each in gradebook.assignments],
                [each.id for each in gradebook.students])
