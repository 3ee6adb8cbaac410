"""What every exercise must hold, called from each homework's test: the bars of `viva audit`.

What an audit has proven, and nothing has changed since, is not proven again here.
"""

import functools

from repository import ROOT
from viva_course import expected
from viva_course.rubric import Exercise
from viva_examiner.audit.exams import SEEDS, audit
from viva_examiner.audit.proven import Proven
from viva_examiner.course import Course
from viva_examiner.notebook.staff import read_notebook

FEW = 2  # secrets to try where no audit has been


@functools.cache
def notebooks(homework: str) -> dict:
    return {homework: read_notebook(Course(ROOT), homework)}


def check_exercise(exercise: Exercise) -> None:
    """Full marks for what is right, points lost for what is wrong, nothing for the stub."""
    known = notebooks(exercise.homework)
    if Proven(Course(ROOT), known, SEEDS).recall(exercise) is not None:
        return
    quick = Proven(Course(ROOT), known, FEW)
    finding = quick.recall(exercise)
    if finding is None:
        [finding] = audit([exercise], known, jobs=1, seeds=FEW)
        quick.keep(finding)
    failed = finding.problems()
    assert not failed, f"{exercise.name}: " + "; ".join(failed)  # which bars, and what failed them


def check_public(exercise: Exercise) -> None:
    """The public record of an exercise accepts the reference and every variant."""
    from viva.checking import fault

    record = expected.public_record(exercise)
    for candidates in (exercise.reference, *(each.candidates for each in exercise.variants)):
        for case in exercise.cases:
            wrong = fault(case, case.run(candidates, "public"), record["cases"][case.name])
            assert wrong is None, f"{case.name}: {wrong}"
