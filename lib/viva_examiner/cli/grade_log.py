"""`viva grade-log`: grade submission logs that were handed in without a notebook."""

import argparse
import json
import os
from dataclasses import asdict
from pathlib import Path

from viva.log import LOG_NAME
from viva_examiner.autograde.logs import GivenLog, grade_logs
from viva_examiner.course import Course
from viva_examiner.examination import submission_log
from viva_examiner.failure import Failure
from viva_examiner.harmless import one_line

MAX_DEPTH = 8  # of folders in which logs are looked for
HELP = """Grade submission logs by the code in them, which is run in the sandbox like a notebook's.

LOG is a file, or a folder in which every submission_log.json is taken; links are not followed. The
outputs that a log records give no points: where the code answers something else, a remark says
so. An exercise whose code the log does not hold whole is provisional: its points wait for the
notebook. Exits with 1 if a log could not be judged."""
EXAMPLE = "viva grade-log submitted/*/kernel_attention/submission_log.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", nargs="+", metavar="LOG")
    parser.add_argument("--student", default="", metavar="ID", help="who handed the logs in")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes at once")
    parser.add_argument("--items", action="store_true",
                        help="show every rubric item, and the cause where a mistake is known")
    parser.add_argument("--json", action="store_true", help="one JSON object per log")


def run(args: argparse.Namespace, course: Course) -> int:
    if not hasattr(course.library, "grade_log"):
        raise Failure("the course's library cannot grade logs")
    given = [GivenLog(path, args.student or submission_log.owner_of(course, path),
                   submission_log.homework_of(course, path))
             for word in args.log for path in _files(Path(word))]
    graded = grade_logs(course, given, args.jobs, causes=args.items or args.json)
    submission_log.find_replays(graded)
    for each in graded:
        print(json.dumps(_plain(each)) if args.json else _text(each, args.items))
    return 1 if any(each.refused for each in graded) or not graded else 0


def _files(path: Path) -> list[Path]:
    """A file, or the logs in a folder; those who nest folders without end are not followed."""
    if not path.is_dir():
        return [path]
    found = []
    for folder, below, files in os.walk(path):
        below[:] = below if len(Path(folder).relative_to(path).parts) < MAX_DEPTH else []
        found += [Path(folder) / LOG_NAME] if LOG_NAME in files else []
    return sorted(found)


def _plain(graded: submission_log.GradedLog) -> dict:
    totals = {"score": graded.score, "judged": graded.judged, "points": graded.points}
    return asdict(graded) | totals


def _text(graded: submission_log.GradedLog, with_items: bool) -> str:
    if graded.refused:
        return one_line(f"{graded.path}: not judged: {graded.refused}")
    rest = round(graded.points - graded.judged, 6)
    rows = [f"{one_line(graded.student)}  {graded.homework}  "
            f"{graded.score:g} of {graded.judged:g} points"
            + (f"; {rest:g} need the notebook" if rest else "")]
    rows += [f"  provisional: {name}: {one_line(why)}" for name, why in graded.provisional.items()]
    rows += [f"  remark: {one_line(remark)}" for remark in graded.remarks]
    for each in graded.exercises if with_items else ():
        rows.append(f"  {each.exercise}")
        for item in each.items:
            sign = "?" if item.earned is None else "✓" if item.earned > 0 else "✗"
            earned = "-" if item.earned is None else f"{item.earned:g}"
            rows.append(f"    {sign} {item.name}  {earned}/{item.points:g}  "
                        f"{one_line(item.message)}".rstrip())
        if each.hint:
            rows.append(f"    usual cause: {each.hint}")
    return "\n".join(rows)
