"""`viva restore`: restore what `viva backup` kept."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viva_examiner.course import Course

HELP = """Bring a backup back into this course's folder: gradebook and ledger, submissions, roster.
The gradebook may be on another database than the one it came from. Where there is a class already,
nothing is done without --replace; with it, what is there is backed up first. A damaged file changes
nothing."""
EXAMPLE = "viva restore backups/monday.zip"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--replace", action="store_true", help="in place of the class that is here")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.gradebook.backups import restore

    print("\n".join(restore(course, args.file, args.replace)))
    return 0
