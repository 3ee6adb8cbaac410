"""`viva collect`: what a learning platform exports, into submitted/."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viva_examiner.collect.collecting import CollectedWork, Collection, Dates
    from viva_examiner.collect.students import Students
    from viva_examiner.course import Course

HELP = """Put submissions into submitted/<student>/<homework>/ from a learning platform's exports:
archives of Canvas, Moodle (flat or in folders), Blackboard, Brightspace and Gradescope, plain zips
(one per student, or one with a folder or file per student), and folders of any of these.

Whose file it is follows from its outer name or the platform's manifest, by the platform's own rule
and file by file, and is compared with nbgrader's table of students (`nbgrader db student import
students.csv`). A name that can be read in two ways is not taken. If you name several archives, each
is taken for one student's, so name a platform's export alone. Moodle's numbers belong to one
assignment: --worksheet says whose they are; without it only a name that is unique in the table
counts.

A table says what would be done, and nothing is written before you agree. The newest upload of a
student counts; the platform's time goes to timestamp.txt. Requests for a second look
(regrade_request.json) go to the gradebook (`viva requests`). Where the roster says that the best
attempt counts, an earlier one stays. Exits with 1 if an upload was not taken or has no notebook."""
EXAMPLE = "viva collect kernel_attention submissions.zip"
HEADS = ("file", "student", "known by", "time (UTC)", "late")
WIDEST = (60, 30, 60, 16, 4)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("archive", nargs="+", type=Path,
                        help="a platform's export, or archives and folders of single students")
    parser.add_argument("--students", type=Path, metavar="CSV",
                        help="a table of students to use instead of the gradebook's")
    parser.add_argument("--worksheet", type=Path, metavar="CSV",
                        help="Moodle's grading worksheet of this assignment")
    parser.add_argument("--yes", action="store_true", help="do not ask; for scripts")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and stop")


def run(args: argparse.Namespace, course: "Course") -> int:
    from viva_examiner.collect.attempts import Attempts
    from viva_examiner.collect.collecting import collect
    from viva_examiner.collect.placing import place
    from viva_examiner.collect.worksheet import Worksheet
    from viva_examiner.failure import Failure
    from viva_examiner.gradebook.request_intake import RequestFile, take_in
    from viva_examiner.gradebook.submissions import profiles_of

    profiles = profiles_of(course)
    if not any(profile.homework == args.homework for profile in profiles):
        known = ", ".join(sorted({profile.homework for profile in profiles})) or "none"
        raise Failure(f"{args.homework} is not released (released: {known})")
    students, dates = _known(args, course)
    worksheet = Worksheet.in_file(args.worksheet) if args.worksheet else None
    found = collect(args.archive, args.homework, profiles, students, dates, worksheet)
    _show(lines(found, students))
    if args.dry_run or not (found.taken or found.requests):
        return _exit_code(found)
    if not args.yes and not _agreed(found):
        print("viva collect: nothing was written", file=sys.stderr)
        return Failure.exit_code
    place(found, lambda name: course.path("submitted", name, args.homework),
          Attempts(course, args.homework))
    _show(done(found))
    _show(take_in(course, args.homework, {student: RequestFile(asks.data, asks.when)
                                          for student, asks in found.requests.items()}))
    return _exit_code(found)


def _known(args: argparse.Namespace, course: "Course") -> "tuple[Students, Dates]":
    """The table of students, with the homework's groups, and the homework's dates."""
    from nbgrader.api import Gradebook, MissingEntry

    from viva_examiner.collect.collecting import Dates
    from viva_examiner.collect.students import Students, squashed
    from viva_examiner.collect.times import released_at
    from viva_examiner.gradebook import class_roster as rosters

    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        students = (Students.in_file(args.students) if args.students
                    else Students.in_gradebook(gradebook))
        try:
            due = gradebook.find_assignment(args.homework).duedate
        except MissingEntry:
            due = None
    if due is not None and due.tzinfo is None:
        due = due.replace(tzinfo=UTC)
    roster = rosters.read(course)
    for student in students.ids:
        if group := roster.group(student, args.homework):
            students.groups.setdefault(squashed(group), []).append(student)
    folder = Path(course.path("release", ".", args.homework))
    return students, Dates(released_at(folder, due), due)


def _agreed(found: "Collection") -> bool:
    what = [f"put these {len(found.taken)} into submitted/"] if found.taken else []
    what += [f"take in requests of {len(found.requests)}"] if found.requests else []
    asks = " and ".join(what)
    try:
        answer = input(f"{asks[0].upper()}{asks[1:]}? [y/N] ")
    except (EOFError, OSError):  # nobody there to ask
        print("\nviva collect: nobody answered; in a script, use --yes", file=sys.stderr)
        return False
    return answer.strip().lower() in ("y", "yes")


def _exit_code(found: "Collection") -> int:
    return int(not (found.taken or found.requests) or bool(found.open)
               or not all(taken.has_notebook for taken in found.taken.values()))


def _show(said: Iterable[str]) -> None:
    """Names and manifests are others' words: nothing of them moves the cursor."""
    from viva.unbroken import unbroken

    for line in said:
        print("".join(sign if sign.isprintable() else " " for sign in unbroken(line)))


def lines(found: "Collection", students: "Students") -> Iterator[str]:
    """The table of what would be taken, then everything else that staff should know."""
    rows = [(taken, _row(taken)) for _, taken in sorted(found.taken.items())]
    wide = [max((len(each) for each in column), default=0)
            for column in zip(HEADS, *(row for _, row in rows), strict=True)]
    if rows:
        yield "  ".join(each.ljust(width) for each, width in zip(HEADS, wide, strict=True)).rstrip()
    for taken, row in rows:
        yield "  ".join(each.ljust(width) for each, width in zip(row, wide, strict=True)).rstrip()
        yield from (f"  {remark}" for remark in taken.remarks)
    for student, asks in sorted(found.requests.items()):
        when = f", {asks.when:%Y-%m-%d %H:%M}" if asks.when else ""
        yield f"{student} asks for a second look: {asks.upload.outer} ({asks.upload.how}{when})"
    if found.refused:
        yield "not taken:"
        yield from (f"  {line}" for line in sorted(set(found.refused)))
    yield from found.notes
    if missing := found.missing(students):
        yield f"nothing from {len(missing)}: {', '.join(sorted(missing))}"
    yield f"{len(found.taken)} submissions"


def _row(taken: "CollectedWork") -> tuple[str, ...]:
    when = f"{taken.when:%Y-%m-%d %H:%M}" if taken.when else "no time"
    row = (taken.upload.outer, taken.student, taken.upload.how, when, "late" if taken.late else "")
    return tuple(_short(each, width) for each, width in zip(row, WIDEST, strict=True))


def _short(text: str, width: int) -> str:
    """The end of a long name is the part that tells files apart."""
    return text if len(text) <= width else f"…{text[1 - width:]}"


def done(found: "Collection") -> Iterator[str]:
    """What became of each submission, those that did not change in one line."""
    same = sum(each == "unchanged" for each in found.placed.values())
    for student, what in sorted(found.placed.items()):
        if what != "unchanged":
            yield f"{student}: {what}"
    if same:
        yield f"{same} unchanged"
