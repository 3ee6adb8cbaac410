"""viva format: source notebooks into their canonical form."""

import argparse
import sys
from pathlib import Path

from viva_examiner.course import Course
from viva_examiner.notebook.canonical import NotANotebook, format_file

HELP = """\
Bring notebooks into their canonical form: no outputs, no execution counts, stable cell ids,
sorted keys. The tests of a source notebook get the points of their exams. Without paths: every
notebook of source/, and with --check of release/ too."""
EXAMPLE = "viva format --check"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebook", nargs="*", type=Path, help="notebooks (default: all)")
    parser.add_argument("--check", action="store_true",
                        help="change nothing; exit with 1 if a notebook is not canonical")


def run(args: argparse.Namespace, course: Course) -> int:
    rooms = ("source", "release") if args.check else ("source",)  # release/ is generated
    paths = args.notebook or [path for room in rooms
                              for path in sorted((course.root / room).glob("*/*.ipynb"))]
    failed = False
    for path in paths:
        try:
            points = {} if args.check else points_in_exam(path, course)
            changed = format_file(path, write=not args.check, points=points)
        except (NotANotebook, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed = True
            continue
        if changed and args.check:
            remedy = "run make format" if "release" not in path.parts else "run make release"
            print(f"{path}: not in canonical form; {remedy}", file=sys.stderr)
            failed = True
        elif changed:
            print(f"{path}: formatted")
    return int(failed)


def points_in_exam(path: Path, course: Course) -> dict[str, float]:
    """{name of the test: points} as the course's exams have them, for a notebook of source/."""
    is_source = path.absolute().parent.parent == course.root / "source"
    if not is_source or course.library is None:
        return {}
    exercises = course.library.exercises(path.absolute().parent.name)
    return {f"test_{name}": exercise.points for name, exercise in exercises.items()}
