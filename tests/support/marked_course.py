"""A class with marks, made by nbgrader's own API: for exports, feedback and the roster.

Each homework has a test of six points and a written answer of four.
"""

import json
from datetime import datetime, timedelta
from pathlib import Path

from nbgrader.api import Gradebook

from viva_examiner.course import Course

HOMEWORKS = ("one", "two")
DUE = {"one": datetime(2026, 2, 1, 12), "two": datetime(2026, 2, 8, 12)}
TEST, WRITTEN = 6.0, 4.0
CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "m"
from viva_examiner.nbgrader_steps.exporters import ByHomework
from viva_examiner.nbgrader_steps.feedback_page import FeedbackPage
from viva_examiner.nbgrader_steps.formgrader_page import HarmlessPage
from viva_examiner.gradebook.lateness import LatePolicy
c.ExportApp.plugin_class = ByHomework
c.HTMLExporter.preprocessors = [HarmlessPage]
c.GenerateFeedback.exporter_class = FeedbackPage
c.AssignLatePenalties.plugin_class = LatePolicy
"""


def graded(name: str, kind: str, source: str, points: float, solution: bool) -> dict:
    about = {"grade_id": name, "grade": True, "solution": solution, "locked": not solution,
             "task": False, "points": points, "schema_version": 3, "cell_type": kind}
    more = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "id": name, "metadata": {"nbgrader": about}, "source": source} | more


def notebook(answer: str = "Model.", **metadata) -> str:
    asks = {"cell_type": "markdown", "id": "asks", "metadata": {},
            "source": r"Why is $\frac{a}{b}<1$, and $$\sum_{i=1}^n x_i \le \|x\|_1$$?"}
    cells = [asks, graded("test_sum", "code", "assert True", TEST, False),
             graded("written_why", "markdown", answer, WRITTEN, True)]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})


def write_course(root: Path, empty_gradebook: Path, people: list[str] = ()) -> Course:
    """The course with its homeworks and students; nothing is handed in yet."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "nbgrader_config.py").write_text(CONFIG)
    (root / "gradebook.db").write_bytes(empty_gradebook.read_bytes())
    course = Course(root)
    with Gradebook(course.db_url, "m") as book:
        for homework in HOMEWORKS:
            source = root / "source" / homework / f"{homework}.ipynb"
            source.parent.mkdir(parents=True)
            source.write_text(notebook())
            book.add_assignment(homework, duedate=DUE[homework])
            book.add_notebook(homework, homework)
            book.add_grade_cell("test_sum", homework, homework, max_score=TEST, cell_type="code")
            book.add_grade_cell("written_why", homework, homework, max_score=WRITTEN,
                                cell_type="markdown")
            book.add_solution_cell("written_why", homework, homework)
        for name in people:
            book.add_student(name)
    return course


def hand_in(course, homework: str, student: str, test: float | None, written: float | None = None,
            late: timedelta = timedelta(-1), look: bool = False, answer: str = "Because.") -> None:
    """A submission with its marks; `written` of None waits for a TA."""
    with Gradebook(course.db_url, "m") as book:
        book.update_or_create_student(student)
        submission = book.update_or_create_submission(homework, student,
                                                      timestamp=DUE[homework] + late)
        for grade in submission.notebooks[0].grades:
            if grade.cell.name == "test_sum":
                grade.auto_score, grade.needs_manual_grade = test, look or test is None
            else:
                grade.manual_score, grade.needs_manual_grade = written, written is None
        book.db.commit()
    path = Path(course.path("autograded", student, homework)) / f"{homework}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(answer))
