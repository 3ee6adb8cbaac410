"""`viva gradescope`: the autograder zip of a homework."""

import argparse
from pathlib import Path

from viva_examiner.course import Course
from viva_examiner.gradescope.build import VISIBILITIES, build

HELP = """Build dist/gradescope-<homework>.zip, to be uploaded as a Gradescope autograder.

It takes a notebook or a submission log and shows a test per rubric item. It contains the exam and
the course's secret: never give it to students."""
EXAMPLE = "viva gradescope kernel_attention"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--visibility", choices=VISIBILITIES, default="visible",
                        help="when students see the results")
    parser.add_argument("--wheels", type=Path, metavar="DIR",
                        help="put these wheels in as well, so that Gradescope need not fetch them")


def run(args: argparse.Namespace, course: Course) -> int:
    wheels = sorted(args.wheels.glob("*.whl")) if args.wheels else []
    path = build(course, args.homework, course.root / "dist", args.visibility, wheels)
    print(f"{path.relative_to(course.root)}: {path.stat().st_size / 1e6:.1f} MB")
    return 0
