"""`viva demo`: the main job end to end, on a cohort of demo students."""

import os
import sys
import webbrowser

from viva_examiner.course import Course
from viva_examiner.demo import pages, play
from viva_examiner.report.page import write_report

HELP = """Release the homeworks, hand in what demo students did (right solutions, known mistakes, an
untouched notebook, a crash, a cheat), autograde them, and show the marks with a reason each.
All of it in a course of its own, demo/: no real grade is touched. It ends with the address of one
page that leads to all others, opened where there is a screen."""
EXAMPLE = "viva demo"


def arguments(parser) -> None:
    parser.add_argument("homework", nargs="*", help="homeworks to show (default: all)")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")


def run(args, course) -> int:
    if not course.settings.course:
        print("viva demo: this course names no library (c.Examiner.course)", file=sys.stderr)
        return 2
    folder = course.root / "demo"
    rows = play.play(course, folder, args.homework or course.homeworks())
    print(pages.table(rows))
    for homework in dict.fromkeys(row["homework"] for row in rows):
        write_report(Course(folder), homework)
    index = pages.write_index(folder, rows)
    print(f"\nEvery class report and feedback page: {index.as_uri()}")
    if _has_screen() and not args.no_browser:
        webbrowser.open(index.as_uri())
    return 0


def _has_screen() -> bool:
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.stdout.isatty() and bool(screen)
