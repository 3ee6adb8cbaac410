"""`viva audit`: examine the exams."""

import argparse
import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.library import Exercise
from viva_examiner.sandbox.inside.fork_server import warm_up

if TYPE_CHECKING:  # it imports numpy, and threads are bounded first
    from viva_examiner.audit.proven import Proven

HELP = """Examine the exams. Every exercise's hidden rubric is tried on the reference, each accepted
variant and the notebook's own solution (20 secrets), on each known mistake and on the untouched
cell. Exits with 0 only if every mistake loses points, everything right has full marks on every
secret, the untouched cell and answers that are always the same have none, and every rubric item
is needed by a mistake. What has not changed since it was proven is not tried again.

With --questions, those about code (`viva voce`) are proven too: they are made about every right
solution, run again in two fresh processes, and each homework must yield enough of them.

With --mutate, the notebook's own solutions are changed in every small way a machine can think of.
Exits with 0 only if 97% lose points and each of the others has a reason in the exam."""
EXAMPLE = "viva audit kernel_attention --brief"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework", nargs="*", help="homeworks to audit (default: all)")
    parser.add_argument("--exercise", default="", metavar="NAME", help="only this exercise")
    parser.add_argument("--mutate", action="store_true",
                        help="try generated mistakes instead of the catalogue")
    parser.add_argument("--questions", action="store_true",
                        help="prove what `viva voce` would ask, too")
    parser.add_argument("--all", action="store_true",
                        help="prove again what has not changed since it was proven")
    parser.add_argument("--brief", action="store_true", help="problems and the summary only")
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="secrets to try")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="processes at once")


def run(args: argparse.Namespace, course: Course) -> int:
    if course.library is None:
        raise Failure("this course names no library (c.Examiner.course)")
    if args.questions and args.exercise:
        raise Failure("--questions counts over a whole homework: leave --exercise out")
    exercises = list(chosen(course, args.homework, args.exercise))
    if not exercises:
        raise Failure("there is no such exercise")
    warm_up(())  # once, not in every fork
    return mutated(args, course, exercises) if args.mutate else audited(args, course, exercises)


def chosen(course: Course, homeworks: list[str], exercise: str) -> Iterator[Exercise]:
    """The exercises asked for, homework by homework."""
    for homework in homeworks or [""]:
        for name, each in course.library.exercises(homework).items():
            if exercise in ("", name):
                yield each


def audited(args: argparse.Namespace, course: Course, exercises: list[Exercise]) -> int:
    from viva_examiner.audit.exams import audit
    from viva_examiner.audit.proven import Proven
    from viva_examiner.audit.table import LEGEND, summary, table

    began, notebooks = time.monotonic(), notebooks_of(course, exercises)
    proven = Proven(course, notebooks, args.seeds)
    known = {} if args.all else {each.name: proven.recall(each) for each in exercises}
    findings = [finding for finding in known.values() if finding is not None]
    changed = [each for each in exercises if known.get(each.name) is None]
    for finding in audit(changed, notebooks, jobs_of(args), args.seeds):
        findings.append(finding)
        proven.keep(finding)
        if not args.brief or finding.problems():
            print("\n".join([*table(finding), ""]), flush=True)
    order = [each.name for each in exercises]
    findings.sort(key=lambda finding: order.index(finding.exercise.name))
    print("\n".join([*summary(findings), "", LEGEND]))
    bad: list[Any] = [finding for finding in findings if finding.problems()]
    for check in public_checks(course, exercises, proven, args):
        print("\n".join(["", check.table, *(f"  {problem}" for problem in check.problems)]))
        bad += check.problems
    for lines, problems in questions(course, exercises, notebooks, args):
        print("\n".join(["", *lines, *(f"  PROBLEM  {problem}" for problem in problems)]))
        bad += problems
    mistakes = sum(len(each.mistakes) for each in exercises)
    print(f"{len(exercises)} exercises, {mistakes} mistakes, {args.seeds} secrets, "
          f"{time.monotonic() - began:.0f} s"
          + (f", {len(exercises) - len(changed)} unchanged since they were proven: "
             if len(changed) < len(exercises) else ": ")
          + (f"{len(bad)} problems" if bad else "every bar holds"))
    return int(bool(bad))


def public_checks(course: Course, exercises: list[Exercise], proven: "Proven",
                  args: argparse.Namespace) -> Iterator[Any]:
    """What the students' own check makes of the mistakes, where a course can tell."""
    from viva_examiner.audit.staff_forks import in_forks

    if not hasattr(course.library, "noticing"):
        return
    rows = {}
    for each, ended in in_forks(lambda exercise: proven.public_check(exercise, args.all),
                                exercises, jobs_of(args)):
        if ended.value is None:
            raise Failure(ended.why if ended.fault else f"the check of {each.name}: {ended.why}")
        rows[each.name] = ended.value
    for homework in dict.fromkeys(each.homework for each in exercises):
        yield course.library.noticing(
            homework, [rows[each.name] for each in exercises if each.homework == homework])


def questions(course: Course, exercises: list[Exercise], notebooks: dict,
              args: argparse.Namespace) -> Iterator[tuple[list[str], list[str]]]:
    """What can be asked about right solutions of whole homeworks, and what is wrong with that."""
    if not args.questions or args.exercise or not hasattr(course.library, "whys_of"):
        return
    from viva_examiner.voce import coverage
    from viva_examiner.voce.proof import prove

    proofs = prove(course, exercises, notebooks, jobs_of(args), args.all)
    for homework in dict.fromkeys(each.homework for each in exercises):
        some = [each for each in proofs if each.exercise.homework == homework]
        rows = coverage.table(homework, some)
        yield rows[-1:] if args.brief else rows, list(coverage.problems(homework, some))


def mutated(args: argparse.Namespace, course: Course, exercises: list[Exercise]) -> int:
    from viva_examiner.audit.generated_mistakes import kill, lines, verdict

    began, killings = time.monotonic(), []
    for killing in kill(exercises, notebooks_of(course, exercises), jobs_of(args)):
        killings.append(killing)
        print("\n".join(lines(killing)), flush=True)
    words, holds = verdict(killings)
    print(f"{words} ({time.monotonic() - began:.0f} s)")
    return int(not holds)


def notebooks_of(course: Course, exercises: list[Exercise]) -> dict:
    """The source notebooks of the exercises' homeworks; says which are missing."""
    from viva_examiner.notebook.staff import read_notebook

    names = dict.fromkeys(each.homework for each in exercises)
    notebooks = {homework: read_notebook(course, homework) for homework in names}
    for missing in (name for name, notebook in notebooks.items() if notebook is None):
        print(f"{missing}: no notebook in source/ yet; its own solutions are not tried")
    return notebooks


def jobs_of(args: argparse.Namespace) -> int:
    return args.jobs or os.cpu_count() or 1
