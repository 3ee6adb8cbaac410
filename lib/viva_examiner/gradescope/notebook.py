"""Examine a notebook on Gradescope, or the code in a log, and the marks in Gradescope's form."""

import importlib

from viva.log import LOG_NAME
from viva_examiner.examination import submission_log
from viva_examiner.examination.engine import Engine
from viva_examiner.examination.logged import judged, notebook_of
from viva_examiner.gradebook.handed_in import Contents
from viva_examiner.gradescope.results_file import (
    NotGradable,
    entry,
    item_tests,
    log_results,
    number,
)
from viva_examiner.gradescope.task import Task
from viva_examiner.notebook.whose_homework import recognised
from viva_examiner.records import GRADED, Graded, Mark, Work


def grade_notebook(task: Task, contents: Contents, path: str, log: str, student: str) -> dict:
    """Examine a notebook in the sandbox, as another user where namespaces are refused.

    path, log: of the notebook and of the log in what was handed in; log may be empty
    """
    data, logged = contents.files[path], contents.files.get(log, b"")
    profile = recognised(data, list(task.profiles), task.homework)
    if profile is not None and profile.homework != task.homework:
        raise NotGradable(
            f"{path} is the notebook of {profile.homework}, not of {task.homework}. It was not "
            f"graded. Hand in {task.homework}.ipynb.")
    above = path.rpartition("/")[0]  # a folder in an archive: what lies beside the notebook counts
    folder = Contents({name.removeprefix(f"{above}/"): found for name, found
                       in contents.files.items() if not above or name.startswith(f"{above}/")})
    with Engine(task.order) as engine:
        return notebook_results(engine.grade(
            Work(data, folder.other_files(), logged, tuple(contents.remarks), student=student,
                 notebook=next(iter(engine.released)))))


def grade_log(task: Task, data: bytes, owner: str) -> dict:
    """Run the code in a log that was handed in without its notebook."""
    library = importlib.import_module(task.order.library)
    try:
        log = submission_log.parse(data, task.homework)
    except submission_log.BadLog as error:
        raise NotGradable(f"The log cannot be graded: {error}.") from None
    with Engine(task.order) as engine:
        recorded = submission_log.grade_read(library, log, LOG_NAME, owner)
        if recorded.refused or log["homework"] != task.homework:
            return log_results(recorded, task.homework)
        name, released = next(iter(engine.released.items()))
        notebook, provisional = notebook_of(log, released)
        graded = engine.grade(Work(notebook, log=data, student=log["student"], notebook=name))
        return log_results(judged(recorded, graded, provisional), task.homework)


def notebook_results(graded: Graded) -> dict:
    """Gradescope's form of a graded notebook: a test per rubric item."""
    tests, leaderboard, by_hand = [], [], 0.0
    for name, mark in graded.marks.items():
        if mark.manual:
            by_hand += mark.points
        elif mark.points > 0:
            tests += cell_tests(name, mark)
            leaderboard += [row for each in mark.rubric for row in each.leaderboard]
    lines = [f"{by_hand:g} points of written answers are graded by hand."] if by_hand else []
    if graded.status != GRADED:
        lines.insert(0, f"{graded.status}: {'; '.join(map(str, graded.remarks))[:500]}")
    results = {"score": round(graded_score(graded), 6), "tests": number(tests),
               "output": "\n".join(lines),
               "extra_data": {"status": graded.status, "remarks": list(map(str, graded.remarks))}}
    return results | ({"leaderboard": leaderboard} if leaderboard else {})


def graded_score(graded: Graded) -> float:
    return sum(mark.score or 0.0 for mark in graded.tests.values())


def cell_tests(name: str, mark: Mark) -> list[dict]:
    """A test per rubric item of a cell; one for the cell where it has no items."""
    exercise = name.removeprefix("test_")
    if mark.score is None or not mark.rubric:
        reason = mark.reason if mark.lost else ""
        return [entry(exercise, exercise, mark.score, mark.points, reason)]
    return [test for rubric in mark.rubric
            for test in item_tests(exercise, rubric.items, rubric.hint)]
