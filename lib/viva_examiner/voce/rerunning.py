"""Questions run again in a process that has not made them, with a hash seed of its own.

    python -m viva_examiner.voce.rerunning COURSE HOMEWORK    < rows as JSON    > refusals as JSON

COURSE is the folder of the course. A row is {"exercise", "who", "question"}; a refusal is [why,
whether the key was false], [] if there is none.
"""

import json
import sys
from pathlib import Path
from typing import Any

from viva.compare import difference, measured
from viva.voce.material import globals_of
from viva.voce.options import text_of
from viva.voce.question import Question
from viva.voce.rerun import refusal, result
from viva_examiner.course import Course
from viva_examiner.notebook.staff import read_notebook
from viva_examiner.voce.right import references_of, right_solutions

NEAR = 1e-9  # relative: what differs by more is another answer than the reference's


def refusals(course: Course, homework: str, rows: list[dict[str, Any]]) -> list[list[Any]]:
    """For each row why its question must not be asked."""
    exercises = course.library.exercises(homework)
    others, notebook = references_of(exercises), read_notebook(course, homework)
    names: dict[tuple[str, str, str], dict[str, Any]] = {}
    for name in {row["exercise"] for row in rows}:
        for right in right_solutions(exercises[name], others, notebook):
            own = dict(zip(exercises[name].candidates, right.candidates, strict=True))
            for function, candidate in own.items():
                names[name, right.who, function] = right.around | globals_of(candidate) | own
    found = []
    for row in rows:
        question = Question.back(row["question"])
        found.append(_refused(question, names[row["exercise"], row["who"], question.function],
                              references_of({row["exercise"]: exercises[row["exercise"]]})))
    return found


def _refused(question: Question, names: dict[str, Any], reference: dict[str, Any]) -> list[Any]:
    if why := refusal(question, names):
        return [why, True]
    calls = question.options if question.kind == "input" else (question.call,)
    if question.kind != "memory" and any(_differs(question, call, names, reference)
                                         for call in calls):
        return ["the function and the reference differ on it", False]
    return []


def _differs(question: Question, call: str, names: dict[str, Any],
             reference: dict[str, Any]) -> bool:
    """Whether the reference answers a call differently."""
    name = question.function
    one = result(call, name, names[name], names)
    other = result(call, name, reference[name], names | reference)
    if question.kind == "way" and not question.times:  # a shape: its weights may be random
        return getattr(one, "shape", None) != getattr(other, "shape", None)
    if text_of(one) is not None or text_of(other) is not None:
        return text_of(one) != text_of(other)
    with measured():
        return difference(one, other, NEAR, NEAR) is not None


def main() -> None:
    folder, homework = sys.argv[1:]
    json.dump(refusals(Course(Path(folder)), homework, json.load(sys.stdin)), sys.stdout)


if __name__ == "__main__":
    main()
