"""`viva rename`: rename an exercise everywhere."""

import argparse

from viva_examiner.cli.authoring import needed_authoring, shown
from viva_examiner.course import Course

HELP = """Rename an exercise in all rooms of its homework: functions, declarations, cases, tests,
cells and their ids, and the files named after it."""
EXAMPLE = "viva rename cosine cosine_similarity"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old")
    parser.add_argument("new")


def run(args: argparse.Namespace, course: Course) -> int:
    paths = needed_authoring(course).rename(course.root, args.old, args.new)
    print("\n".join(shown(course, paths)))
    print("Next: read the differences, then `viva release` the homework.")
    return 0
