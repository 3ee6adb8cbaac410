"""The audit of questions: what can be asked about right solutions, made in one process and run
again in two others, each with a hash seed of its own. What held is kept until something changes.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import viva.voce
import viva_examiner.voce
from viva.voce.material import chosen, material
from viva.voce.question import Question
from viva.whole import write_whole
from viva_examiner.audit.proven import FOLDER
from viva_examiner.audit.staff_forks import TaskLimits, in_forks
from viva_examiner.course import Course
from viva_examiner.examination.dependencies import kit_digest, libraries
from viva_examiner.files import digest, digest_of, files_of
from viva_examiner.library import Exercise
from viva_examiner.notebook.staff import Notebook
from viva_examiner.voce.right import references_of, right_solutions

HASH_SEEDS = ("1", "2")
MOST = 12  # questions about one solution of an exercise that are proven
ONE_EXERCISE = TaskLimits(seconds=300)
RESTS_ON = (Path(viva.voce.__file__).parent, Path(viva_examiner.voce.__file__).parent)


@dataclass
class Yield:
    """What can be asked about one right solution of an exercise."""

    who: str
    questions: list[Question] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # "kind: why", of those left out
    false: list[str] = field(default_factory=list)  # of these, those whose key was not true
    seconds: float = 0.0  # of processor time, to make them

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"questions": [each.as_dict() for each in self.questions]}

    @classmethod
    def back(cls, row: dict[str, Any]) -> "Yield":
        return cls(**row | {"questions": [Question.back(each) for each in row["questions"]]})


@dataclass
class QuestionProof:
    """What can be asked about an exercise."""

    exercise: Exercise
    asked: list[Yield] = field(default_factory=list)
    trouble: str = ""


def prove(course: Course, exercises: Iterable[Exercise], notebooks: dict[str, Notebook | None],
          jobs: int, again: bool = False) -> list[QuestionProof]:
    """The proofs of some exercises, in their order."""
    proofs = {each.name: QuestionProof(each) for each in exercises}
    paths = {name: _path(course, proof.exercise, notebooks) for name, proof in proofs.items()}
    waiting = [name for name in proofs if again or not _recall(proofs[name], paths[name])]

    def make(name: str) -> list[dict[str, Any]]:
        exercise = proofs[name].exercise
        others = references_of(course.library.exercises(exercise.homework))
        return [_make(exercise, right) for right in
                right_solutions(exercise, others, notebooks.get(exercise.homework))]

    for name, ended in in_forks(make, waiting, jobs, ONE_EXERCISE):
        proofs[name].asked = [Yield.back(row) for row in ended.value or ()]
        proofs[name].trouble = ended.why
    for homework in dict.fromkeys(proofs[name].exercise.homework for name in waiting):
        _run_again(course, homework, [proofs[name] for name in waiting
                                      if proofs[name].exercise.homework == homework])
    for name in waiting:
        if not proofs[name].trouble and not any(each.false for each in proofs[name].asked):
            for old in paths[name].parent.glob(f"{name}-*.voce"):
                old.unlink()
            write_whole(paths[name], json.dumps([each.as_dict() for each in proofs[name].asked]))
    return list(proofs.values())


def _make(exercise: Exercise, right: Any) -> dict[str, Any]:
    began, seed = time.process_time(), f"audit {right.who}"
    found = chosen(material(exercise.name, right.candidates, seed, right.around), MOST, seed)
    return Yield(right.who, found, seconds=time.process_time() - began).as_dict()


def _run_again(course: Course, homework: str, proofs: list[QuestionProof]) -> None:
    """Leave out every question that does not hold in other processes."""
    rows = [(asked, question, {"exercise": proof.exercise.name, "who": asked.who,
                               "question": question.as_dict()})
            for proof in proofs for asked in proof.asked for question in asked.questions]
    if not rows:
        return
    for seed in HASH_SEEDS:
        refusals = _fresh_process(course, homework, [row for _, _, row in rows], seed)
        for (asked, question, _), refusal in zip(rows, refusals, strict=True):
            if not refusal or question not in asked.questions:
                continue
            why, is_false = refusal
            asked.questions.remove(question)
            asked.refused.append(f"{question.kind}: {why}")
            if is_false:
                asked.false.append(f"{question.kind} about {question.function}: {why}")


def _fresh_process(course: Course, homework: str, rows: list[dict[str, Any]],
                   seed: str) -> list[list[Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "viva_examiner.voce.rerunning", str(course.root), homework],
        input=json.dumps(rows), capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})
    if done.returncode:
        raise RuntimeError(f"the questions of {homework} could not be run again: {done.stderr}")
    return json.loads(done.stdout)


def _recall(proof: QuestionProof, path: Path) -> bool:
    """Take what an earlier audit has shown; whether there is any."""
    try:
        proof.asked = [Yield.back(row) for row in json.loads(path.read_text())]
    except (OSError, ValueError, TypeError, KeyError):
        return False
    return True


def _path(course: Course, exercise: Exercise, notebooks: dict[str, Notebook | None]) -> Path:
    probes = Path(viva.__file__).parent / "probes" / f"{exercise.homework}.py"
    key = digest(libraries(), kit_digest(exercise.homework), course.library.digest(exercise.name),
                 *(digest_of(folder, files_of(folder)) for folder in RESTS_ON),
                 probes.read_text() if probes.is_file() else "", notebooks.get(exercise.homework))
    return course.root / FOLDER / exercise.homework / f"{exercise.name}-{key}.voce"
