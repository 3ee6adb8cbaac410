"""`viva new`: a homework laid out in every room, or exercises added to one."""

from viva_examiner.cli.authoring import authoring_of, shown

HELP = """Lay out a homework, or add exercises to one: files in every room under the section's name,
a declaration with its points, stubs of cases, the notebook's cells with their ids, and the test.
What it writes passes `make lint`; `viva audit` then lists what is left to do."""
EXAMPLE = "viva new warmup cosine:5"


def arguments(parser) -> None:
    parser.add_argument("homework")
    parser.add_argument("exercise", nargs="*",
                        help="names of exercises, each with its points (default 10): cosine:5")


def run(args, course) -> int:
    paths = authoring_of(course).lay_out(course.root, args.homework, args.exercise)
    print("\n".join(shown(course, paths)))
    print(f"Next: write the reference, the cases and the exam; `viva audit {args.homework}` says "
          "what is left.")
    return 0
