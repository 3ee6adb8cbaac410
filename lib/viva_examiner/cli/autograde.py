"""`viva autograde`: examine every submission of a homework."""

import argparse

from viva_examiner.autograde import cluster_pool, pool
from viva_examiner.autograde.cluster_keys import FOLDER
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.autograde.progress import Progress
from viva_examiner.cli.enter_homework import or_enter_homework
from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import request_book
from viva_examiner.gradebook.request_intake import take_in

HELP = """Examine every submission of a homework and write autograded/ and the gradebook.

Student code runs in a sandbox, hidden tests outside it. A submission that has not changed since
its last grading is not run again.

Everybody's marks come first. Then come the cells that only show something (figures, experiments)
and that no mark can depend on: released cells that nobody changed and whose names nothing else
uses. Submissions that need a look are completed first. Until then such cells show the student's own
outputs, marked as such. With --marks it stops after the marks; the next run does the rest."""
EXAMPLE = "viva autograde kernel_attention --jobs 4"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="submissions at once")
    parser.add_argument("--student", default="*", metavar="ID", help="only this student")
    parser.add_argument("--force", action="store_true", help="grade again what has not changed")
    parser.add_argument("--marks", action="store_true",
                        help="stop after the marks; leave out figures and cells that decide none")
    parser.add_argument("--cluster", metavar="ADDRESS",
                        help="run the jobs on this Dask scheduler (tls://…: docs/scale.md)")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def run(args: argparse.Namespace, course: Course) -> int:
    progress = Progress(args.json)
    run_jobs = cluster_pool.runner(args.cluster, course.root / FOLDER) if args.cluster else pool.run
    take_in(course, args.homework)  # before: a request is about the attempt that was graded
    summary = or_enter_homework(course, args.homework, lambda: autograde(
        course, args.homework, args.jobs, args.student, args.force, progress.on_event, run_jobs,
        args.marks))
    progress.finish(summary)
    if not args.json:
        _requests(course, args.homework)
    if not summary.results and not summary.skipped:
        raise Failure(f"no submissions of {args.homework}")
    return 1 if summary.not_graded else 0


def _requests(course: Course, homework: str) -> None:
    """One line if somebody asks for a second look."""
    with request_book.opened(course, homework) as queue:
        count = len(queue.waiting())
    if count:
        print(f"{count} request{'s wait' if count != 1 else ' waits'} for a second look: `viva "
              f"requests {homework}`")
