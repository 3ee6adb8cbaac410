"""Questions for one student: the notebook runs once more in a cage, and is asked about there."""

import ast
import hashlib
import hmac
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

import viva.voce
from viva import tables
from viva.voce.code import Unreadable, shown
from viva.voce.material import chosen
from viva.voce.options import Question
from viva_examiner.examination.dependencies import kit_digest, libraries
from viva_examiner.examination.needed import left_out
from viva_examiner.examination.work_folder import released_files
from viva_examiner.files import digest, digest_of, files_of
from viva_examiner.gradebook.submissions import Submission
from viva_examiner.harmless import one_line
from viva_examiner.limits import Limits
from viva_examiner.notebook.cells import tree_of
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.reading import BadSubmission
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.restore import restore
from viva_examiner.records import Mark
from viva_examiner.sandbox.errors import CandidateError, CannotCross
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.session import Session
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
class Sitting:
    """The questions for one student."""

    student: str
    homework: str
    questions: list[Question] = field(default_factory=list)
    talks: list[Talk] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # why there are fewer than wanted
    silent: list[str] = field(default_factory=list)  # exercises about which no question was found


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


def sit(warm: WarmInterpreter, limits: Limits, released: Iterable[Released],
        submission: Submission, exercises: list[str], seed: str, count: int) -> Sitting:
    """Make the questions for one student. Raises nothing for what a submission does."""
    sitting, found = Sitting(submission.student, submission.homework), []
    contents = submission.read()
    for each in released:
        work = submission.work(contents, each.notebook)
        try:
            notebook, _ = restore(work.data, each)
        except BadSubmission as error:
            sitting.notes.append(one_line(str(error)))
            continue
        files = {**work.files, **released_files(each.folder)}
        with warm.fork(student=submission.student, files=files, limits=limits) as session:
            try:
                found += _asked(session, each, notebook, exercises, seed, count, sitting.notes,
                                sitting.silent)
            except (CandidateError, CannotCross) as error:
                sitting.notes.append(one_line(f"its process ended: {error}", 200))
    sitting.questions = chosen(found, count, seed)
    return sitting


def _asked(session: Session, released: Released, notebook: NotebookNode, exercises: list[str],
           seed: str, count: int, notes: list[str], silent: list[str]) -> list[Question]:
    """Run the notebook's own cells, and have questions made about these exercises."""
    skipped, found = left_out(notebook.cells, released.ordinary), []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and not is_test(cell) and number not in skipped:
            session.run_cell(cell.source)
    codes = _codes(notebook)
    for exercise in exercises:
        names = tables.entry_of(exercise).functions
        try:
            given = session.resolve(names)
            if set(given) != set(names):
                continue
            told = session.call_in_candidate("viva.voce.material", "as_json",
                                       [exercise, seed, SPARE * count,
                                        *(given[name] for name in names)], {})
        except (CandidateError, CannotCross) as error:
            notes.append(one_line(f"{exercise}: no question could be made ({error})", 200))
            if session.dead:
                break
            continue
        some = heard(told, {name: codes[name] for name in names if name in codes})
        if not some:
            silent.append(exercise)
        found += some
    return found


def rests_on(submission: Submission, exercises: list[str], *words: object) -> str:
    """A digest of all that a student's sheet rests on: equal digests, equal sheets."""
    folders = (Path(viva.voce.__file__).parent, Path(__file__).parent)
    homework = kit_digest(submission.homework)
    probes = Path(viva.__file__).parent / "probes" / f"{submission.homework}.py"
    return digest(str(submission.read()), *exercises, *map(str, words), homework, libraries(),
                  probes.read_text() if probes.is_file() else "",
                  *(digest_of(folder, files_of(folder)) for folder in folders))


def talks_for(sitting: Sitting, exercises: Mapping[str, Any], count: int, seed: str) -> list[Talk]:
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
                except Unreadable:
                    found.pop(node.name, None)
    return found
