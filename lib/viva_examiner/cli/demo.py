"""`viva demo`: the main job end to end, on a cohort of demo students."""

from viva_examiner.course import Course
from viva_examiner.demo import play
from viva_examiner.report.page import write_report

HELP = """Release the homeworks, hand in what demo students did (right solutions, known mistakes, an
untouched notebook, a crash, a cheat), autograde them, and show the marks with a reason each.
All of it in a course of its own, demo/: no real grade is touched."""
EXAMPLE = "viva demo"


def arguments(parser) -> None:
    parser.add_argument("homework", nargs="*", help="homeworks to show (default: all)")


def run(args, course) -> int:
    folder = course.root / "demo"
    rows = play.play(course, folder, args.homework or course.homeworks())
    print(play.table(rows))
    print("\nWhat it made:")
    made = {"gradebook": folder / "gradebook.db", "autograded notebooks": folder / "autograded",
            "feedback": folder / "feedback"}
    for homework in dict.fromkeys(row["homework"] for row in rows):
        page, _ = write_report(Course(folder), homework)
        made["class reports"] = page.parent
    for name, path in made.items():
        print(f"  {name:<22}{path.relative_to(course.root)}")
    return 0
