"""`viva new`: a homework laid out in every room, or exercises added to one."""

import argparse

from viva_examiner.cli.authoring import needed_authoring, shown
from viva_examiner.course import Course

HELP = """Lay out a homework, or add exercises to one: files in every room under the section's name,
a declaration with its points, stubs of cases, the notebook's cells with their ids, and the test.
In a homework that exists a new exercise has a section of its own after the last one, before the
closing experiment, or belongs to the section that --section names. What it writes passes
`make lint`; `viva audit` then lists what is left to do."""
EXAMPLE = "viva new warmup cosine:5"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("exercise", nargs="*",
                        help="names of exercises, each with its points (default 10): cosine:5")
    parser.add_argument("--section", default="", help="a section of the homework to put them into")


def run(args: argparse.Namespace, course: Course) -> int:
    paths = needed_authoring(course).lay_out(course.root, args.homework, args.exercise,
                                           args.section)
    print("\n".join(shown(course, paths)))
    print(f"Next: write the reference, the cases and the exam; `viva audit {args.homework}` says "
          "what is left.")
    return 0
