"""`viva demo`: the main job end to end, on a cohort of demo students."""

import importlib.util
from pathlib import Path

from viva_examiner import demo

HELP = """Release the homeworks, hand in what demo students did (right solutions, known mistakes, an
untouched notebook, a crash, a cheat), autograde them, and show the marks with a reason each.
All of it in a course of its own, demo/: no real grade is touched."""
EXAMPLE = "viva demo"


def arguments(parser) -> None:
    parser.add_argument("homework", nargs="*", help="homeworks to show (default: all)")


def run(args, course) -> int:
    folder = course.root / "demo"
    rows = demo.play(course, folder, args.homework or course.homeworks())
    print(demo.table(rows))
    print("\nWhat it made:")
    made = {"gradebook": folder / "gradebook.db", "autograded notebooks": folder / "autograded",
            "feedback": folder / "feedback"}
    if importlib.util.find_spec("viva_examiner.report"):
        from viva_examiner.report import write_report

        pages = [write_report(demo.Course(folder), hw) for hw in dict.fromkeys(
            row["homework"] for row in rows)]
        made["class reports"] = Path(pages[0]).parent
    for name, path in made.items():
        print(f"  {name:<22}{path.relative_to(course.root)}")
    return 0
