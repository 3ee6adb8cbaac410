"""What a course holds about one person, in one file for that person.

Nothing of the autograded notebooks, which hold hidden tests: the feedback pages say what they say.
"""

import json
from pathlib import Path

from nbgrader.api import Grade, Gradebook, SubmittedAssignment, SubmittedNotebook

from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.files import can_be_kept, regular_files, zipped
from viva_examiner.gradebook import class_roster, ledger, request_book
from viva_examiner.gradebook.database import gradebook_errors

ROOMS = ("submitted", "feedback")


def write(course: Course, student: str, target: Path) -> list[str]:
    """Write the archive, for its owner's eyes only; the names of what is in it."""
    names = [student, *sorted({name for (name, _), line in class_roster.read(course).lines.items()
                               if line.attempt_of == student})]
    entries = {"about.json": _json(_about(course, names))}
    for name in names:
        for room in ROOMS:
            top = Path(course.path(room, name, "*")).parent
            entries |= {f"{room}/{name}/{path.relative_to(top)}": path.read_bytes()
                        for path in regular_files(top) if can_be_kept(path)}
    write_whole(target, zipped(entries), 0o600)
    return sorted(entries)


def _about(course: Course, names: list[str]) -> dict:
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as book:
        people = [each for each in book.students if each.id in names]
        if not people:
            raise Failure(f"the gradebook knows nothing of {names[0]}")
        return {
            "students": [{"id": each.id, "first_name": each.first_name, "email": each.email,
                          "last_name": each.last_name, "lms_user_id": each.lms_user_id}
                         for each in people],
            "marks": [_mark(work, notebook, grade) for name in [each.id for each in people]
                      for work in book.student_submissions(name) for notebook in work.notebooks
                      for grade in notebook.grades],
            "roster": [vars(line) for line in class_roster.read(course).lines.values()
                       if line.student in names],
            "ledger": [vars(entry) for name in names
                       for entry in ledger.Ledger(book.db).entries(student=name)],
            "requests": [vars(each) for name in names for each in request_book.of_student(book.db,
                                                                                      name)],
        }


def _mark(work: SubmittedAssignment, notebook: SubmittedNotebook, grade: Grade) -> dict:
    comment = next((each for each in notebook.comments if each.cell.name == grade.cell.name), None)
    return {"submission": work.student_id, "homework": work.name, "handed_in": work.timestamp,
            "cell": grade.cell.name, "points": grade.cell.max_score,
            "automatic": grade.auto_score, "by_hand": grade.manual_score,
            "extra": grade.extra_credit, "waits": bool(grade.needs_manual_grade),
            "comment": (comment.manual_comment or comment.auto_comment) if comment else None}


def _json(data: dict) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False, default=str).encode()
