"""What differs from student to student in a log, and what does not."""

from pathlib import Path

import pytest

from shown import Shown, exams_of
from viva import compare, tables
from viva_course import log_grading
from viva_course.rubric import exercises


@pytest.mark.parametrize("homework", tables.homeworks())
def test_answers_taken_to_be_the_same_for_all_are(homework):
    """To a tenth of a case's tolerance, for students that the papers were not made with."""
    shown = Shown(homework, "papers", Path(__file__), *exams_of(homework))
    for name, exercise in () if shown.before else exercises(homework).items():
        sheet = log_grading.paper(name)
        for each in (each for each in exercise.cases if each.name in sheet.fixed):
            close = {"rtol": each.rtol / 10, "atol": each.atol / 10}
            for student in map(str, range(50)):
                record = log_grading.reference_record(each, exercise.reference, student)
                assert compare.difference(record, sheet.fixed[each.name], **close) is None
    shown.keep()
