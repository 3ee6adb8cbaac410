"""`viva demo`: the main job end to end, on a cohort of demo students."""

import argparse
import os
import sys

from viva_examiner.course import Course
from viva_examiner.demo import pages, play
from viva_examiner.desk.serving import serve
from viva_examiner.failure import Failure
from viva_examiner.report.report_page import write_report

HELP = """Release the homeworks, hand in what demo students did (right solutions, known mistakes, an
untouched notebook, a crash, a cheat), autograde them, and show the marks with a reason each.
All of this happens in a course of its own, demo/: no real grade is touched. It ends with the
address of that course's desk, which runs until Ctrl-C if somebody is at the terminal. A page with
links to all the others stays on disk."""
EXAMPLE = "viva demo"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework", nargs="*", help="homeworks to show (default: all)")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")


def run(args: argparse.Namespace, course: Course) -> int:
    if not course.settings.course:
        raise Failure("this course names no library (c.Examiner.course)")
    folder = course.root / "demo"
    rows = play.play(course, folder, args.homework or course.homeworks())
    print(pages.table(rows))
    for homework in dict.fromkeys(row["homework"] for row in rows):
        write_report(Course(folder), homework)
    index = pages.write_index(folder, rows)
    print(f"\nEvery class report and feedback page: {index.as_uri()}")
    if sys.stdout.isatty():
        print("\nThe desk of the demo course, as a TA sees it:")
        serve(Course(folder), browser=_has_screen() and not args.no_browser)
    else:
        print(f"The desk of the demo course: `viva desk` in {folder}")
    return 0


def _has_screen() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
