"""`viva explain`: why a student has this mark."""

import sys

from viva_examiner.autograde.pool import WorkerFailed
from viva_examiner.explain.asking import CannotExplain, explain
from viva_examiner.explain.page import write_page
from viva_examiner.explain.telling import as_text, for_staff, for_student
from viva_examiner.gradebook.released import Unreleased
from viva_examiner.records import NOT_GRADED
from viva_examiner.sandbox import isolation

HELP = """For the student who asks "why?": each rubric item, the inputs on which it failed, the
student's answer beside the expected one, the known mistake if it is one, and how to replay it in a
notebook. The submission is examined once more, in the sandbox; no mark is written.

What it prints, and its page below reports/explained/, hold secret inputs and right answers: they
are for staff. With --for-student it writes a page to send, with nothing secret in it."""
EXAMPLE = "viva explain kernel_attention ada linear_attention"


def arguments(parser) -> None:
    parser.add_argument("homework")
    parser.add_argument("student")
    parser.add_argument("exercise", nargs="?", default="", help="only this one (default: all)")
    parser.add_argument("--for-student", action="store_true", help="a page to send, nothing secret")


def run(args, course) -> int:
    try:
        isolation.chosen(course.settings.trusted_machine)
        told = explain(course, args.homework, args.student, args.exercise)
    except isolation.CannotIsolate as error:
        print(f"viva explain: {error}", file=sys.stderr)
        return 3
    except (CannotExplain, Unreleased, WorkerFailed, OSError) as error:
        print(f"viva explain: {error}", file=sys.stderr)
        return 2
    library = course.settings.course if hasattr(course.library, "replay") else ""
    page = for_student(told) if args.for_student else for_staff(told, library)
    print(as_text(page))
    if told.changed:
        names = ", ".join(test.exercise for test in told.changed)
        print(f"\nThe mark on record is another one ({names}): what it rests on has changed. "
              f"viva regrade {args.homework} --dry-run", file=sys.stderr)
    print(f"\n{write_page(course, page)}")
    return 1 if told.status == NOT_GRADED else 0
