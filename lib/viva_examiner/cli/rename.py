"""`viva rename`: an exercise under another name, everywhere."""

from viva_examiner.cli.authoring import authoring_of, shown

HELP = """Rename an exercise in all rooms of its homework: functions, declarations, cases, tests,
cells and their ids, and the files named after it."""
EXAMPLE = "viva rename cosine cosine_similarity"


def arguments(parser) -> None:
    parser.add_argument("old")
    parser.add_argument("new")


def run(args, course) -> int:
    paths = authoring_of(course).rename(course.root, args.old, args.new)
    print("\n".join(shown(course, paths)))
    print("Next: read the differences, then `viva release` the homework.")
    return 0
