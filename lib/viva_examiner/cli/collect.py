"""`viva collect`: what a learning platform exports, into submitted/."""

import sys
from pathlib import Path

HELP = """Put submissions into submitted/<student>/<homework>/ from a learning platform's exports:
archives of Canvas, Moodle (flat or in folders), Blackboard, Brightspace and Gradescope, plain zips
(one per student, or one with a folder or file per student), and folders of any of these.

Whose an upload is, is read off its outer name or the platform's manifest, never off what is inside.
Names become ids by nbgrader's table of students (`nbgrader db student import students.csv`). The
newest upload of a student counts; its time goes to timestamp.txt. Where the roster says that the
best attempt counts, an earlier one that was collected before stays. Every file not taken is
listed with the reason. Ends in 1 if somebody's upload holds no notebook, or cannot be read."""
EXAMPLE = "viva collect kernel_attention submissions.zip"


def arguments(parser) -> None:
    parser.add_argument("homework")
    parser.add_argument("archive", nargs="+", type=Path, help="archives and folders, in any order")
    parser.add_argument("--students", type=Path, metavar="CSV",
                        help="a table of students to use instead of the gradebook's")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and stop")


def run(args, course) -> int:
    from nbgrader.api import Gradebook, MissingEntry

    from viva_examiner.collect.attempts import Attempts
    from viva_examiner.collect.students import Students
    from viva_examiner.collect.taking import collect, place
    from viva_examiner.gradebook.submissions import faces_of

    faces = faces_of(course)
    if not any(face.homework == args.homework for face in faces):
        known = ", ".join(sorted({face.homework for face in faces})) or "none"
        print(f"viva collect: {args.homework} is not released (released: {known})",
              file=sys.stderr)
        return 2
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        students = (Students.in_file(args.students) if args.students
                    else Students.in_gradebook(gradebook))
        try:
            due = gradebook.find_assignment(args.homework).duedate
        except MissingEntry:
            due = None
    if due is not None and due.tzinfo is None:
        from datetime import UTC
        due = due.replace(tzinfo=UTC)
    found = collect(args.archive, args.homework, faces, students, due)
    if not args.dry_run:
        place(found, lambda name: course.path("submitted", name, args.homework),
              Attempts(course, args.homework))
    print("\n".join(lines(found, students, args.dry_run)))
    return int(not found.taken or any("no notebook of" in line or "not a zip" in line
                                      for line in found.refused))


def lines(found, students, dry_run: bool = False) -> list[str]:
    """What staff should know, a line each."""
    said = []
    for student, taken in sorted(found.taken.items()):
        when = taken.upload.when.strftime("%Y-%m-%d %H:%M UTC") if taken.upload.when else "no time"
        late = ", late" if taken.upload.late else ""
        what = "would be taken" if dry_run else found.placed[student]
        said.append(f"{student}: {what} ({when}{late})")
        said += [f"  {remark}" for remark in taken.remarks]
    if found.refused:
        said += ["not taken:", *(f"  {line}" for line in sorted(set(found.refused)))]
    if missing := found.missing(students):
        said.append(f"nothing from {len(missing)}: {', '.join(sorted(missing))}")
    return [*said, f"{len(found.taken)} submissions"]
