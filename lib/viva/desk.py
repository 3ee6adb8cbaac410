"""The student's desk: who works on which homework, and what is done of it."""

import contextlib
import io
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from viva import card, case, figures, hosted, log, plain, tables, written
from viva.nearest import nearest
from viva.sources import source_of

_now = {"homework": "", "student": ""}


def begin(homework: str, student: str = "") -> None:
    """Say which homework this notebook is, and who works on it."""
    if homework not in tables.homeworks() and not tables.exercises_of(homework):
        print(unknown(homework))
        return
    _now.update(homework=homework, student=student)
    figures.use_style()
    figures.describe_figures()
    folder = hosted.kept_folder(homework)
    log.move_to(folder)
    other = log.stored_logs().get(homework, {}).get("student", student_id())
    if other != student_id():
        print(f"The log here belongs to student {other or 'not set'}: run all checks again for "
              "yours.")
    done, total = progress()
    print(f"{homework}: {done} of {total} exercises pass; student {student_id() or 'not set'}")
    if hosted.is_colab():
        print(hosted.advice(folder))


def unknown(homework: str) -> str:
    """What to say to a name that is no homework's."""
    names = tables.homeworks()
    near = nearest(homework, names)
    meant = f"Did you mean {near!r}? " if near else ""
    return f"There is no homework {homework!r}. {meant}There are {', '.join(names)}."


def homework() -> str:
    """The homework that was begun here; empty if none was."""
    return _now["homework"]


def student_id() -> str:
    """Who works here: the grader's word first, then the notebook's, then JupyterHub's."""
    return (
        os.environ.get("VIVA_STUDENT") or _now["student"] or os.environ.get("JUPYTERHUB_USER") or ""
    )


def record(exercise: str, status: str, candidates: Sequence[Any], ran: bool = True) -> None:
    """Write the state of an exercise into the log, with outputs on the student's own inputs.

    ran: whether the functions came to an end in the check; else they are not run again
    """
    current = log.read(case.cases_of(exercise)[0].homework, student_id())
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    entry = {
        "status": status,
        "time": now,
        "source": log.cut("\n".join(map(source_of, candidates)), log.MAX_SOURCE),
        "outputs": own_outputs(exercise, candidates, student_id()) if ran else {},
        "turns": log.turned(current["exercises"].get(exercise, {}), now, status),
    }
    entry["digest"] = log.digest(current, exercise, entry)
    current["exercises"][exercise] = entry
    if status != "passed":
        log.count(current, exercise, "failed")
    log.write(current)


def note_defended(exercise: str) -> None:
    """Note in the log that somebody was asked about an exercise; not what, and not the answer."""
    current = log.read(case.cases_of(exercise)[0].homework, student_id())
    if exercise in current["exercises"]:
        log.count(current, exercise, "defended")
        log.write(current)


def own_outputs(exercise: str, candidates: Sequence[Any], student: str) -> dict:
    """{case name: record} of an exercise on the inputs of (homework, student)."""
    outputs, room = {}, log.MAX_OUTPUTS
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
        outputs[each.name] = node if size <= room else log.TOO_LARGE
        room -= size if size <= room else len(json.dumps(log.TOO_LARGE))
    return outputs


def progress() -> tuple[int, int]:
    """How many exercises of the current homework pass, of how many."""
    homework = _now["homework"]
    if not homework:
        return 0, 0
    names = tables.exercises_of(homework)
    entries = log.read(homework, student_id())["exercises"]
    return sum(entries.get(name, {}).get("status") == "passed" for name in names), len(names)


def submit() -> None:
    """Show what is done and what is missing, and where the log is that you hand in."""
    homework = _now["homework"]
    if not homework:
        print('submit: run the cell with begin("<homework>") before you submit')
        return
    current = log.read(homework, student_id())
    log.write(current)
    place = log.path().resolve()
    notebook = hosted.fetch_notebook(homework, place.parent)
    card.show_submission(homework, current["student"], states(homework, current["exercises"]),
                         _to_hand_in(notebook, place))
    if hosted.is_colab():
        hosted.offer([path for path in (notebook, place) if path])


def _to_hand_in(notebook: Path | None, place: Path) -> str:
    """The last sentence of `submit`: which files, and where they are."""
    if not hosted.is_colab():
        return f"Hand in this notebook and {card.short(place)}"
    if notebook:
        return f"Your browser downloads {notebook.name} and {place.name}: hand in both"
    return (f"Download this notebook (File, Download .ipynb) and hand it in with {place.name}, "
            "which your browser downloads")


def states(homework: str, entries: dict) -> dict[str, str]:
    """The state of every exercise and written question, in the notebook's order."""
    exercises, cells = tables.exercises_of(homework), written.graded_cells(homework)
    found = {}
    for name in [*cells, *(each for each in exercises if each not in cells)]:
        if name in exercises:
            found[name] = entries.get(name, {}).get("status", "missing")
        elif name.startswith("written_"):
            found[name] = "answered" if cells[name] else "empty"
    return found
