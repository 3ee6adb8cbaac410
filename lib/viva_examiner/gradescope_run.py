"""Grade one submission on Gradescope: `python -m viva_examiner.gradescope_run /autograder`."""

import contextlib
import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path

from viva_examiner import jail, logs
from viva_examiner.grading import GRADED, Graded, add_remarks
from viva_examiner.rooms import Submission
from viva_examiner.worker import Bench

MAX_NOTEBOOK = 100 * 2**20
NOT_GRADED = "Not graded: the autograder itself failed. This is not your mark; tell the staff."
BY_LOG = ("Graded from submission_log.json. What outputs cannot show needs the notebook: hand in "
          "both.")


class Refused(Exception):
    """The submission cannot be graded; the message is for the student."""


def main(root: Path) -> int:
    """Grade what lies in root/submission and write root/results/results.json."""
    began = time.monotonic()
    path = root / "results" / "results.json"
    order, problem = {}, ""
    try:
        order = json.loads((root / "source" / "order.json").read_text())
        results = grade(root, order)
    except Refused as error:
        results = {"score": 0.0, "output": str(error), "extra_data": {"status": "refused"}}
    except Exception:
        problem = traceback.format_exc()
        results = {"score": 0.0, "output": NOT_GRADED, "extra_data": {"status": "not graded"}}
    results["execution_time"] = round(time.monotonic() - began)
    visibility = order.get("visibility", "visible")
    results |= {"visibility": visibility, "stdout_visibility": "hidden"}
    for test in results.get("tests", []):
        test["visibility"] = visibility
    new = path.with_suffix(".new")
    new.write_text(json.dumps(results, indent=1, allow_nan=False))
    new.replace(path)
    print(problem or "graded")  # staff see this, students do not
    return 1 if problem else 0


def grade(root: Path, order: dict) -> dict:
    """The results of the notebook that was handed in, or of the log if there is only one."""
    people = names_of(root / "submission_metadata.json")
    notebook, log = find(root / "submission", order["homework"])
    if notebook is not None:
        return grade_notebook(order, notebook, log, people)
    if log is None:
        raise Refused(f"Hand in {order['homework']}.ipynb (or {logs.NAME}); neither was found.")
    os.environ["VIVA_SECRET"] = order["secret"]
    library = importlib.import_module(order["library"])
    return log_results(logs.grade(library, log, owner=owner_of(log, people)))


def find(folder: Path, homework: str) -> tuple[Path | None, Path | None]:
    """The notebook and the log of a submission, wherever in it they lie."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
    notebooks = [path for path in files if path.suffix == ".ipynb"]
    named = [path for path in notebooks if path.stem == homework]
    if len(notebooks) > 1 and len(named) != 1:
        names = ", ".join(path.name for path in notebooks)[:200]
        raise Refused(f"More than one notebook was handed in ({names}); hand in {homework}.ipynb.")
    found = [path for path in files if path.name == logs.NAME]
    return next(iter(named or notebooks), None), next(iter(found), None)


def names_of(path: Path) -> list[str]:
    """What Gradescope calls the people who handed in, the surest name first."""
    try:
        users = json.loads(path.read_text())["users"]
        names = [word for user in users for word in (
            user.get("email"), (user.get("email") or "").partition("@")[0], user.get("sid"),
            user.get("id"))]
        words = [str(word) for word in names if word]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    return [word for word in words if word.isprintable()]  # it becomes an environment variable


def owner_of(log: Path, people: list[str]) -> str:
    """The name by which the owner of a log must be known: the log's own, if it is one of theirs."""
    with contextlib.suppress(logs.BadLog):
        student = logs.read(log)["student"]
        if student in people:
            return student
    return people[0] if people else ""


def grade_notebook(order: dict, path: Path, log: Path | None, people: list[str]) -> dict:
    """Examine a notebook in the sandbox, as another user where namespaces are refused."""
    if path.stat().st_size > MAX_NOTEBOOK:
        raise Refused(f"The notebook has {path.stat().st_size >> 20} MB. Clear its outputs.")
    other_user = jail.why_not() is not None
    if other_user and os.geteuid() != 0:
        raise RuntimeError("neither namespaces nor root: student code cannot be isolated")
    notebook = next(iter(json.loads(each)["notebook"] for each in order["trusted"]))
    submission = Submission("", order["homework"], path.parent)
    student = owner_of(log, people) if log else next(iter(people), "")
    bench = Bench(order | {"other_user": other_user})
    try:
        job = {"notebook": notebook, "student": student, "keys": {}}
        graded = Graded.from_json(bench.grade(job, path.read_bytes(), submission.files()))
    finally:
        bench.close()
    if log is not None:
        add_remarks(graded, logs.compare(log.read_bytes(), graded.log)
                    if log.stat().st_size <= logs.MAX_BYTES else ["the submitted log is too large"])
    return notebook_results(graded)


def notebook_results(graded: Graded) -> dict:
    """Gradescope's form of a graded notebook: a test per rubric item."""
    tests, leaderboard, by_hand = [], [], 0.0
    for name, mark in graded.marks.items():
        if mark["manual"]:
            by_hand += mark["points"]
        elif mark["points"] > 0:
            tests += cell_tests(name, mark)
            leaderboard += [row for each in mark["rubric"] for row in each.get("leaderboard", [])]
    lines = [f"{by_hand:g} points of written answers are graded by hand."] if by_hand else []
    if graded.status != GRADED:
        lines.insert(0, f"{graded.status}: {'; '.join(graded.remarks)[:500]}")
    results = {"score": round(graded_score(graded), 6), "tests": number(tests),
               "output": "\n".join(lines),
               "extra_data": {"status": graded.status, "remarks": graded.remarks}}
    return results | ({"leaderboard": leaderboard} if leaderboard else {})


def graded_score(graded: Graded) -> float:
    return sum(mark["score"] or 0.0 for mark in graded.marks.values() if not mark["manual"])


def cell_tests(name: str, mark: dict) -> list[dict]:
    """A test per rubric item of a cell; one for the cell where it has no items."""
    exercise = name.removeprefix("test_")
    if mark["score"] is None or not mark["rubric"]:
        lost = mark["score"] is None or mark["score"] < mark["points"]
        reason = mark["reason"] if lost else ""
        return [entry(exercise, exercise, mark["score"], mark["points"], reason)]
    tests = []
    for report in mark["rubric"]:
        tests += item_tests(exercise, report["items"], report["hint"])
    return tests


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


def log_results(graded: logs.GradedLog) -> dict:
    """Gradescope's form of a graded log."""
    if graded.refused:
        raise Refused(f"The log cannot be graded: {graded.refused}.")
    tests = [test for report in graded.exercises
             for test in item_tests(report["exercise"], report["items"], report["hint"])]
    return {"score": graded.score, "tests": number(tests), "output": BY_LOG,
            "extra_data": {"status": "graded from the log", "remarks": graded.remarks}}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
