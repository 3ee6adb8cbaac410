"""A question that every exercise of this homework asks."""

from viva.checking import fault
from viva_course.rubric import reference_record, unmodified


def left_alone(exam, *candidates):
    """No argument is written to, by functions that answer at least one case rightly.

    Without the second half a constant would earn the points.
    """
    unmodified(exam, *candidates)
    right = any(
        fault(case, answer, reference_record(case.exercise, case.name, exam.secret)) is None
        for case, answer in exam.sitting(candidates)
    )
    exam.true(right, "no case is answered rightly yet")
