"""`viva report`: one page about a class."""

import argparse

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.report.report_page import write_report

HELP = """Write reports/HW.html: marks, points lost per rubric item, the misunderstandings of this
class, tests that tell students apart and those that do not, slow and failing cells, and what a
human should look at. Every number opens the list of its students, and their names lead to
formgrader. One file, no network, no script; light or dark, and a page per section in print."""
EXAMPLE = "viva report kernel_attention"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")


def run(args: argparse.Namespace, course: Course) -> int:
    path, sheets = write_report(course, args.homework)
    if not sheets:
        path.unlink()
        raise Failure(f"nothing of {args.homework} has been autograded: "
                      f"run `viva autograde {args.homework}` first")
    print(f"{path}: {len(sheets)} submissions")
    return 0
