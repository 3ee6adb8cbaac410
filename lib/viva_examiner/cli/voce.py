"""`viva voce`: questions about a student's own code, for a conversation."""

import argparse
import sys

from viva_examiner.course import Course
from viva_examiner.examination.orders import order_of, settled
from viva_examiner.failure import Failure
from viva_examiner.gradebook.course_secret import agreed
from viva_examiner.gradebook.released import load
from viva_examiner.gradebook.submissions import submissions
from viva_examiner.report.sheets import read_class
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.voce import sample
from viva_examiner.voce.asking import Sitting, earned, rests_on, seed_of, sit, talks_for
from viva_examiner.voce.page import is_kept, keep, write_sheet

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
        raise argparse.ArgumentTypeError(f"{text} is no share of a class: write 20%")
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
        raised = sample.remarkable(course, args.homework, list(sheets.values()))
        students = sample.drawn(students, args.sample, raised, secret, args.homework)
        how = sample.how(args.sample)
        print(f"{len(students)} of {len(found)} students were drawn. {how}")
    released = load(course, args.homework)
    order = settled(order_of(course, released, secret=secret))
    sittings = []
    with WarmInterpreter(order.preload, order.limits, order.hide, order.isolation,
                         [args.homework]) as warm:
        for number, student in enumerate(students, 1):
            at, seed = f"{number} of {len(students)}", seed_of(secret, args.homework, student)
            exercises = earned(sheets[student].marks)
            made_of = rests_on(found[student], exercises, seed, args.questions, how)
            if not args.quiz and is_kept(course, args.homework, student, made_of):
                print(f"{at}: {student}, unchanged", flush=True)
                continue
            sitting = sit(warm, order.limits, released, found[student], exercises, seed,
                          args.questions)
            if args.quiz:
                sittings.append(sitting)
                print(f"{at}: {student}, {len(sitting.questions)} questions", flush=True)
                continue
            known = course.library.exercises(args.homework) if course.library else {}
            sitting.talks = talks_for(sitting, known, args.questions, seed)
            path = write_sheet(course, sitting, how)
            keep(course, sitting, how, made_of)
            count = len(sitting.questions) + len(sitting.talks)
            print(f"{at}: {student}, {count} questions, {path}", flush=True)
            for note in sitting.notes:
                print(f"  {note}", file=sys.stderr)
    if args.quiz:
        _quiz(course, args, [each for each in sittings if each.questions], secret)
    return 0


def _quiz(course: Course, args: argparse.Namespace, sittings: list[Sitting], secret: str) -> None:
    from viva_examiner.voce.quiz import name_of, write_quiz

    if not sittings:
        raise Failure("no question could be made about anybody's code: there is no quiz")
    written = write_quiz(course, args.homework, sittings, args.questions, secret)
    name = name_of(args.homework)
    print(f"{len(written)} notebooks in {written[0].parent.parent}: give each to its student, "
          f"collect them as {name}, and type viva autograde {name}")
