"""The life of a judge: one submission examined, one record given, in a process without rights.

A tenant of a cage, as `sandbox.inside.agent` is: `prepare` runs once in the mother of all judges,
`serve` in each of them.
"""

import contextlib
import importlib
import json
import os
import pkgutil
import socket
import traceback
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import nbformat

from viva_examiner.examination import hidden, second_opinion  # noqa: F401  (loaded once for all)
from viva_examiner.examination.judge_record import JudgeTask, Record
from viva_examiner.examination.seed import hand_over
from viva_examiner.examination.sitting import Sitting
from viva_examiner.notebook.cells import facts
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.solutions import globals_read
from viva_examiner.sandbox import bridge, remote
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.inside import frames
from viva_examiner.sandbox.inside.protocol import Control

LIBRARIES: list[ModuleType] = []  # what tests import of the course, with its hooks


def prepare(plan: dict) -> None:
    """What every judge inherits: the course's library with its exams, and all code it may need.

    As another user a judge cannot read what only staff may read: so it is all imported here.
    """
    for name in plan["modules"]:
        with contextlib.suppress(ImportError):  # the test that imports it says so
            module = importlib.import_module(name)
            LIBRARIES.append(module)
            _load_exams(module, plan)
    for each in pkgutil.iter_modules(bridge.__path__):
        with contextlib.suppress(ImportError):  # a course without torch
            importlib.import_module(f"{bridge.__name__}.{each.name}")
    hidden.shell()
    for source in plan["sources"]:
        facts(source), globals_read(source)


def _load_exams(library: ModuleType, plan: dict) -> None:
    if plan["witness"] and hasattr(library, "witness"):
        library.witness()
    for homework in plan["homeworks"]:
        with contextlib.suppress(Exception):  # another kind of course; or a test will say so
            for name in library.exercises(homework):
                library.digest(name)  # read now, where it can be read


def serve(sock: socket.socket, limits: dict) -> None:
    """Examine the one submission that comes over this socket, and end."""
    line = remote.WorkerLine(sock)
    job = JudgeTask.from_bytes(frames.receive(sock))
    failed, record = "", None
    try:
        record = _examined(job, remote.RemoteInterpreter(line))
    except MemoryError:
        failed = "memory"
    except EngineError as error:
        failed = str(error)
    except BaseException as error:  # whatever it is, the worker learns of it and nobody gets a zero
        trace = traceback.format_exc(limit=-3)
        failed = f"{type(error).__name__}: {error}\n{trace}"
    frames.send(sock, json.dumps({"op": Control.RECORD, "failed": failed,
                                  "word": job.word}).encode())
    if record is not None:
        frames.send(sock, record.to_bytes())


def _examined(job: JudgeTask, warm: remote.RemoteInterpreter) -> Record:
    hand_over(job.secret)
    folder = Path(os.environ["HOME"]) / "answers"
    if job.rests_on:
        _lay_out(job, folder)
    notebook = nbformat.from_dict(json.loads(job.notebook))
    skip = {int(number): list(outputs) for number, outputs in job.skip.items()}
    sitting = Sitting(warm, job.limits, job.student, Released.from_json(job.released), job.files,
                      job.staffs, job.known, skip)
    record = sitting.examine(notebook)
    new = {path.name: path.read_bytes() for path in folder.glob("*")
           if path.is_file() and path.name not in job.answers}
    return replace(record, answers=new)


def _lay_out(job: JudgeTask, folder: Path) -> None:
    """What the library has kept so far lies on the scratch disk, where it may keep more."""
    folder.mkdir(mode=0o700)
    for name, data in job.answers.items():
        (folder / name).write_bytes(data)
    for library in LIBRARIES:
        if hasattr(library, "keep_answers"):
            library.keep_answers(folder, job.rests_on)
