"""The student's desk: who works on which homework, and the log of what was done.

`submission_log.json` lies beside the notebook. Every check brings it up to date, each time under
a temporary name first, so that a killed kernel leaves the last valid log. docs/log.md describes
its schema.
"""

import json
import os
import time
from pathlib import Path

from viva import case, plain

SCHEMA = "viva-log/1"
LOG_NAME = "submission_log.json"
MAX_SOURCE = 20_000  # characters of one exercise's source
MAX_OUTPUTS = 48_000  # characters of one exercise's recorded outputs: 13 exercises stay below 1 MB

_now = {"homework": "", "student": ""}


def begin(homework: str, student: str = "") -> None:
    """Say which homework this notebook is, and who works on it."""
    _now.update(homework=homework, student=student)
    done, total = progress()
    print(f"{homework}: {done} of {total} exercises pass; student {student_id() or 'not set'}")


def student_id() -> str:
    """Who works here: the grader's word first, then the notebook's, then JupyterHub's."""
    return (
        os.environ.get("VIVA_STUDENT") or _now["student"] or os.environ.get("JUPYTERHUB_USER") or ""
    )


def record(exercise: str, status: str, candidates) -> None:
    """Write the state of an exercise into the log, with outputs on the student's own inputs."""
    from viva.checking import source_of

    homework = case.cases_of(exercise)[0].homework
    log = read(homework)
    entry = {
        "status": status,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "source": "\n".join(map(source_of, candidates))[:MAX_SOURCE],
        "outputs": {},
    }
    if status in ("passed", "failed"):
        entry["outputs"] = own_outputs(exercise, candidates, student_id())
    log["exercises"][exercise] = entry
    write(log)


def own_outputs(exercise: str, candidates, student: str) -> dict:
    """{case name: record} of an exercise on the inputs of (homework, student)."""
    outputs, size = {}, 0
    for each in case.cases_of(exercise):
        if not each.log:
            continue
        answer = each.run(candidates, "log", each.homework, student)
        try:
            node = plain.to_json(answer.record())
        except plain.NotPlain:
            node = plain.to_json({"raised": "NotPlain"})
        size += len(json.dumps(node))
        if size > MAX_OUTPUTS:
            break
        outputs[each.name] = node
    return outputs


def read(homework: str) -> dict:
    """This homework's log; a new one if there is none, or if it cannot be read."""
    try:
        log = json.loads(Path(LOG_NAME).read_text())
        if log["schema"] == SCHEMA and log["homework"] == homework:
            log["exercises"].items()
            log["student"] = student_id()
            return log
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    from viva import __version__

    return {
        "schema": SCHEMA,
        "homework": homework,
        "student": student_id(),
        "kit": __version__,
        "exercises": {},
    }


def log_text() -> str:
    """The text of the log beside the notebook; empty if there is none."""
    try:
        return Path(LOG_NAME).read_text()
    except OSError:
        return ""


def write(log: dict) -> None:
    """Write the log; a reader sees the old one or the new one, never half of one."""
    temporary = Path(f".{LOG_NAME}.{os.getpid()}")
    try:
        with temporary.open("w") as file:
            json.dump(log, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(LOG_NAME)
    except OSError as error:
        print(f"The log could not be written ({error.strerror}). Your check still counts.")


def progress() -> tuple[int, int]:
    """How many exercises of the current homework pass, of how many."""
    homework = _now["homework"]
    if not homework:
        return 0, 0
    names = case.exercises_of(homework)
    entries = read(homework)["exercises"]
    return sum(entries.get(name, {}).get("status") == "passed" for name in names), len(names)


def submit() -> None:
    """Show what is done and what is missing, and where the log is that you hand in."""
    from viva import card

    homework = _now["homework"]
    if not homework:
        print('submit: run the first cell, begin("<homework>"), before you submit')
        return
    log = read(homework)
    write(log)
    states = {
        name: log["exercises"].get(name, {}).get("status", "missing")
        for name in case.exercises_of(homework)
    }
    card.show_submission(homework, log["student"], states, Path(LOG_NAME).resolve())
