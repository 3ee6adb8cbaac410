"""The parts of Gradescope's results.json: a test per rubric item, and a graded log."""

from collections.abc import Iterable

from viva_examiner.examination import submission_log
from viva_examiner.records import RubricItem

BY_LOG = "Graded from submission_log.json: the code in it was run, as a notebook's is."
PROVISIONAL = "Provisional: hand in the notebook as well. Without it nothing counts for"


class NotGradable(Exception):
    """The submission cannot be graded; the message is for the student."""


def item_tests(exercise: str, items: Iterable[RubricItem], hint: str) -> list[dict]:
    """A test per item; the hint of a recognised mistake is shown once, where points are lost."""
    tests = []
    for item in items:
        message = item.message
        if hint and item.gone > 0:
            message, hint = f"{message}\nUsual cause: {hint}", ""
        tests.append(entry(f"{exercise}: {item.name}", exercise, item.earned, item.points,
                           message))
    return tests


def entry(name: str, exercise: str, score: float | None, points: float, output: str) -> dict:
    test = {"name": name, "max_score": points, "output": output, "output_format": "text",
            "tags": [exercise]}
    if score is None:
        return test
    return test | {"score": score, "status": "passed" if score >= points else "failed"}


def number(tests: list[dict]) -> list[dict]:
    """Number the tests 1.1, 1.2, … 2.1 by exercise."""
    exercises: dict[str, int] = {}
    for test in tests:
        exercise = test["tags"][0]
        exercises[exercise] = exercises.get(exercise, 0) + 1
        place = list(exercises).index(exercise) + 1
        test["number"] = f"{place}.{exercises[exercise]}"
    return tests


def log_results(graded: submission_log.GradedLog, homework: str) -> dict:
    """Gradescope's form of a graded log."""
    if graded.refused:
        raise NotGradable(f"The log cannot be graded: {graded.refused}.")
    if graded.homework != homework:
        raise NotGradable(f"The log is of {graded.homework}, not of {homework}. It was not graded.")
    tests = [test for each in graded.exercises
             for test in item_tests(each.exercise, each.items, each.hint)]
    lines = [BY_LOG]
    if graded.provisional:
        lines += [PROVISIONAL, *(f"- {name}: {why}" for name, why in graded.provisional.items())]
    status = "provisional, from the log" if graded.provisional else "graded from the log"
    return {"score": graded.score, "tests": number(tests), "output": "\n".join(lines),
            "extra_data": {"status": status, "remarks": graded.remarks}}
