"""`viva backup`: a course's memory in one file."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viva_examiner.course import Course

HELP = """Write one file that only you can read: the gradebook with its ledger (of SQLite or
PostgreSQL), submissions, autograded notebooks and feedback, the roster and the settings. The
course's secret and the keys of learning platforms are left out, unless you say --with-secret. `viva
restore` brings it back, on either database. It holds students' data: keep it where you keep their
marks. `viva doctor` says when the last one was made."""
EXAMPLE = "viva backup backups/monday.zip"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--with-secret", action="store_true",
                        help="the course's secret and the keys of learning platforms too")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.gradebook.backups import back_up
    from viva_examiner.harmless import one_line

    kept = back_up(course, args.file, args.with_secret)
    private = "with" if kept.private else "without"
    print(f"{args.file}: {kept.rows} rows of the gradebook, {kept.files} files, {private} the "
          "secret")
    if kept.left:
        print(one_line(f"left out: {len(kept.left)} files whose names do not fit into an archive, "
                       f"or that are nothing but holes: {', '.join(kept.left[:5])}"))
    return 0
