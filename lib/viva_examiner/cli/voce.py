"""`viva voce`: questions about a student's own code, for a conversation."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator

from viva_examiner.autograde import pool
from viva_examiner.course import Course
from viva_examiner.examination.orders import order_of
from viva_examiner.failure import Failure
from viva_examiner.gradebook.course_secret import agreed
from viva_examiner.gradebook.released_rows import load
from viva_examiner.gradebook.submissions import Submission, submissions
from viva_examiner.notebook.released import Released
from viva_examiner.report.sheets import Sheet, read_class
from viva_examiner.voce import sample
from viva_examiner.voce.sheet_page import is_kept, keep, write_sheet
from viva_examiner.voce.sittings import (
    VOCE_ROLE,
    VoceJob,
    VoceSitting,
    VoceTask,
    earned,
    rests_on,
    seed_of,
    talks_for,
)

HELP = """For a conversation of ten minutes: a sheet per student with questions about the code that
this student handed in and that earned its points, each with four options and the answer that a run
gave. The code runs in the sandbox, as always; no mark is written. docs/voce.md says how to hold
such a conversation, and what it does not prove.

The sheets lie below reports/voce/. They hold answers: they are for staff."""
EXAMPLE = "viva voce kernel_attention --sample 20%"
ALL = "Everybody who handed in has such a sheet, or the staff chose to ask this student."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--student", default="", help="only this one (default: everybody)")
    parser.add_argument("--questions", type=_count, default=5, help="on a sheet (default: 5)")
    parser.add_argument("--quiz", action="store_true",
                        help="a notebook per student with the questions as choices instead, for an "
                        "invigilated room; graded as the assignment HOMEWORK_voce")
    parser.add_argument("--sample", type=_share, default=None, metavar="20%",
                        help="ask so many, drawn at random")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="workers at once")


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 20:
        raise argparse.ArgumentTypeError(f"{text} is not a number of questions between 1 and 20")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a share of a class: write 20%")
    return share


def run(args: argparse.Namespace, course: Course) -> int:
    sheets = {sheet.student: sheet for sheet in read_class(course, args.homework)}
    found = {each.student: each for each in submissions(course, args.homework)
             if each.student in sheets and args.student in ("", each.student)}
    if not found:
        what = f"what {args.student} handed in is not" if args.student else "no submission is"
        raise Failure(f"{what} graded yet: type viva autograde {args.homework} first")
    secret, how = agreed(course), ALL
    students = list(found)
    if args.sample is not None:
        logs = {name: each.read().log for name, each in found.items()}
        raised = sample.remarkable(course, args.homework, list(sheets.values()), logs)
        students = sample.drawn(students, args.sample, raised, secret, args.homework)
        how = sample.how(args.sample)
        print(f"{len(students)} of {len(found)} students were drawn. {how}")
    released = load(course, args.homework)
    tasks = {name: _task(found[name], sheets[name], released, secret, args.questions)
               for name in students}
    made_of = {name: rests_on(task, how) for name, task in tasks.items()}
    kept = [name for name in students
            if not args.quiz and is_kept(course, args.homework, name, made_of[name])]
    for number, student in enumerate(kept, 1):
        print(f"{number} of {len(students)}: {student}, unchanged", flush=True)
    waiting = [task for name, task in tasks.items() if name not in kept]
    sittings = []
    count = args.jobs or course.settings.jobs or os.cpu_count() or 1
    for number, sitting in enumerate(_sat(course, released, secret, waiting, count), len(kept) + 1):
        words = f"{number} of {len(students)}: {sitting.student}"
        if args.quiz:
            sittings.append(sitting)
            print(f"{words}, {len(sitting.questions)} questions", flush=True)
        else:
            known = course.library.exercises(args.homework) if course.library else {}
            sitting.talks = talks_for(sitting, known, args.questions,
                                      tasks[sitting.student].seed)
            path = write_sheet(course, sitting, how)
            keep(course, sitting, how, made_of[sitting.student])
            asked = len(sitting.questions) + len(sitting.talks)
            print(f"{words}, {asked} questions, {path}", flush=True)
        for note in sitting.notes:
            print(f"  {note}", file=sys.stderr)
    if args.quiz:
        order = {name: place for place, name in enumerate(students)}
        sittings.sort(key=lambda each: order[each.student])
        _quiz(course, args, [each for each in sittings if each.questions], secret)
    return 0


def _task(submission: Submission, sheet: Sheet, released: Iterable[Released], secret: str,
            count: int) -> VoceTask:
    """What a worker must know to ask one student."""
    contents = submission.read()
    return VoceTask(submission.student, submission.homework,
                  tuple(submission.work(contents, each.notebook) for each in released),
                  tuple(earned(sheet.marks)),
                  seed_of(secret, submission.homework, submission.student), count)


def _sat(course: Course, released: list[Released], secret: str, tasks: Iterable[VoceTask],
         count: int) -> Iterator[VoceSitting]:
    """The sittings of these students, as they are done, by the workers that grade."""
    jobs = [VoceJob(each.student, each.homework, each.homework, each.to_bytes)
            for each in tasks]
    return pool.run(jobs, order_of(course, released, secret=secret), count, role=VOCE_ROLE)


def _quiz(course: Course, args: argparse.Namespace, sittings: list[VoceSitting],
          secret: str) -> None:
    from viva_examiner.voce.quiz import name_of, write_quiz

    if not sittings:
        raise Failure("no question could be made about anybody's code: there is no quiz")
    written = write_quiz(course, args.homework, sittings, args.questions, secret)
    name = name_of(args.homework)
    print(f"{len(written)} notebooks in {written[0].parent.parent}: give each to its student, "
          f"collect them as {name}, and type viva autograde {name}")
