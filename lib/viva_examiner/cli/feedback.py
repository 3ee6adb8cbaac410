"""`viva feedback`: a page for each student."""

import argparse
from pathlib import Path

from viva_examiner.course import Course

HELP = """Write feedback/STUDENT/HOMEWORK/HOMEWORK.html for everybody who handed something in: the
points of each exercise and rubric item, hints, comments, the student's own figures, and no line of
a hidden test. One file without a script; formulas need no network. A page that is made before the
written answers are graded says so; make it again afterwards.

With --for, the pages are also packed as the platform takes them back, in one zip: the platform
knows whose each page is by its own names, so the export that you collected is read once more."""
EXAMPLE = "viva feedback kernel_attention"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--student", default="*", metavar="ID", help="only this student")
    parser.add_argument("--for", dest="platform", choices=("moodle", "canvas", "brightspace"))
    parser.add_argument("--from", dest="export", type=Path, metavar="EXPORT",
                        help="what you collected; default: downloaded/HOMEWORK/archive")
    parser.add_argument("--worksheet", type=Path, metavar="CSV", help="Moodle's grading worksheet")
    parser.add_argument("--to", type=Path, metavar="ZIP",
                        help="default: HOMEWORK-feedback-PLATFORM.zip in the folder exports/")


def run(args: argparse.Namespace, course: Course) -> int:
    from viva_examiner.gradebook.released_rows import load
    from viva_examiner.nbgrader_steps.feedback_files import make_feedback

    load(course, args.homework)
    results = make_feedback(course, args.homework, args.student)
    made = [each for each in results if each.submitter]
    open_ = sum(each.standing.score is None for each in made)
    print(f"feedback pages of {len(made)} in {course.path('feedback', '*', args.homework)}")
    if open_:
        print(f"not everything is graded yet on {open_} of them: make them again when it is")
    return _pack(args, course) if args.platform else 0


def _pack(args: argparse.Namespace, course: Course) -> int:
    """The pages in one archive; 1 if somebody's page could not be put in."""
    from viva.whole import write_whole
    from viva_examiner.lms.feedback_archives import packed

    source = args.export or course.root / "downloaded" / args.homework / "archive"
    found = packed(course, args.homework, args.platform, source, args.worksheet)
    path = args.to or course.root / "exports" / f"{args.homework}-feedback-{args.platform}.zip"
    write_whole(path, found.data)
    print(f"{path}: the pages of {len(found.students)}, for {args.platform}")
    for why, names in (("a page, but no upload in the export", found.without_upload),
                       ("an upload, but no page yet", found.without_page),
                       ("not taken from the export", found.refused)):
        if names:
            print(f"  {why}: {', '.join(names)}")
    return int(bool(found.without_upload or found.refused))
