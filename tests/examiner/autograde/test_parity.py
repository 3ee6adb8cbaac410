"""On honest submissions the examiner's grades equal stock nbgrader's, cell by cell."""

import pytest

import courses
import plain_course
from viva_examiner.autograde.grading_run import autograde

STUDENTS = ("no_error", "half", "broken", "no_grad", "untouched")  # stock needs seconds for each


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The same plain course graded by stock nbgrader and by the examiner."""
    found = {}
    for name in ("stock", "examined"):
        root = tmp_path_factory.mktemp(name)
        source = plain_course.source_notebook()
        course = courses.make(root, "plain", source, examined=name == "examined")
        for student in STUDENTS:
            courses.hand_in(course, "plain", student, plain_course.submission(student))
        found[name] = course
    done = courses.nbgrader(found["stock"].root, "autograde", "plain")
    assert done.returncode == 0, done.stderr
    autograde(found["examined"], "plain", jobs=1)
    return {name: courses.grades(course, "plain") for name, course in found.items()}


def test_every_grade_and_comment_is_the_same(both):
    assert both["examined"] == both["stock"]


def test_the_comparison_is_not_empty(both):
    scores = {cell: score for (student, cell), (score, *_) in both["stock"].items()
              if student == "half"}
    assert scores["test_partial"] == 2.5 and scores["test_visible"] == 0
    assert scores["essay"] is None
    assert len(both["stock"]) == len(STUDENTS) * 8
