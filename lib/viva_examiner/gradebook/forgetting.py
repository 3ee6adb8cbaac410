"""A person is removed from a course: gradebook, ledger, folders, pages, tables, roster."""

import csv
import io
import re
import shutil
from pathlib import Path

from nbgrader.api import Gradebook

from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import class_roster, ledger, request_book
from viva_examiner.gradebook.database import gradebook_errors

ROOMS = ("submitted", "autograded", "feedback")
PAGES = ("reports/**/*.html", "reports/**/*.json", ".viva-lms/*.members.json", ".viva-desk/*",
         ".viva-wanted/*/*")  # can be made again
ARCHIVES = "exports/*-feedback-*.zip"  # likewise; under the names that a platform has for people
TABLES = ("exports/*.csv", "*.csv")
ELSEWHERE = ("what was downloaded, backups made before, nbgrader's exchange and the learning "
             "platform may still hold it: look there yourself")


def forget(course: Course, student: str, anyway: bool = False) -> list[str]:
    """Remove a student with all attempts; what was removed, in lines.

    anyway: also where the work of a group lies under this name, and its mark goes with it
    """
    people = class_roster.read(course)
    names = [student, *sorted({name for (name, _), line in people.lines.items()
                               if line.attempt_of == student})]
    if not anyway and (shared := _shared(course, people, student)):
        raise Failure(f"the work of a group lies under {student}'s name: {', '.join(shared)}. Move "
                      "its folder to another member's name and autograde it, or say --anyway")
    said = []
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as book:
        entries = ledger.Ledger(book.db)
        for name in names:
            known = [each for each in book.students if each.id == name]
            works = len(book.student_submissions(name)) if known else 0
            gone = entries.forget(name)
            asked = request_book.forget(book.db, name)
            if known:
                book.remove_student(name)
            if known or gone or asked:
                said.append(f"gradebook: {name} (submissions: {works}, entries of the ledger: "
                            f"{gone}, requests: {asked})")
        entries.record(ledger.FORGOTTEN)
        book.db.commit()
    said += [line for name in names for line in _files(course, name)]
    said += [line for name in names for line in _texts(course, name)]
    if any(name == student or line.attempt_of == student for (name, _), line
           in people.lines.items()):
        class_roster.change(course, lambda now: class_roster.Roster.of(
            line for line in now.lines.values() if line.student not in names))
        said.append("roster.csv: their lines")
    return said


def _shared(course: Course, people: class_roster.Roster, student: str) -> list[str]:
    """Homeworks whose only submission of a group is this student's."""
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as book:
        students = [each.id for each in book.students]
        if student not in students:
            return []
        return [work.name for work in book.student_submissions(student)
                for others in [set(people.authors(student, work.name, students)) - {student}]
                if others and not others & {each.student_id for each
                                            in book.assignment_submissions(work.name)}]


def _files(course: Course, name: str) -> list[str]:
    """The folders of a student, and the pages that are about them alone."""
    said = []
    for room in ROOMS:
        pattern = Path(course.path(room, name, "*"))
        for folder in sorted(pattern.parent.glob("*")) if pattern.parent.is_dir() else ():
            shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
            said.append(f"{folder.relative_to(course.root)}")
        if pattern.parent.is_dir() and name in pattern.parent.parts:
            pattern.parent.rmdir()
    own = [*(course.root / "reports").glob("*/*/*.html"), *(course.root / "exports").glob("*.zip")]
    for path in sorted(own):
        if path.stem in (name, f"{name}-to-send"):
            path.unlink()
            said.append(f"{path.relative_to(course.root)}")
    for path in sorted(course.root.glob(ARCHIVES)):
        path.unlink()
        said.append(f"{path.relative_to(course.root)}: all of it; make it again")
    return said


def _texts(course: Course, name: str) -> list[str]:
    """Pages of the class that name the student, whole; of tables their lines."""
    word, said = re.compile(rf"(?<![\w.+-]){re.escape(name)}(?![\w+-])"), []
    for path in (path for pattern in PAGES for path in sorted(course.root.glob(pattern))):
        if path.is_file() and word.search(path.read_text(errors="replace")):
            path.unlink()
            said.append(f"{path.relative_to(course.root)}: all of it; it can be made again")
    for path in (path for pattern in TABLES for path in sorted(course.root.glob(pattern))):
        if path == class_roster.path_of(course):
            continue
        rows = list(csv.reader(io.StringIO(path.read_text(errors="replace"), newline="")))
        left = [row for row in rows if name not in row]
        if len(left) < len(rows):
            text = io.StringIO(newline="")
            csv.writer(text, lineterminator="\n").writerows(left)
            write_whole(path, text.getvalue())
            said.append(f"{path.relative_to(course.root)} (lines: {len(rows) - len(left)})")
    return said
