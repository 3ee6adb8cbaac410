"""A graded class with two written questions, made by nbgrader's own API: for `viva written`."""

import json
from pathlib import Path

from nbgrader.api import Gradebook

from viva_examiner.course import Course

HOMEWORK = "essays"
QUESTIONS = {"written_why": 3.0, "written_how": 2.0}
STAFF = {
    "written_why": "**Model answer.** Because $a<b$.\n\n**Rubric** (3 points)\n"
                   "- 2: it says *why*,\n  in a sentence\n- 1: it names $a<b$\n",
    "written_how": "**Model answer.** By hand.\n\n**Rubric.**\n- 1 point: a method\n"
                   "- 1 point: an example",
}
ANSWERS = {
    "ada": "Because $a<b$, that is why.",
    "bob": "because $a<b$, that is  why",
    "cyd": "No idea.",
    "dan": "",
    "eve": "YOUR ANSWER HERE",
    "mallory": "<img src=x onerror=\"document.title='run'\"> <script>document.title='run'</script>",
}


def cell(name: str, source: str, points: float) -> dict:
    about = {"grade_id": name, "grade": True, "solution": True, "locked": False, "task": False,
             "points": points, "schema_version": 3, "cell_type": "markdown"}
    return {"cell_type": "markdown", "id": name, "metadata": {"nbgrader": about}, "source": source}


def notebook(texts: dict[str, str]) -> str:
    cells = []
    for name, points in QUESTIONS.items():
        asks = f"**Question {name}** How is $x^2$?"
        cells.append({"cell_type": "markdown", "id": f"{name}-question", "metadata": {},
                      "source": asks})
        cells.append(cell(name, texts[name], points))
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def write_course(root: Path, empty_gradebook: Path, answers: dict[str, str] = ANSWERS) -> Course:
    """The course on disk, its autograded notebooks, and a gradebook in which all answers wait."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'w'\n")
    (root / "gradebook.db").write_bytes(empty_gradebook.read_bytes())
    course = Course(root)
    source = root / "source" / HOMEWORK / f"{HOMEWORK}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(notebook(STAFF))
    with Gradebook(course.db_url, "w") as book:
        book.add_assignment(HOMEWORK)
        book.add_notebook(HOMEWORK, HOMEWORK)
        for name, points in QUESTIONS.items():
            book.add_grade_cell(name, HOMEWORK, HOMEWORK, max_score=points, cell_type="markdown")
            book.add_solution_cell(name, HOMEWORK, HOMEWORK)
        for student, text in answers.items():
            book.add_student(student)
            submission = book.add_submission(HOMEWORK, student)
            for graded in submission.notebooks:
                for grade in graded.grades:
                    grade.needs_manual_grade = True
            path = root / "autograded" / student / HOMEWORK / f"{HOMEWORK}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(notebook({name: text for name in QUESTIONS}))
        book.db.commit()
    return course
