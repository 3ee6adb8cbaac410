"""A large class that was autograded, written down without grading anybody."""

import json
import random
from pathlib import Path

from nbgrader.api import Gradebook

import courses
from viva_examiner.course import Course
from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.records import Graded, Kind, Mark, Remark, Rubric, RubricItem

HOMEWORK = "long"
QUESTIONS = ("written_why", "written_how", "written_when")
SOURCE = "def f(x):\n    total = 0\n    for each in x:\n        total += each * {}\n    return x"


def cell(name, kind, source, points, solution):
    about = {"grade_id": name, "grade": points is not None, "solution": solution, "locked": False,
             "task": False, "schema_version": 3, "cell_type": kind}
    about |= {} if points is None else {"points": points}
    code = {"outputs": [{"output_type": "stream", "name": "stdout", "text": "a line\n" * 40}],
            "execution_count": 1} if kind == "code" else {}
    return {"cell_type": kind, "id": name, "source": source,
            "metadata": {"nbgrader": about}} | code


def notebook(student: str, rng: random.Random, tests: int) -> str:
    cells, marks = [], {}
    for number in range(tests):
        earned = float(rng.randint(0, 4))
        items = (RubricItem("values", 4.0, earned, "" if earned == 4 else "They differ."),)
        marks[f"test_{number}"] = Mark(earned, 4.0, rubric=(Rubric(f"e{number}", items=items),))
        cells += [{"cell_type": "markdown", "id": f"m{number}", "metadata": {},
                   "source": "Some words about $x^2$. " * 60},
                  cell(f"e{number}", "code", SOURCE.format(rng.random()), None, True),
                  cell(f"test_{number}", "code", "examine()", 4, False)]
    for name in QUESTIONS:
        marks[name] = Mark(None, 4.0, manual=True)
        cells.append(cell(name, "markdown", f"Because of {rng.randint(0, 200)}. " * 12, 4, True))
    remarks = (Remark(Kind.CRASHED, "crashed once"),) if rng.random() < 0.1 else ()
    record = Graded(student, HOMEWORK, HOMEWORK, "graded", marks, remarks=remarks).summary()
    return json.dumps({"cells": cells, "metadata": {RECORD: record}, "nbformat": 4,
                       "nbformat_minor": 5})


def write_course(root: Path, empty_gradebook: Path, students: int, tests: int = 24) -> Course:
    """A course with one homework, its class `s0000`, `s0001`, ..., and everybody's written answers
    waiting."""
    root.mkdir()
    (root / "nbgrader_config.py").write_text("c = get_config()\n")
    (root / "gradebook.db").write_bytes(empty_gradebook.read_bytes())
    rng, course = random.Random(1), Course(root)
    names = [f"s{number:04}" for number in range(students)]
    texts = {name: notebook(name, rng, tests) for name in names}
    for folder, text in [(f"source/{HOMEWORK}", texts[names[0]]),
                         *((f"{room}/{student}/{HOMEWORK}", text) for student, text in texts.items()
                           for room in ("submitted", "autograded"))]:
        path = root / folder / f"{HOMEWORK}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    with Gradebook(course.db_url, "") as book, courses.one_transaction(book):
        book.add_assignment(HOMEWORK)
        book.add_notebook(HOMEWORK, HOMEWORK)
        for name in [f"test_{number}" for number in range(tests)] + list(QUESTIONS):
            book.add_grade_cell(name, HOMEWORK, HOMEWORK, max_score=4,
                                cell_type="markdown" if name in QUESTIONS else "code")
        for name in QUESTIONS:
            book.add_solution_cell(name, HOMEWORK, HOMEWORK)
        for student in texts:
            book.add_student(student)
            for taken in book.add_submission(HOMEWORK, student).notebooks:
                for grade in taken.grades:
                    written = grade.cell.name in QUESTIONS
                    grade.auto_score = None if written else float(rng.randint(0, 4))
                    grade.needs_manual_grade = written
    return course
