"""Grade one submission on Gradescope: `python -m viva_examiner.gradescope.run /autograder`."""

import contextlib
import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path

from viva.log import LOG_NAME
from viva_examiner.examination import submission_log
from viva_examiner.files import write_whole
from viva_examiner.gradebook.handed_in import read_folder
from viva_examiner.gradescope.results import Refused, log_results

NOT_GRADED = "Not graded: the autograder itself failed. This is not your mark; tell the staff."
# A student's words are among the outputs: Gradescope renders none of them.
AS_TEXT = dict.fromkeys(("output_format", "test_output_format", "test_name_format"), "text")


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
    write_whole(path, json.dumps(AS_TEXT | results, indent=1, allow_nan=False))
    print(problem or "graded")  # staff see this, students do not
    return 1 if problem else 0


def grade(root: Path, order: dict) -> dict:
    """The results of the notebook that was handed in, or of the log if there is only one."""
    people = names_of(root / "submission_metadata.json")
    notebook, log = find(root / "submission", order["homework"])
    if notebook is not None:
        from viva_examiner.gradescope.notebook import grade_notebook  # nbgrader: only if needed

        student = owner_of(log, people) if log else next(iter(people), "")
        return grade_notebook(order, notebook, log, student)
    if log is None:
        raise Refused(f"Hand in {order['homework']}.ipynb (or {LOG_NAME}); neither was found.")
    os.environ["VIVA_SECRET"] = order["secret"]
    library = importlib.import_module(order["library"])
    return log_results(submission_log.grade(library, log, owner=owner_of(log, people),
                                            homework=order["homework"]))


def find(folder: Path, homework: str) -> tuple[Path | None, Path | None]:
    """The notebook and the log of a submission, wherever in it they lie."""
    files = sorted(folder / path for path in read_folder(folder).files)
    notebooks = [path for path in files if path.suffix == ".ipynb"]
    named = [path for path in notebooks if path.stem == homework]
    if len(notebooks) > 1 and len(named) != 1:
        names = ", ".join(path.name for path in notebooks)[:200]
        raise Refused(f"More than one notebook was handed in ({names}); hand in {homework}.ipynb.")
    found = [path for path in files if path.name == LOG_NAME]
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
    with contextlib.suppress(submission_log.BadLog):
        student = submission_log.read(log)["student"]
        if student in people:
            return student
    return people[0] if people else ""


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
