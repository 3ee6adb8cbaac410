"""viva release: source/ to release/."""

import argparse
import importlib
import importlib.util
import sys

from viva_examiner.course import Course
from viva_examiner.gradebook.course_secret import agreed
from viva_examiner.gradebook.database import is_there
from viva_examiner.release.problems import ReleaseRefused
from viva_examiner.release.releasing import release
from viva_examiner.release.trial import Trial

HELP = """\
Generate release/ from source/ with nbgrader, and bring the expected outputs of the public cases
up to date. A homework is refused if it would leak an answer or break in a student's hands, if its
cells, ids, points, checks and hints do not agree with its exam, or unless the staff's own notebook
earns full marks and the untouched one none. Each reason names the cell and the remedy, and the old
release stays as it is.

With --kit-url (or c.AddKitCell.url in nbgrader_config.py) the notebooks get a first cell that
installs the kit from there where it is missing, for students in a hosted notebook."""
EXAMPLE = "viva release kernel_attention"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework", nargs="*", help="homeworks to release (default: all)")
    parser.add_argument("--kit-url", metavar="URL", help="where the kit's wheel can be downloaded")


def run(args: argparse.Namespace, course: Course) -> int:
    refused = False
    if is_there(course.db_url):
        agreed(course)
    if args.kit_url is not None:
        course.config.AddKitCell.url = args.kit_url
    with Trial(course) as trial:
        for homework in args.homework or course.homeworks():
            try:
                write_expected(course, homework)
                for warning in release(course, homework, trial):
                    print(f"warning: {warning}")
                print(f"{homework}: released")
            except ReleaseRefused as refusal:
                print(refusal, file=sys.stderr)
                refused = True
    if is_there(course.db_url):
        agreed(course)  # a course that has none gets its secret by its first release
    return int(refused)


def write_expected(course: Course, homework: str) -> None:
    """Renews the expected outputs, if the course's library keeps any (a module `expected`)."""
    name = f"{course.settings.course}.expected"
    if course.library and importlib.util.find_spec(name) and course.library.exercises(homework):
        importlib.import_module(name).write(homework)
