"""The student's desk: who works on which homework, and the log of what was done.

`submission_log.json` lies beside the notebook. Every check brings it up to date, each time under
a temporary name first, so that a killed kernel leaves the last valid log. docs/log.md describes
its schema.
"""

import contextlib
import hashlib
import io
import json
import os
import time
from pathlib import Path

from viva import card, case, figures, plain
from viva.sources import source_of
from viva.version import __version__

SCHEMA = "viva-log/1"
LOG_NAME = "submission_log.json"
# Characters of one exercise's source and outputs: a homework of 15 exercises stays below 400 KB,
# whatever the functions return.
MAX_SOURCE = 8_000
MAX_OUTPUTS = 16_000
MAX_ENTRY = 32_000  # of all an entry says, with the names of its cases
TOO_LARGE = {"d": [["raised", "TooLarge"]]}  # stands for an output that does not fit

# no entry holds itself, and to look for that costs a fifth of the time
_sorted_json = json.JSONEncoder(sort_keys=True, check_circular=False).encode
_now = {"homework": "", "student": ""}


def begin(homework: str, student: str = "") -> None:
    """Say which homework this notebook is, and who works on it."""
    _now.update(homework=homework, student=student)
    figures.describe_figures()
    other = _stored(homework).get("student", student_id())
    if other != student_id():
        print(f"The log here is of student {other or 'not set'}: run all checks again for yours.")
    done, total = progress()
    print(f"{homework}: {done} of {total} exercises pass; student {student_id() or 'not set'}")


def student_id() -> str:
    """Who works here: the grader's word first, then the notebook's, then JupyterHub's."""
    return (
        os.environ.get("VIVA_STUDENT") or _now["student"] or os.environ.get("JUPYTERHUB_USER") or ""
    )


def record(exercise: str, status: str, candidates) -> None:
    """Write the state of an exercise into the log, with outputs on the student's own inputs."""
    homework = case.cases_of(exercise)[0].homework
    log = read(homework)
    entry = {
        "status": status,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "source": _cut("\n".join(map(source_of, candidates)), MAX_SOURCE),
        "outputs": own_outputs(exercise, candidates, student_id()),
    }
    entry["digest"] = digest(log, exercise, entry)
    log["exercises"][exercise] = entry
    write(log)


def own_outputs(exercise: str, candidates, student: str) -> dict:
    """{case name: record} of an exercise on the inputs of (homework, student)."""
    outputs, room = {}, MAX_OUTPUTS
    for each in case.cases_of(exercise):
        if not each.log:
            continue
        with contextlib.redirect_stdout(io.StringIO()):  # what it prints was shown by the check
            answer = each.run(candidates, "log", each.homework, student)
        try:
            node = plain.to_json(answer.record())
        except (plain.NotPlain, RecursionError):
            node = plain.to_json({"raised": "NotPlain"})
        size = len(json.dumps(node))
        outputs[each.name] = node if size <= room else TOO_LARGE
        room -= size if size <= room else len(json.dumps(TOO_LARGE))
    return outputs


def digest(log: dict, exercise: str, entry: dict) -> str:
    """Of everything an entry says and whose it is. It notices an edit; it is not a signature."""
    return hashlib.sha256(said(log, exercise, entry).encode()).hexdigest()


def said(log: dict, exercise: str, entry: dict) -> str:
    """Everything an entry says and whose it is, as JSON with sorted keys."""
    parts = [log["schema"], log["homework"], log["student"], exercise]
    return _sorted_json(parts + [entry[name] for name in ("status", "time", "source", "outputs")])


def _cut(text: str, room: int) -> str:
    """The text, shortened until its JSON form fits."""
    while len(json.dumps(text)) > room:
        text = text[: len(text) * 9 // 10]
    return text


def read(homework: str) -> dict:
    """This student's log of a homework; a new one if there is none, or if it cannot be read."""
    log = {
        "schema": SCHEMA,
        "homework": homework,
        "student": student_id(),
        "kit": __version__,
        "exercises": {},
    }
    stored = _stored(homework)
    if stored.get("student") == log["student"]:  # inputs, and so outputs, belong to one student
        log["exercises"] = stored["exercises"]
    return log


def _stored(homework: str) -> dict:
    """The log on disk if it is one of this homework, whoever's it is; else empty."""
    try:
        log = json.loads(Path(LOG_NAME).read_text())
        if (log["schema"], log["homework"]) == (SCHEMA, homework):
            kept = {name: e for name, e in log["exercises"].items() if isinstance(e, dict)}
            return {"student": log["student"], "exercises": kept}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return {}


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
            file.write(json.dumps(log, separators=(",", ":")))  # dump itself is ten times slower
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
