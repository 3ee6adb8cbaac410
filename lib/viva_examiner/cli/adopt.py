"""`viva adopt`: what the examiner would change in an nbgrader course."""

import sys
from pathlib import Path

from viva_examiner.adopt import telling
from viva_examiner.adopt.both_ways import LOST
from viva_examiner.adopt.course import open_course, try_course
from viva_examiner.course import CONFIG
from viva_examiner.sandbox import isolation, preload
from viva_examiner.sandbox.interpreter import WarmInterpreter

HELP = """For the staff of any nbgrader course: grade its own solutions, and the submissions that
lie in submitted/, by stock nbgrader and by the examiner, and say test by test what would differ,
why, and what to do. It ends with the lines to add to nbgrader_config.py.

Everything happens in a copy; nothing of the course is changed. Stock nbgrader runs notebooks
without a sandbox, those of students too, as the course does until now: --solutions leaves the
students' out."""
EXAMPLE = "viva adopt course101"


def arguments(parser) -> None:
    parser.add_argument("folder", type=Path, metavar="COURSE_DIR",
                        help=f"the folder with {CONFIG}")
    parser.add_argument("--solutions", action="store_true",
                        help="only the instructor's solutions, no submissions")


def run(args, _course) -> int:
    course = open_course(args.folder)
    try:
        way = isolation.chosen(course.settings.trusted_machine)
    except isolation.CannotIsolate as error:
        print(f"viva adopt: {error}", file=sys.stderr)
        return 3
    tests = []
    loaded = preload.wanted(course.root)
    with WarmInterpreter(loaded, course.limits, [str(course.root)], way) as warm:
        for tried in try_course(course, warm, not args.solutions):
            print("\n".join(telling.told(tried)), flush=True)
            tests += tried.tests
    if not tests:
        print(f"viva adopt: no automatic test in {course.root}/source", file=sys.stderr)
        return 2
    print(f"\n{telling.summary(tests)}\n")
    print("".join(f"{line}\n" for line in telling.own_steps(course.config)), end="")
    print(f"To grade with the examiner, add these lines at the end of {CONFIG}:\n\n{telling.LINES}")
    return 1 if any(test.kind == LOST for test in tests) else 0
