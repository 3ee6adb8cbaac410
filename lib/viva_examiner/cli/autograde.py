"""`viva autograde`: examine every submission of a homework."""

import sys

from viva_examiner.autograde import cluster, pool
from viva_examiner.autograde.pool import WorkerFailed
from viva_examiner.autograde.progress import Progress
from viva_examiner.autograde.run import autograde
from viva_examiner.cli.entering import entering
from viva_examiner.gradebook.released import Unreleased
from viva_examiner.sandbox import isolation

HELP = """Examine every submission of a homework and write autograded/ and the gradebook.

Student code runs in a sandbox, hidden tests outside it. A submission that has not changed since
its last grading is not run again.

With --marks, cells that only look (figures, experiments) are not run where no mark can depend on
them: released cells that nobody changed and whose names nothing else uses. They are shown with the
student's own outputs, marked as such. The marks are the same, in a fraction of the time."""
EXAMPLE = "viva autograde kernel_attention --jobs 4"


def arguments(parser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="submissions at once")
    parser.add_argument("--student", default="*", metavar="ID", help="only this student")
    parser.add_argument("--force", action="store_true", help="grade again what has not changed")
    parser.add_argument("--marks", action="store_true",
                        help="leave out the cells that no mark depends on, such as figures")
    parser.add_argument("--cluster", metavar="ADDRESS", help="run the jobs on this Dask scheduler")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def run(args, course) -> int:
    try:
        isolation.chosen(args.cluster or course.settings.trusted_machine)
    except isolation.CannotIsolate as error:
        print(f"viva autograde: {error}", file=sys.stderr)
        return 3
    progress = Progress(args.json)
    try:
        run_jobs = cluster.runner(args.cluster) if args.cluster else pool.run
        summary = entering(course, args.homework, lambda: autograde(
            course, args.homework, args.jobs, args.student, args.force, progress.tell, run_jobs,
            args.marks))
    except (Unreleased, WorkerFailed, OSError) as error:
        print(f"viva autograde: {error}", file=sys.stderr)
        return 2
    progress.finish(summary)
    if not summary.results and not summary.skipped:
        print(f"viva autograde: no submissions of {args.homework}", file=sys.stderr)
        return 2
    return 1 if summary.not_graded else 0
