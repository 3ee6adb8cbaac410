"""`viva adopt`: what the examiner would change in an nbgrader course."""

import argparse
from pathlib import Path

from viva_examiner.adopt import comparison_text
from viva_examiner.adopt.adopted_course import open_course, try_course
from viva_examiner.adopt.both_ways import LOST, MORE
from viva_examiner.course import CONFIG, Course
from viva_examiner.examination.engine import Engine
from viva_examiner.examination.orders import order_of
from viva_examiner.failure import Failure

HELP = """For the staff of any nbgrader course: grade its own solutions, and the submissions that
lie in submitted/, by stock nbgrader and by the examiner, and say test by test what would differ,
why, and what to do. It ends with the lines to add to nbgrader_config.py.

Everything happens in a copy; nothing of the course is changed. Stock nbgrader runs notebooks
without a sandbox, those of students too, as the course does until now: --solutions leaves the
students' out."""
EXAMPLE = "viva adopt course101"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="COURSE_DIR",
                        help=f"the folder with {CONFIG}")
    parser.add_argument("--solutions", action="store_true",
                        help="only the instructor's solutions, no submissions")


def run(args: argparse.Namespace, _course: Course | None) -> int:
    course = open_course(args.folder)
    tests = []
    with Engine(order_of(course, secret=course.secret)) as engine:
        for tried in try_course(course, engine, not args.solutions):
            print("\n".join(comparison_text.comparison(tried)), flush=True)
            tests += tried.tests
    if not tests:
        raise Failure(f"no automatic test in {course.root}/source")
    print(f"\n{comparison_text.summary(tests)}\n")
    print("".join(f"{line}\n" for line in comparison_text.own_steps(course.config)), end="")
    print(f"To grade with the examiner, add these lines at the end of {CONFIG}:\n\n"
          f"{comparison_text.LINES}")
    return 1 if any(test.kind in (LOST, MORE) for test in tests) else 0
