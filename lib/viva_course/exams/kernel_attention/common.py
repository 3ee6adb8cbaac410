"""Questions and constants that several exercises of this homework share."""

from viva.checking import fault
from viva_course.rubric import reference_record, unmodified

TIGHT = {"rtol": 1e-9, "atol": 1e-10}  # float64, small sizes: only the order of summation differs


def left_alone(exam, *candidates):
    """Arguments unchanged, asked only of a solution that answers some case rightly."""
    right = [
        fault(case, answer, reference_record(exam.exercise.name, case.name, exam.secret)) is None
        for case, answer in exam.sitting(candidates)
    ]
    unmodified(exam, *candidates)
    exam.true(any(right), "no case is right yet")
