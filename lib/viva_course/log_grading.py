"""Grade a submission log: from recorded outputs alone, without running any student code.

The student's inputs are generated again from (homework, student), the reference answers them, and
the items of the rubric that are made of cases are judged by the same comparison as in the exam.
An item whose cases give the same answer to every student proves nothing here: like everything
that outputs cannot show, it needs the notebook.
"""

import functools
import hashlib
import itertools
import marshal
import warnings
from dataclasses import dataclass

import numpy as np

from viva import case as cases
from viva import log as form
from viva import plain
from viva.checking import fault
from viva.compare import difference
from viva.diagnosis import diagnose
from viva.sources import forbidden_routine, reason_against
from viva_course.declared import exercise_named
from viva_course.records import records_of_mistakes
from viva_course.rubric import Exercise, Item, exercises, failure

TRIALS = tuple(f"trial {i}" for i in range(24))  # made-up students
APART = 6  # as many of them get answers that all differ, if a case is personal
CLOSER = 30  # answers that are the same for all agree to this part of the tolerance
NEEDS_NOTEBOOK = "needs the notebook"


@dataclass
class LogPaper:
    """What of an exercise can be judged from a log."""

    exercise: Exercise
    logged: list[cases.Case]
    personal: frozenset[str]  # cases whose right answer differs from student to student
    fixed: dict[str, dict]  # the reference's records where the right answer is the same for all

    @functools.cached_property
    def items(self) -> list[tuple[Item, list[cases.Case]]]:
        """Each item with the cases that answer it in a log; none where a log cannot tell.

        A log can answer an item made of logged cases, at least one of them personal.
        """
        logged, found = {case.name: case for case in self.logged}, []
        for item in self.exercise.items:
            names = item.cases or tuple(case.name for case in self.exercise.asked)
            known = (item.cases is not None and logged.keys() >= set(names)
                     and self.personal.intersection(names))
            found.append((item, [case for name, case in logged.items() if name in names]
                          if known else []))
        return found

    @functools.cached_property
    def decisive(self) -> list[cases.Case]:
        """The logged cases that decide an item or are personal: enough where no cause is asked."""
        asked = {case.name for _, answering in self.items for case in answering}
        return [case for case in self.logged if case.name in asked | self.personal]

    def asked(self, causes: bool) -> list[cases.Case]:
        """The cases that have to be compared."""
        return self.logged if causes else self.decisive


def reference_record(case: cases.Case, reference: tuple, student: str) -> dict:
    """The reference's record on a student's own inputs; unwatched, because it is ours."""
    given = dict(zip(cases.candidates_of(case.exercise), reference, strict=True))
    rng = cases.generator("log", case.homework, student, case.exercise, case.name)
    try:
        return {"value": case.scenario(rng, *(given[name] for name in case.needs))}
    except Exception as error:
        return cases.Answer(error=error).record()


@functools.cache
def paper(name: str) -> LogPaper:
    """What can be judged of an exercise; found out once by a few made-up students."""
    exercise = exercise_named(name)
    logged = [case for case in exercise.cases if case.log]
    personal, fixed = set(), {}
    for case in logged:
        made = (reference_record(case, exercise.reference, student) for student in TRIALS)
        records = [*itertools.islice(made, APART)]
        others = itertools.chain(records[1:], made)  # up to the first that differs
        if all(_same(case, records[0], other, CLOSER) for other in others):
            fixed[case.name] = records[0]
        elif not any(_same(case, *two) for two in itertools.combinations(records, 2)):
            personal.add(case.name)
    return LogPaper(exercise, logged, frozenset(personal), fixed)


def _same(case: cases.Case, record: dict, other: dict, closer: float = 1) -> bool:
    """Whether two records agree to this part of the case's tolerance."""
    tolerance = case.rtol / closer, case.atol / closer
    return difference(record, other, *tolerance, case.dtype) is None


def grade_log(log: dict, causes: bool = True) -> list[dict]:
    """A report per exercise of a log that has the form of docs/log.md; plain data.

    causes: whether to recognise known mistakes in what is wrong, which costs more than grading
    An item's `earned` is None where the log cannot tell. `right` and `wrong` are fingerprints of
    the personal outputs: one student's wrong ones may be another's right ones.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return [_grade_entry(log, paper(name), causes) for name in exercises(log["homework"])]


def _grade_entry(log: dict, sheet: LogPaper, causes: bool) -> dict:
    exercise, entry = sheet.exercise, log["exercises"].get(sheet.exercise.name)
    report = {"exercise": exercise.name, "points": exercise.points, "mistake": "", "hint": "",
              "remarks": [], "right": "", "wrong": ""}
    nothing = _reason_for_nothing(log, sheet, entry)
    if nothing:
        return report | {"items": _items(sheet, lambda *_: nothing),
                         "remarks": [nothing] if entry else []}
    answers, expected, faults = {}, {}, {}
    for case in sheet.asked(causes):
        node, known = entry["outputs"].get(case.name), sheet.fixed.get(case.name)
        if known is None:
            known = reference_record(case, exercise.reference, log["student"])
        expected[case.name], answers[case.name] = known, _answer(node)
        faults[case.name] = _fault(case, answers[case.name], known)
    report["items"] = _items(sheet, lambda *asked: _message(*asked, answers, faults))
    if causes and any(faults.values()):
        slugs = _recognised(sheet, answers, expected, log["student"])
        report["mistake"] = slugs[0] if slugs else ""
        report["hint"] = " ".join(dict.fromkeys(m.hint for m in exercise.mistakes
                                                if m.slug in slugs))
    wrong = sheet.personal.intersection(name for name, why in faults.items() if why)
    if wrong and entry["status"] == "passed":
        report["remarks"].append("says passed, but its outputs are wrong for this student")
    fingerprint = _fingerprint(sheet, entry)
    return report | {"wrong" if wrong else "right": fingerprint}


def _reason_for_nothing(log: dict, sheet: LogPaper, entry: dict | None) -> str:
    if entry is None:
        return "the log has no entry"
    if fault := form.fault_of_text(log, sheet.exercise.name, entry):
        return fault
    routine = forbidden_routine(sheet.exercise.reference, sheet.exercise.forbidden,
                                [entry["source"]])
    if not routine:
        return ""
    return f"uses {routine}; expected: {reason_against(routine, sheet.exercise.forbidden)}"


def _items(sheet: LogPaper, message_of) -> list[dict]:
    """Each item of the exercise as plain data; `message_of` gives what is wrong, or nothing."""
    rows = []
    for item, asked in sheet.items:
        message = message_of(item, asked) if asked else NEEDS_NOTEBOOK
        earned = (0.0 if message else item.points) if asked else None
        rows.append({"name": item.name, "points": item.points, "earned": earned,
                     "message": message})
    return rows


def _message(item: Item, asked: list[cases.Case], answers: dict, faults: dict) -> str:
    for case in asked:
        if faults[case.name]:
            error = answers[case.name].error
            if not isinstance(error, NotImplementedError):
                error = AssertionError(f"{case.title}: {faults[case.name]}")
            return failure(item, error)
    return ""


def _answer(node) -> cases.Answer:
    """The answer that a recorded output describes; an error where it describes none."""
    if node is None:
        return cases.Answer(error=_named("NotRecorded"))
    try:
        record = plain.from_json(node)
    except plain.Malformed:
        return cases.Answer(error=_named("Malformed"))
    if isinstance(record, dict) and "value" in record and len(record) == 1:
        return cases.Answer(value=record["value"])
    name = record.get("raised") if isinstance(record, dict) else None
    known = isinstance(name, str) and len(name) < 80 and name.isidentifier()
    return cases.Answer(error=_named(name if known else "Malformed"))


@functools.lru_cache(maxsize=256)
def _named(name: str) -> Exception:
    if name == "NotImplementedError":
        return NotImplementedError()
    return type(name, (Exception,), {})()


def _fault(case: cases.Case, answer: cases.Answer, expected: dict) -> str:
    try:
        wrong = fault(case, answer, expected)
    except Exception as error:  # hostile data in a form that no comparison expects
        return f"cannot be compared ({type(error).__name__})"
    return str(wrong) if wrong else ""


def _recognised(sheet: LogPaper, answers: dict, expected: dict, student: str) -> list[str]:
    """The slugs of the known mistakes that give these outputs on this student's inputs."""
    seed = "log", sheet.exercise.homework, student
    known = records_of_mistakes(sheet.exercise, expected, *seed, asked=sheet.logged)
    given = [answers[case.name] for case in sheet.logged]
    try:
        return diagnose(sheet.logged, given, expected, known)
    except Exception:  # hostile data again: no cause is proven
        return []


def _fingerprint(sheet: LogPaper, entry: dict) -> str:
    """Of what an entry records of the personal cases; equal for equal outputs."""
    own = [entry["outputs"].get(name) for name in sorted(sheet.personal)]
    # version 2 writes values alone, not which of them are one object
    return hashlib.sha256(marshal.dumps(own, 2)).hexdigest() if own else ""
