"""Feedback for a class: nbgrader's pages, made again, one for everybody who has a mark."""

import logging
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import ledger, published
from viva_examiner.gradebook.by_hand import ByHand
from viva_examiner.gradebook.database import gradebook_errors
from viva_examiner.gradebook.results import Result, Results
from viva_examiner.nbgrader_steps.feedback_page import for_another


class NoFeedback(Failure):
    """There is nothing to make pages of, or nbgrader could not."""


def make_feedback(course: Course, homework: str, student: str = "*") -> list[Result]:
    """Write feedback/<student>/<homework>/ and return the results the pages are about.

    nbgrader keeps a page that it finds, with the marks of its day; here every page is made again.
    """
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        ByHand(gradebook.db, course, homework).settle()
        marks = Results(gradebook, course)
        marks.settle(homework)
        gradebook.db.commit()
        results = [each for each in marks.of(homework) if student in ("*", each.student.id)]
        gradebook.db.expunge_all()
    submitters = {each.submitter for each in results if each.submitter}
    if not submitters:
        raise NoFeedback(f"nothing of {homework} has been autograded: "
                         f"run `viva autograde {homework}` first")
    log = logging.Logger("viva.feedback")
    log.addHandler(logging.NullHandler())
    for name in ["*"] if student == "*" else sorted(submitters):
        directory = CourseDirectory(config=course.config, root=str(course.root), log=log,
                                    assignment_id=homework, student_id=name)
        try:
            GenerateFeedback(coursedir=directory, config=course.config, log=log, force=True).start()
        except (NbGraderException, SystemExit) as error:
            raise NoFeedback(f"nbgrader could not make the pages: {error}") from error
    _share(course, homework, results)
    with ledger.opened(course) as book:
        published.record(book, [each for each in results if each.submitter])
    return results


def _share(course: Course, homework: str, results: list[Result]) -> None:
    """Whoever's mark comes from another submission gets that page, with their own standing."""
    pages = {}
    for result in results:
        if result.submitter and result.submitter != result.student.id:
            folder = Path(course.path("feedback", result.submitter, homework))
            for path in folder.glob("*.html"):
                target = Path(course.path("feedback", result.student.id, homework)) / path.name
                pages[target] = for_another(path.read_text(), result.standing)
    for target, page in pages.items():
        write_whole(target, page)
