"""`viva regrade`: whose mark changes after the exam, a case or a limit changed."""

import argparse
import json
import sys
from dataclasses import asdict

from viva_examiner.autograde.grading_run import Summary, autograde
from viva_examiner.autograde.progress import Progress
from viva_examiner.autograde.regraded import lines
from viva_examiner.course import Course
from viva_examiner.failure import Failure

HELP = """Examine again what was graded and rests on something that has changed since: an exam, a
case, a limit, a library. Says whose mark changes, in which item, from what to what, and why.

With --dry-run nothing is written. Without it the new marks go to autograded/ and the gradebook; the
old ones stay in the history of the autograded notebook. What a TA gave by hand is never touched:
where the automatic mark below it changes, the cell is marked for another look."""
EXAMPLE = "viva regrade kernel_attention --dry-run"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--dry-run", action="store_true", help="say what would change, and stop")
    parser.add_argument("--student", default="*", metavar="ID", help="only this student")
    parser.add_argument("--force", action="store_true", help="examine again what has not changed")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="submissions at once")
    parser.add_argument("--json", action="store_true", help="one JSON object per changed item")


def run(args: argparse.Namespace, course: Course) -> int:
    progress = Progress(stream=sys.stderr)
    summary = autograde(
        course, args.homework, args.jobs, args.student, args.force,
        progress.on_event if progress.form == "live" else lambda event, **facts: None,
        only_graded=True, dry_run=args.dry_run)
    if progress.form == "live":
        print("\r\x1b[K", end="", file=sys.stderr)
    if not summary.results and not summary.skipped:
        raise Failure(f"nothing of {args.homework} has been autograded: "
                      f"run `viva autograde {args.homework}` first")
    if args.json:
        for change in summary.changes:
            print(json.dumps(asdict(change)))
    else:
        rows = lines(summary.changes, summary.manual, args.dry_run)
        if summary.others:
            rows.insert(0, f"with other versions than before: {'; '.join(summary.others)}")
        print("\n".join([_headline(args, summary), *rows]))
    return 1 if summary.not_graded else 0


def _headline(args: argparse.Namespace, summary: Summary) -> str:
    marks = _counted(len({change.student for change in summary.changes}), "mark")
    changed = f"{marks} would change; nothing was written" if args.dry_run else f"{marks} changed"
    faults = f"; {len(summary.not_graded)} could not be examined" if summary.not_graded else ""
    again = _counted(len(summary.results), "submission")
    rest = f"{summary.skipped} rest{'' if summary.skipped != 1 else 's'}"
    return (f"{args.homework}: {again} examined again, {rest} on nothing that has changed; "
            f"{changed}{faults}")


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'s' if count != 1 else ''}"
