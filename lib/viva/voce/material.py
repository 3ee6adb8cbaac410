"""All that can be asked about a student's solution of one exercise, and a choice of it.

Runs where the student's code runs: in the notebook, or for staff in the candidate's cage. It calls
the functions with public cases first, to see what kind of arguments they get.
"""

import collections
import itertools
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from viva import case as cases
from viva.sources import source_of
from viva.voce.code import UnreadableCode, shown
from viva.voce.differing import differing_inputs
from viva.voce.growing import growing
from viva.voce.inputs import tiny_inputs
from viva.voce.probes import filled, growths_of, probes_of
from viva.voce.question import KINDS, Question
from viva.voce.questions import questions
from viva.voce.subject import Effort, Subject, call_of, probe_of

CALLS = 8  # of a function by public cases that are taken as models
DRAWS = 24  # tiny inputs that are drawn after each model
TOLD_APART = 12  # calls of which those are sought that show a change
ENOUGH = 24  # questions about one function, from which some are chosen
BARREN = 60  # tiny inputs after which nothing more is hoped for
RUNS = 1500  # of one function and its changed versions
ALIKE = 4  # of one kind about one line


def material(exercise: str, candidates: Sequence[Any], seed: str,
             around: Mapping[str, Any] | None = None) -> list[Question]:
    """Questions about these functions or classes, all that were found, the same for one seed.

    around: names that probes may use besides those of the notebook
    """
    found: list[Question] = []
    for name, candidate in zip(cases.candidates_of(exercise), candidates, strict=True):
        about: list[Question] = []
        subjects: list[Subject] = []
        effort = Effort()
        names = dict(around or {}) | globals_of(candidate)
        names |= dict(zip(cases.candidates_of(exercise), candidates, strict=True))
        for subject in _subjects(exercise, name, candidate, candidates, names, seed):
            subject = replace(subject, effort=effort)
            subjects.append(subject)
            about += questions(subject, seed)
            asked = sum(question.kind != "way" for question in about)
            barren = not asked and len(subjects) >= BARREN
            if asked >= ENOUGH or barren or effort.runs >= RUNS:
                break
        if not isinstance(candidate, type):
            about += differing_inputs(subjects[:TOLD_APART], seed)
        about += _about_memory(exercise, name, candidate, names, seed)
        found += _few_alike(about)
    return found


def _about_memory(exercise: str, name: str, candidate: Any, names: dict[str, Any],
                  seed: str) -> Iterable[Question]:
    calls = growths_of(exercise, name)
    try:
        text = shown(source_of(candidate)) if calls else ""
    except UnreadableCode:
        return
    for call, smallest in calls:
        yield from growing(name, call, smallest, text, names, seed)


def as_json(exercise: str, seed: str, most: int, *candidates: Any) -> str:
    """Some questions about an exercise as JSON, for whoever is not in this process."""
    found = chosen(material(exercise, candidates, seed), most, seed)
    return json.dumps([question.as_dict() for question in found])


def _few_alike(found: Iterable[Question]) -> list[Question]:
    """The questions without most of those that ask the same about one line."""
    count: collections.Counter[tuple[str, int, str]] = collections.Counter()
    kept = []
    for question in found:
        asked = (question.kind, question.line, question.words if question.kind == "way" else "")
        count[asked] += 1
        if count[asked] <= ALIKE:
            kept.append(question)
    return kept


def _subjects(exercise: str, name: str, candidate: Any, candidates: Sequence[Any],
              names: dict[str, Any], seed: str) -> Iterable[Subject]:
    try:
        text = shown(source_of(candidate))
    except UnreadableCode:
        return
    for number in range(DRAWS):
        for probe in probes_of(exercise, name):
            yield probe_of(name, filled(probe, f"{seed} {number}"), text, names)
    if isinstance(candidate, type):
        return
    for args, kwargs in itertools.islice(_calls(exercise, name, candidates), CALLS):
        for inputs in tiny_inputs(args, kwargs, f"{seed} {name}", DRAWS):
            yield call_of(name, inputs, text, names)


def globals_of(candidate: Any) -> dict[str, Any]:
    """The names that a function or class sees: those of the notebook it was written in."""
    if hasattr(candidate, "__globals__"):
        return candidate.__globals__
    methods = (value for value in vars(candidate).values() if hasattr(value, "__globals__"))
    return next((method.__globals__ for method in methods), {})


def _calls(exercise: str, name: str,
           candidates: Sequence[Any]) -> Iterable[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The arguments that public cases give to a function, one case after the other."""
    for case in cases.cases_of(exercise):
        if name not in case.needs:
            continue
        noted: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

        def note(called: str, args: tuple, kwargs: dict, output: Any,
                 _noted: list[tuple[tuple[Any, ...], dict[str, Any]]] = noted) -> None:
            if called == name:
                _noted.append((args, kwargs))

        case.run(candidates, cases.PUBLIC_SEED, noting=note)
        yield from noted[:2]


def chosen(found: Sequence[Question], count: int, seed: str) -> list[Question]:
    """Some of the questions: of different kinds and lines, no two with the same answers."""
    draw = random.Random(seed)
    waiting = {kind: [each for each in found if each.kind == kind] for kind in KINDS}
    for each in waiting.values():
        draw.shuffle(each)
    taken: list[Question] = []
    while len(taken) < count and any(waiting.values()):
        for kind in KINDS:
            fitting = next((each for each in waiting[kind] if _is_new(each, taken)), None)
            waiting[kind] = [each for each in waiting[kind]
                             if each is not fitting and _is_new(each, taken)]
            if fitting is not None and len(taken) < count:
                taken.append(fitting)
    return taken


def _is_new(question: Question, taken: Sequence[Question]) -> bool:
    return not any(question.function == each.function and (
        question.line == each.line or set(question.options) == set(each.options))
        for each in taken)
