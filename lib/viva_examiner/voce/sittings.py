"""Questions for one student: the notebook runs once more in a cage, and is asked about there.

Done by the workers of the pool that grades (`autograde.pool`), under the same limits.
"""

import ast
import hashlib
import hmac
import random
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

import viva.voce
from viva import tables
from viva.voce.code import UnreadableCode, shown
from viva.voce.material import chosen
from viva.voce.question import Question
from viva_examiner.autograde.agenda import Job
from viva_examiner.autograde.pool import WorkerRole
from viva_examiner.autograde.worker import serve
from viva_examiner.examination.dependencies import kit_digest, libraries
from viva_examiner.examination.memory import bounded_memory
from viva_examiner.examination.needed import left_out
from viva_examiner.examination.orders import settled
from viva_examiner.examination.work_folder import released_files
from viva_examiner.files import digest, digest_of, files_of
from viva_examiner.harmless import one_line
from viva_examiner.notebook.cells import tree_of
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.reading import BadSubmission
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.restoring import restore
from viva_examiner.records import Mark, Order, Work
from viva_examiner.sandbox.errors import CandidateError, CannotCross
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.session import Session
from viva_examiner.travel import Travels
from viva_examiner.voce.hearing import heard

SPARE = 4  # times as many questions per exercise as are asked, to choose different ones from


@dataclass(frozen=True)
class Talk:
    """A question that staff wrote, for a conversation."""

    exercise: str
    question: str
    answer: str
    good: str
    partial: str
    wrong: str


@dataclass
class VoceSitting(Travels):
    """The questions for one student."""

    student: str
    homework: str
    questions: list[Question] = field(default_factory=list)
    talks: list[Talk] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # why there are fewer than wanted
    silent: list[str] = field(default_factory=list)  # exercises about which no question was found


@dataclass(frozen=True)
class VoceTask(Travels):
    """What a worker needs to make the questions for one student."""

    student: str
    homework: str
    works: tuple[Work, ...]  # what was handed in, a work for each notebook
    exercises: tuple[str, ...]  # that earned their points
    seed: str
    count: int


@dataclass
class VoceJob(Job):
    """One student to be asked, in the pool."""

    def not_graded(self, why: str) -> VoceSitting:  # type: ignore[override]
        """The sitting of whoever could not be asked."""
        return VoceSitting(self.student, self.homework,
                           notes=[why.replace("not graded", "no question could be made")])


VOCE_ROLE = WorkerRole("viva_examiner.voce.sittings", VoceSitting.from_bytes)


def main(channel: Connection, line: socket.socket) -> None:
    """A worker's life: make questions for one student after the other."""
    serve(channel, line, VoceWorker,
          lambda worker, data: worker.sit(VoceTask.from_bytes(data)).to_bytes())


class VoceWorker:
    """Makes questions. Between two students it keeps a warm interpreter."""

    def __init__(self, order: Order):
        self.order = settled(order)
        self.released = {each.notebook: each for each in map(Released.from_json, order.released)}
        self.warm: WarmInterpreter | None = None

    def start(self) -> WarmInterpreter:
        """The warm interpreter; started when first needed."""
        if self.warm is None:
            homeworks = sorted({each.homework for each in self.released.values()})
            self.warm = WarmInterpreter(self.order.preload, self.order.limits, self.order.hide,
                                        self.order.isolation, homeworks)
        return self.warm

    def sit(self, task: VoceTask) -> VoceSitting:
        """Make the questions for one student. Raises nothing for what a submission does."""
        sitting, found = VoceSitting(task.student, task.homework), []
        for work in task.works:
            try:
                with bounded_memory(self.order.limits.worker_mb):
                    found += self._of_work(work, task, sitting)
            except BadSubmission as error:
                sitting.notes.append(one_line(str(error)))
            except (CandidateError, CannotCross) as error:
                sitting.notes.append(one_line(f"its process ended: {error}", 200))
            except MemoryError:
                sitting.notes.append("reading what was handed in takes too much memory")
        sitting.questions = chosen(found, task.count, task.seed)
        return sitting

    def _of_work(self, work: Work, task: VoceTask, sitting: VoceSitting) -> list[Question]:
        released = self.released[work.notebook]
        notebook, _ = restore(work.data, released)
        files = {**work.files, **released_files(released.folder)}
        with self.start().fork(student=task.student, files=files,
                               limits=self.order.limits) as session:
            return _asked(session, released, notebook, task, sitting)

    def close(self) -> None:
        if self.warm is not None:
            self.warm.close()


def seed_of(secret: str, homework: str, student: str) -> str:
    """The seed of one student's questions; the exam's inputs come from others."""
    words = f"voce\n{homework}\n{student}".encode()
    return hmac.new(secret.encode(), words, hashlib.sha256).hexdigest()


def earned(marks: dict[str, Mark]) -> list[str]:
    """The exercises whose tests gave all their points, in the notebook's order."""
    found: dict[str, bool] = {}
    for name, mark in marks.items():
        if mark.manual or not mark.points:
            continue
        exercise = next((each.exercise for each in mark.rubric), name.removeprefix("test_"))
        is_full = mark.score is not None and mark.score >= mark.points
        found[exercise] = found.get(exercise, True) and is_full
    return [name for name, is_full in found.items() if is_full and tables.find(name) is not None]


def _asked(session: Session, released: Released, notebook: NotebookNode, task: VoceTask,
           sitting: VoceSitting) -> list[Question]:
    """Run the notebook's own cells, and have questions made about the exercises."""
    skipped, found = left_out(notebook.cells, released.ordinary), []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and not is_test(cell) and number not in skipped:
            session.run_cell(cell.source)
    codes = _codes(notebook)
    for exercise in task.exercises:
        names = tables.entry_of(exercise).functions
        try:
            given = session.resolve(names)
            if set(given) != set(names):
                continue
            answer = session.call_in_candidate("viva.voce.material", "as_json",
                                             [exercise, task.seed, SPARE * task.count,
                                              *(given[name] for name in names)], {})
        except (CandidateError, CannotCross) as error:
            sitting.notes.append(
                one_line(f"{exercise}: no question could be made ({error})", 200))
            if session.dead:
                break
            continue
        some = heard(answer, {name: codes[name] for name in names if name in codes}, exercise)
        if not some:
            sitting.silent.append(exercise)
        found += some
    return found


def rests_on(task: VoceTask, *words: object) -> str:
    """A digest of all that a student's sheet rests on: equal digests, equal sheets."""
    folders = (Path(viva.voce.__file__).parent, Path(__file__).parent)
    homework = kit_digest(task.homework)
    probes = Path(viva.__file__).parent / "probes" / f"{task.homework}.py"
    return digest(task.to_bytes(), *map(str, words), homework, libraries(),
                  probes.read_text() if probes.is_file() else "",
                  *(digest_of(folder, files_of(folder)) for folder in folders))


def talks_for(sitting: VoceSitting, exercises: Mapping[str, Any], count: int,
              seed: str) -> list[Talk]:
    """What staff ask where a machine found nothing: one question, and one for each that is missing.

    exercises: the declarations of a course's library, by name
    """
    found = [Talk(name, *(getattr(why, part) for part in
                          ("question", "answer", "good", "partial", "wrong")))
             for name in sitting.silent if name in exercises
             for why in getattr(exercises[name], "whys", ())]
    random.Random(seed).shuffle(found)
    return found[: max(1, count - len(sitting.questions))]


def _codes(notebook: NotebookNode) -> dict[str, str]:
    """{function or class: its code, ready to be shown}, from the text that was handed in."""
    found = {}
    for cell in notebook.cells:
        tree = tree_of(cell.source) if cell.cell_type == "code" else None
        for node in tree.body if tree is not None else ():
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                lines = cell.source.splitlines()[first - 1 : node.end_lineno]
                try:
                    found[node.name] = shown("\n".join(lines))
                except UnreadableCode:
                    found.pop(node.name, None)
    return found
