"""viva bundle: the zip that students download."""
import sys

from viva_examiner.release.bundle import bundle
from viva_examiner.release.problems import Refused

HELP = """\
Build dist/viva-student-<version>.zip: the released notebooks, the wheel of the student kit, an
environment and one page of instructions. Nothing of the staff's packages is in it."""
EXAMPLE = "viva bundle"


def arguments(parser):
    """No options: a bundle is made of what was released."""


def run(args, course):
    try:
        path = bundle(course, course.root / "dist")
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    print(f"{path.relative_to(course.root)}: {path.stat().st_size / 1e6:.1f} MB")
    return 0
