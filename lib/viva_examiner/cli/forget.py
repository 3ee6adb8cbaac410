"""`viva forget`: remove a person from a course."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from viva_examiner.failure import Failure

if TYPE_CHECKING:
    from viva_examiner.course import Course

HELP = """Remove a student and every attempt of theirs: from the gradebook, the ledger, the folders
submitted/, autograded/ and feedback/, the pages in reports/, the tables in exports/ and the roster.
Says what it removed. The ledger keeps that somebody was forgotten, and when, not who. What lies
outside the course (downloads, backups, the exchange, the learning platform) is not touched. There
is no way back; it asks before it begins."""
EXAMPLE = "viva forget ada"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("student")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--anyway", action="store_true",
                        help="also if a group's only work lies under this name")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.gradebook.forgetting import ELSEWHERE, forget

    if not args.yes:
        if not sys.stdin.isatty():
            raise Failure("it asks before it begins, and nobody is here to answer: use --yes")
        if input(f"Remove {args.student} for good? Type the id again: ").strip() != args.student:
            raise Failure("nothing was removed")
    print("\n".join([*forget(course, args.student, args.anyway), ELSEWHERE]))
    return 0
