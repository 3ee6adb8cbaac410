"""Examine a notebook on Gradescope, and its marks in Gradescope's form."""

import json
from pathlib import Path

from viva_examiner.autograde.worker import Bench
from viva_examiner.gradebook.submissions import Submission
from viva_examiner.gradescope.results import Refused, entry, item_tests, number
from viva_examiner.limits import MAX_LOG_BYTES
from viva_examiner.records import GRADED, Graded, Work
from viva_examiner.sandbox import isolation

MAX_NOTEBOOK = 100 * 2**20


def grade_notebook(order: dict, path: Path, log: Path | None, student: str) -> dict:
    """Examine a notebook in the sandbox, as another user where namespaces are refused."""
    if path.stat().st_size > MAX_NOTEBOOK:
        raise Refused(f"The notebook has {path.stat().st_size >> 20} MB. Clear its outputs.")
    notebook = next(iter(json.loads(each)["notebook"] for each in order["released"]))
    beside = Submission("", order["homework"], path.parent)
    fits = log is not None and log.stat().st_size <= MAX_LOG_BYTES
    work = Work(path.read_bytes(), beside.files(), log.read_bytes() if fits else b"",
                () if fits or log is None else ("the submitted log is too large",))
    bench = Bench(order | {"isolation": isolation.chosen(in_container=True)})
    try:
        job = {"notebook": notebook, "student": student, "keys": {}}
        return notebook_results(Graded.from_json(bench.grade(job, work)))
    finally:
        bench.close()


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
