"""`check`: run a student's functions on the public cases and say what is wrong and why."""

import functools
import linecache
import os
from pathlib import Path

from viva import card, desk, examples, facts, plain
from viva.case import PUBLIC_SEED, Answer, Case, candidates_of, cases_of
from viva.compare import NOTHING_RAISED, difference
from viva.diagnosis import diagnose
from viva.patience import Patience
from viva.sources import forbidden_routine, reason_against
from viva.verdict import Fault, Verdict


def check(exercise: str, *candidates) -> None:
    """Check the functions (or classes) of an exercise on its public cases.

    Shows a card. While you work a wrong answer never raises; under `nbgrader validate` and
    autograding it raises AssertionError with the same message.
    """
    with Patience() as patience:
        verdict = judge(exercise, *candidates)
    if patience.lost:
        verdict = Verdict(exercise, "error", f"stopped after {patience.seconds:g} seconds", (
            ("expected", "an answer within a few seconds"),
            ("look for", "a loop that never ends")))
    with Patience() as recording:
        desk.record(exercise, verdict.status, candidates, ran=not patience.lost)
    if recording.lost:
        desk.record(exercise, verdict.status, candidates, ran=False)
    card.show(verdict, desk.progress())
    if os.environ.get("NBGRADER_EXECUTION") and not verdict.passed:
        raise AssertionError("\n".join(verdict.lines))


def judge(exercise: str, *candidates, public: dict | None = None) -> Verdict:
    """The verdict of `check`, without showing or recording it.

    public: what is known of the exercise, if not what the kit's file says
    """
    cases, names = cases_of(exercise), candidates_of(exercise)
    if len(candidates) != len(names):
        rows = (("expected", f"check({exercise!r}, {', '.join(names)})"),)
        return Verdict(exercise, "error", f"{len(candidates)} functions given", rows)
    public = public or expected_of(cases[0].homework)[exercise]
    routine = forbidden_routine(candidates, public["forbidden"])
    if routine:
        rows = (("expected", reason_against(routine, public["forbidden"])),)
        return Verdict(exercise, "failed", f"uses {routine}", rows)
    calls: dict[str, list[examples.Call]] = {case.name: [] for case in cases}
    answers = [case.run(candidates, PUBLIC_SEED, noting=_noting(calls[case.name]))
               for case in cases]
    wrong = [(case, answer, found) for case, answer in zip(cases, answers, strict=True)
             if (found := fault(case, answer, public["cases"][case.name], calls[case.name]))]
    if not wrong:
        return _if_unmodified(exercise, answers, public)
    case, answer, found = wrong[0]
    failed = failed_functions(case, answer, calls[case.name], [each for each, *_ in wrong])
    within = f" in {failed[0]}" if len(failed) == 1 and failed[0] != exercise else ""
    if isinstance(answer.error, NotImplementedError):
        return Verdict(exercise, "missing", f"not written yet{within.replace(' in', ':')}")
    slugs = diagnose(cases, answers, public["cases"], public["mistakes"])
    rows = [*found.rows, ("expected", _sentence(public["expects"], failed))]
    rows += _causes(slugs, public["mistakes"], several=len(names) > 1)
    record = public["cases"][case.name]
    if not slugs and answer.error is None and "value" in record:
        fact = facts.noticed(answer.value, record["value"], case.rtol, case.atol)
        rows += [("noticed", fact)] if fact else []
    rows.append(("case", case.title))
    wrong_at = difference_of(case, answer, record)
    if line := examples.line_to_paste(case, calls[case.name], wrong_at.path if wrong_at else ()):
        examples.keep(case, calls[case.name])
        rows.append(("try it", line))
    if not slugs:
        rows.append(("see also", "the hints below this exercise"))
    status = "error" if answer.error is not None else "failed"
    return Verdict(exercise, status, found.headline + within, tuple(rows), tuple(slugs),
                   answer.value, record.get("value"))


def _noting(calls: list):
    """What Case.run calls after every call of a student's function."""
    return lambda *call: calls.append(examples.Call(*call))


def _if_unmodified(exercise: str, answers: list[Answer], public: dict) -> Verdict:
    """The verdict where every answer is right: passed, unless an argument was changed."""
    modified = sorted({name for answer in answers for name in answer.modified})
    if not modified:
        return Verdict(exercise, "passed", f"passed ({len(answers)} cases)")
    rows = [("expected", "the caller's arrays left as they were; work on a copy")]
    known = [slug for slug, each in public["mistakes"].items()
             if not each["cases"] and each.get("modified") == modified]
    slugs = known if len({public["mistakes"][slug]["hint"] for slug in known}) == 1 else []
    rows += _causes(slugs[:1], public["mistakes"], several=False)
    return Verdict(exercise, "failed", f"{modified[0]} changes its arguments", tuple(rows),
                   tuple(slugs[:1]))


def _causes(slugs: list[str], mistakes: dict, several: bool) -> list[tuple[str, str]]:
    """A row for each cause; where an exercise has several functions, with the function's name."""
    said = {}
    for slug in slugs:
        of = mistakes[slug].get("of", "")
        said[mistakes[slug]["hint"]] = f"{of}: " if several and of and len(slugs) > 1 else ""
    return [("usual cause", f"{of}{hint}") for hint, of in said.items()]


def failed_functions(case: Case, answer: Answer, calls: list, wrong: list[Case]) -> list[str]:
    """The functions of a case that failed: the one that raised, or those that fail alone too."""
    called = list(dict.fromkeys(call.name for call in calls)) or list(case.needs)
    if answer.error is not None:
        return called[-1:] if calls and calls[-1].output is None else called
    alone = {each.needs[0] for each in wrong if len(each.needs) == 1}
    return [name for name in called if name in alone] or called


def difference_of(case: Case, answer: Answer, record: dict):
    """The first Difference between an answer and the recorded value, or None."""
    if answer.error is not None or "value" not in record:
        return None
    return difference(answer.value, record["value"], case.rtol, case.atol, case.dtype)


def fault(case: Case, answer: Answer, expected: dict, calls: list | None = None) -> Fault | None:
    """What is wrong with an answer, or None.

    calls: of the student's functions by the case, if they were noted
    """
    if answer.error is not None:
        return _raised(answer.error, expected)
    if "raised" in expected:
        return Fault(f"should raise {expected['raised']}",
                     (("you returned", "a value, and raised nothing"),))
    wrong = difference_of(case, answer, expected)
    if wrong is None:
        return None
    where = f"{wrong.where}: " if wrong.where else ""
    if wrong.kind == "property":
        claim = wrong.where or case.title
        label = "not true" if wrong.expected == "True" else "should not be"
        return Fault(wrong.headline, ((label, claim),))
    if wrong.kind == "raised":
        nothing = wrong.got == NOTHING_RAISED
        row = ("you returned", "a value, and raised nothing") if nothing else (
            "you raised", f"{where}{wrong}")
        return Fault(wrong.headline, (row,))
    direct = calls is None or examples.is_returned(_part(answer.value, wrong.path), calls)
    return Fault(wrong.headline, (("you returned" if direct else "this gives", f"{where}{wrong}"),))


def _raised(error: Exception, expected: dict) -> Fault | None:
    if expected.get("raised") == type(error).__name__:
        return None
    if getattr(type(error), "__module__", "") == "viva.plain":
        return Fault("wrong type", (("you returned", str(error)),))
    message = str(error).strip().splitlines()
    rows = [("message", message[0])] if message else []
    place = student_line(error)
    return Fault(f"raised {type(error).__name__}", (*rows, *([("in your cell", place)]
                                                             if place else [])))


def _part(value, path: tuple):
    for key, _ in path:
        value = value[key]
    return value


def _sentence(expects: str | dict, failed: list[str]) -> str:
    """What a right answer is: the exercise's sentence, or those of the functions that failed."""
    if isinstance(expects, str):
        return expects
    return "; ".join(expects[name] for name in failed if name in expects)


@functools.cache
def expected_of(homework: str) -> dict:
    """The expected outputs of a homework's public cases, and those of its known mistakes."""
    return plain.unpack(path_of_expected(homework).read_bytes(), max_nodes=5_000_000)


def path_of_expected(homework: str) -> Path:
    """The file of a homework's expected outputs; `viva release` writes it."""
    return Path(__file__).parent / "expected" / f"{homework}.safetensors"


def student_line(error: Exception) -> str:
    """Line and text where a student's own cell failed, if it is known.

    What a cell's file is called differs from service to service; its module is __main__ everywhere.
    """
    place, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == "__main__":
            filename = trace.tb_frame.f_code.co_filename
            text = linecache.getline(filename, trace.tb_lineno).strip()
            place = f"line {trace.tb_lineno}" + (f": {text}" if text else "")
        trace = trace.tb_next
    return place
