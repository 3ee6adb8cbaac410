"""What the database counts is what the standings say, whatever the columns hold."""

import itertools

from nbgrader.api import Gradebook

import courses
import marked_course
from viva_examiner.gradebook.counts import counts
from viva_examiner.gradebook.standing import LOOK, UNGRADED, of_submission

SCORES = (None, 0.0, 2.0)


def test_counts_agree_with_standings(tmp_path, empty_gradebook):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    kinds = list(itertools.product(SCORES, SCORES, (False, True), SCORES, SCORES, (False, True)))
    with Gradebook(course.db_url, "m") as book:
        with courses.one_transaction(book):
            for number, kind in enumerate(kinds):
                book.add_student(f"s{number:03}")
                submission = book.add_submission("one", f"s{number:03}")
                for grade, (auto, manual, flagged) in zip(
                        sorted(submission.notebooks[0].grades, key=lambda each: each.cell.name),
                        (kind[:3], kind[3:]), strict=True):
                    grade.auto_score, grade.manual_score = auto, manual
                    grade.needs_manual_grade = flagged
        waits = [{cell.waits for cell in of_submission(each).cells} - {""}
                 for each in book.assignment_submissions("one")]
        found = counts(book.db)["one"]
    assert len(found.submitters) == len(kinds) == len(waits)
    assert found.ungraded == sum(UNGRADED in each for each in waits)
    assert found.look == sum(LOOK in each for each in waits)
    assert found.waiting == sum(bool(each) for each in waits)
    assert 0 < found.ungraded < found.waiting < len(waits)
