"""viva bundle: the zip that students download."""

import argparse
import tempfile
from pathlib import Path

from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.release.student_bundle import bundle
from viva_examiner.release.wheels import examiner_wheel

HELP = """\
Build dist/viva-student-<version>.zip: the released notebooks, the wheel of the student kit, an
environment and one page of instructions. Nothing of the staff's packages is in it.

With --examiner, build the wheel viva-examiner instead: what another nbgrader course installs to
grade with the examiner, without torch and without the homeworks of this course."""
EXAMPLE = "viva bundle"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--examiner", action="store_true",
                        help="the examiner alone, for the staff of another course")


def run(args: argparse.Namespace, course: Course) -> int:
    make = examiner if args.examiner else bundle
    path = make(course, course.root / "dist")
    print(f"{path.relative_to(course.root)}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


def examiner(course: Course, target: Path) -> Path:
    """Builds the examiner's wheel into the directory target and returns its path."""
    with tempfile.TemporaryDirectory(prefix="viva-examiner-") as work:
        wheel = examiner_wheel(course.root / "lib", Path(work))
        write_whole(target / wheel.name, wheel.read_bytes())
    return target / wheel.name
