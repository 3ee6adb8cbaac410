"""The parts of Gradescope's results.json: a test per rubric item, and a graded log."""

from viva_examiner.examination import submission_log

BY_LOG = ("Graded from submission_log.json. What outputs cannot show needs the notebook: hand in "
          "both.")


class Refused(Exception):
    """The submission cannot be graded; the message is for the student."""


def item_tests(exercise: str, items: list[dict], hint: str) -> list[dict]:
    """A test per item; the hint of a recognised mistake is told once, where points are lost."""
    tests = []
    for item in items:
        message = item["message"]
        if hint and item["earned"] is not None and item["earned"] < item["points"]:
            message, hint = f"{message}\nUsual cause: {hint}", ""
        tests.append(entry(f"{exercise}: {item['name']}", exercise, item["earned"],
                           item["points"], message))
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


def log_results(graded: submission_log.GradedLog) -> dict:
    """Gradescope's form of a graded log."""
    if graded.refused:
        raise Refused(f"The log cannot be graded: {graded.refused}.")
    tests = [test for report in graded.exercises
             for test in item_tests(report["exercise"], report["items"], report["hint"])]
    return {"score": graded.score, "tests": number(tests), "output": BY_LOG,
            "extra_data": {"status": "graded from the log", "remarks": graded.remarks}}
