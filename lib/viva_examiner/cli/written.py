"""`viva written`: grade the written answers, question by question."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from viva_examiner.failure import Failure

if TYPE_CHECKING:
    from viva_examiner.course import Course
    from viva_examiner.written.grading import WrittenGrading

HELP = """Open the desk at its room of written answers: one question at a time over all students,
question and model answer at hand, the rubric's items to tick, equal answers graded together, names
hidden, every action a key. Only answers that wait are graded by saving; a mark that stands is shown
with who gave it, and changed on purpose only. Marks go to nbgrader's manual score and comment, as
formgrader writes them, and each is an entry of the ledger (`viva history`). Stop it with Ctrl-C.

The page shows what `viva roster --grader` gives you, and what it gives nobody. After a change of a
rubric's items in source/, --rescore says whose mark would change; with --yes it changes them."""
EXAMPLE = "viva written kernel_attention"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--as", dest="me", metavar="NAME", default="",
                        help="who grades; default: your account")
    parser.add_argument("--everything", action="store_true",
                        help="also the answers that others are to grade")
    parser.add_argument("--rescore", action="store_true",
                        help="no page: whose marks a changed rubric moves")
    parser.add_argument("--yes", action="store_true", help="with --rescore: change these marks")
    parser.add_argument("--port", type=int, default=0, help="default: any free one")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.written.grading import WrittenGrading

    desk = WrittenGrading(course, args.homework, args.me, args.everything)
    try:
        if not desk.questions:
            raise Failure(f"{args.homework} has no written questions in source/")
        if desk.is_empty:
            raise Failure(f"nothing is graded yet; run viva autograde {args.homework} first")
        if args.rescore:
            print("\n".join(_rescored(desk, args.yes)))
            return 0
    finally:
        desk.close()
    from viva_examiner.desk.serving import serve

    query = {"everything": "yes"} if args.everything else {}
    serve(course, f"written/{args.homework}", args.me, args.port, not args.no_browser, query)
    return 0


def _rescored(desk: "WrittenGrading", for_good: bool) -> list[str]:
    from viva_examiner.written.rescore import lines, rescore, rescored

    act = rescore if for_good else rescored
    found = [each for number in range(len(desk.questions)) for each in act(desk, number)]
    if not found:
        return ["Every mark that was given by items is what today's rubric gives."]
    moved = sum(each.moves for each in found)
    head = f"{moved} mark{'s' if moved != 1 else ''} "
    head += "changed" if for_good else "would change; nothing was written (--yes does it)"
    return [head, *lines(found)]

