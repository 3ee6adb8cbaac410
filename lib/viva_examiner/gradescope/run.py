"""Grade one submission on Gradescope: `python -m viva_examiner.gradescope.run /autograder`."""

import contextlib
import json
import sys
import time
import traceback
from pathlib import Path, PurePosixPath

from viva.log import LOG_NAME
from viva.whole import write_whole
from viva_examiner.examination import submission_log
from viva_examiner.gradebook.handed_in import Contents, read_folder
from viva_examiner.gradescope.results_file import NotGradable
from viva_examiner.gradescope.task import Task

NOT_GRADED = "Not graded: the autograder itself failed. This is not your mark; tell the staff."
# A student's words are among the outputs: Gradescope renders none of them.
AS_TEXT = dict.fromkeys(("output_format", "test_output_format", "test_name_format"), "text")


def main(root: Path) -> int:
    """Grade what lies in root/submission and write root/results/results.json."""
    began = time.monotonic()
    path = root / "results" / "results.json"
    task, problem = None, ""
    try:
        task = Task.from_plain(json.loads((root / "source" / "task.json").read_text()))
        results = grade(root, task)
    except NotGradable as error:
        results = {"score": 0.0, "output": str(error), "extra_data": {"status": "refused"}}
    except Exception:
        problem = traceback.format_exc()
        results = {"score": 0.0, "output": NOT_GRADED, "extra_data": {"status": "not graded"}}
    results["execution_time"] = round(time.monotonic() - began)
    visibility = task.visibility if task else "visible"
    results |= {"visibility": visibility, "stdout_visibility": "hidden"}
    for test in results.get("tests", []):
        test["visibility"] = visibility
    write_whole(path, json.dumps(AS_TEXT | results, indent=1, allow_nan=False))
    print(problem or "graded")  # staff see this, students do not
    return 1 if problem else 0


def grade(root: Path, task: Task) -> dict:
    """The results of the notebook that was handed in, or of the log if there is only one."""
    from viva_examiner.gradescope.notebook import grade_log, grade_notebook  # nbgrader: if needed

    people = names_of(root / "submission_metadata.json")
    contents = read_folder(root / "submission")
    notebook, log = find(contents, task.homework)
    if notebook:
        student = owner_of(contents.files[log], people) if log else next(iter(people), "")
        return grade_notebook(task, contents, notebook, log, student)
    if not log:
        left = "".join(f"\n{remark.text}" for remark in contents.remarks)
        raise NotGradable(
            f"Hand in {task.homework}.ipynb (or {LOG_NAME}); neither was found.{left}")
    return grade_log(task, contents.files[log], owner_of(contents.files[log], people))


def find(contents: Contents, homework: str) -> tuple[str, str]:
    """The paths of the notebook and of the log, wherever they lie; empty if there is none."""
    files = sorted(map(PurePosixPath, contents.files))
    notebooks = [path for path in files if path.suffix == ".ipynb"]
    named = [path for path in notebooks if path.stem == homework]
    if len(notebooks) > 1 and len(named) != 1:
        names = ", ".join(path.name for path in notebooks)[:200]
        raise NotGradable(
            f"More than one notebook was handed in ({names}); hand in {homework}.ipynb.")
    found = [path for path in files if path.name == LOG_NAME]
    return str(next(iter(named or notebooks), "")), str(next(iter(found), ""))


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


def owner_of(log: bytes, people: list[str]) -> str:
    """The name by which the owner of a log must be known: the log's own, if it is one of theirs."""
    with contextlib.suppress(submission_log.BadLog):
        student = submission_log.parse(log)["student"]
        if student in people:
            return student
    return people[0] if people else ""


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
