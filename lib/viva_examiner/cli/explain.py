"""`viva explain`: why a student has this mark."""

import argparse
import sys

from viva_examiner.course import Course
from viva_examiner.explain.examining import explain
from viva_examiner.explain.explanation_page import write_page
from viva_examiner.explain.explanation_text import as_text, for_staff, for_student
from viva_examiner.records import NOT_GRADED

HELP = """For the student who asks "why?": each rubric item, the inputs on which it failed, the
student's answer beside the expected one, the known mistake if it is one, and how to replay it in a
notebook. The submission is examined once more, in the sandbox; no mark is written.

What it prints, and its page below reports/explained/, hold secret inputs and right answers: they
are for staff. With --for-student it writes a page to send, with nothing secret in it."""
EXAMPLE = "viva explain kernel_attention ada linear_attention"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("student")
    parser.add_argument("exercise", nargs="?", default="", help="only this one (default: all)")
    parser.add_argument("--for-student", action="store_true", help="a page to send, nothing secret")


def run(args: argparse.Namespace, course: Course) -> int:
    explanation = explain(course, args.homework, args.student, args.exercise)
    library = course.settings.course if hasattr(course.library, "replay") else ""
    page = for_student(explanation) if args.for_student else for_staff(explanation, library)
    print(as_text(page))
    if explanation.changed:
        names = ", ".join(test.exercise for test in explanation.changed)
        print(f"\nThe mark on record differs ({names}): what it rests on has changed. "
              f"viva regrade {args.homework} --dry-run", file=sys.stderr)
    print(f"\n{write_page(course, page)}")
    return 1 if explanation.status == NOT_GRADED else 0
