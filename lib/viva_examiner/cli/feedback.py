"""`viva feedback`: a page for each student."""

import sys

HELP = """Write feedback/STUDENT/HOMEWORK/HOMEWORK.html for everybody who handed something in: the
points of each exercise and rubric item, hints, comments, the student's own figures, and no line of
a hidden test. One file without a script; formulas need no network. A page that is made before the
written answers are graded says so; make it again afterwards."""
EXAMPLE = "viva feedback kernel_attention"


def arguments(parser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--student", default="*", metavar="ID", help="only this student")


def run(args, course) -> int:
    from viva_examiner.gradebook.released import Unreleased, load
    from viva_examiner.nbgrader_steps.feedback import NoFeedback, make_feedback

    try:
        load(course, args.homework)
        results = make_feedback(course, args.homework, args.student)
    except (NoFeedback, Unreleased) as error:
        print(f"viva feedback: {error}", file=sys.stderr)
        return 2
    made = [each for each in results if each.submitter]
    open_ = sum(each.standing.score is None for each in made)
    print(f"feedback pages of {len(made)} in {course.path('feedback', '*', args.homework)}")
    if open_:
        print(f"not everything is graded yet on {open_} of them: make them again when it is")
    return 0
