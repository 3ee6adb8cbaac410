"""viva release: source/ to release/."""
import importlib
import importlib.util
import sys

from viva_examiner.release.problems import Refused
from viva_examiner.release.run import release
from viva_examiner.release.trial import Untouched

HELP = """\
Generate release/ from source/ with nbgrader, and bring the expected outputs of the public cases
up to date. A homework that would leak an answer or break in a student's hands is refused: each
reason names the cell and the remedy, and its old release stays as it is."""
EXAMPLE = "viva release kernel_attention"


def arguments(parser):
    parser.add_argument("homework", nargs="*", help="homeworks to release (default: all)")


def run(args, course):
    refused = False
    with Untouched(course) as examine:
        for homework in args.homework or course.homeworks():
            try:
                write_expected(course, homework)
                for warning in release(course, homework, examine):
                    print(f"warning: {warning}")
                print(f"{homework}: released")
            except Refused as refusal:
                print(refusal, file=sys.stderr)
                refused = True
    return int(refused)


def write_expected(course, homework):
    """Renews the expected outputs, if the course's library keeps any (a module `expected`)."""
    name = f"{course.settings.course}.expected"
    if course.library and importlib.util.find_spec(name) and course.library.exercises(homework):
        importlib.import_module(name).write(homework)
