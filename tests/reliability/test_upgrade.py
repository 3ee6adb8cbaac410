"""A gradebook of stock nbgrader is taken over with all that is in it, and handed back."""

import pytest

import courses
import plain_course
from harness import by_hand, grade_by_hand
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.course import Course

pytestmark = pytest.mark.soak  # real faults on real runs: minutes, so in make soak


def test_a_stock_gradebook_is_taken_over_and_handed_back(tmp_path):
    stock = courses.make(tmp_path / "course", "plain", plain_course.source_notebook(),
                         examined=False)
    for student in ("right", "half"):
        courses.hand_in(stock, "plain", student, plain_course.submission(student))
    done = courses.nbgrader(stock.root, "autograde", "plain")
    assert done.returncode == 0, done.stderr
    grade_by_hand(stock, "half")
    before = courses.grades(stock, "plain")

    config = courses.EXAMINED.format(root=str(stock.root), extra="")
    (stock.root / "nbgrader_config.py").write_text(config)
    examined = Course(stock.root)
    assert len(autograde(examined, "plain").results) == 2
    assert courses.grades(examined, "plain") == before
    assert by_hand(examined, "half") == (2.5, 0.5, "well put")

    (stock.root / "nbgrader_config.py").write_text(courses.STOCK.format(root=str(stock.root)))
    for command in (["generate_feedback", "plain"], ["export"], ["autograde", "plain", "--force"]):
        done = courses.nbgrader(stock.root, *command)
        assert done.returncode == 0, done.stderr
    assert by_hand(stock, "half") == (2.5, 0.5, "well put")
    scores = {key: row[0] for key, row in courses.grades(stock, "plain").items()}
    assert scores == {key: row[0] for key, row in before.items()}
