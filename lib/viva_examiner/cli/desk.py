"""`viva desk`: one place where a TA's evening happens."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viva_examiner.course import Course

HELP = """Open the desk of this course in a browser: what to do next, the class of each homework,
every student's marks with their history and the account of lost points, written answers, the class
report, similar submissions, and runs of autograde, regrade, feedback and export. Only this machine
can reach it, and only with the token in its address. Stop it with Ctrl-C; what was saved is kept.

Inside `make lab` the same pages are at /desk, beside formgrader."""
EXAMPLE = "viva desk"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--as", dest="me", metavar="NAME", default="",
                        help="who grades; default: your account")
    parser.add_argument("--port", type=int, default=0, help="default: any free one")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.desk.serving import serve

    serve(course, "", args.me, args.port, not args.no_browser)
    return 0
