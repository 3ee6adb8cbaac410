"""`check`: run a student's functions on the public cases and say what is wrong and why."""

import functools
import linecache
import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from viva import card, desk, examples, facts, methods, plain
from viva.case import PUBLIC_SEED, Answer, Case, candidates_of, cases_of
from viva.compare import NOTHING_RAISED, Difference, difference
from viva.diagnosis import diagnose
from viva.patience import Patience
from viva.places import place
from viva.routines import Watch
from viva.sources import forbidden_routine, reason_against
from viva.verdict import Fault, Verdict

SIGNATURE = re.compile(r",? with gufunc signature \S+")  # numpy's words for its own machinery


def check(exercise: str, *candidates: Any) -> None:
    """Check the functions (or classes) of an exercise on its public cases.

    Shows a card. While you work a wrong answer never raises; under `nbgrader validate` and
    autograding it raises AssertionError with the same message.
    """
    with Patience() as patience:
        verdict = judge(exercise, *candidates)
    if patience.lost:
        stopped = f"stopped after {patience.seconds:g} seconds of work"
        verdict = Verdict(exercise, "error", stopped, (
            ("expected", "an answer within a few seconds"),
            ("look for", "a loop that never ends")))
    with Patience() as recording:
        desk.record(exercise, verdict.status, candidates, ran=not patience.lost)
    if recording.lost:
        desk.record(exercise, verdict.status, candidates, ran=False)
    card.show(verdict, desk.progress())
    if os.environ.get("NBGRADER_EXECUTION") and not verdict.passed:
        raise AssertionError("\n".join(verdict.lines))


def judge(exercise: str, *candidates: Any, public: dict | None = None) -> Verdict:
    """The verdict of `check`, without showing or recording it.

    public: what is known of the exercise, if not what the kit's file says
    """
    cases, names = cases_of(exercise), candidates_of(exercise)
    if len(candidates) != len(names):
        call = f"check({exercise!r}, {', '.join(names)})"
        return Verdict(exercise, "error", f"{len(candidates)} functions given",
                       (("expected", call),))
    public = public or expected_of(cases[0].homework)[exercise]
    calls: dict[str, list[examples.Call]] = {case.name: [] for case in cases}
    routine = forbidden_routine(candidates, public["forbidden"])
    answers: list[Answer] = []
    with methods.watched(candidates, names) as changing:
        if not routine:
            answers, routine = _run(cases, candidates, calls, public["forbidden"])
    if routine:
        return Verdict(exercise, "failed", f"uses {routine}",
                       (("expected", reason_against(routine, public["forbidden"])),))
    contracts = {name: getattr(each, "__doc__", None) or ""
                 for name, each in zip(names, candidates, strict=True)}
    wrong = [(case, answer, found) for case, answer in zip(cases, answers, strict=True)
             if (found := fault(case, answer, public["cases"][case.name], calls[case.name],
                                contracts))]
    if not wrong:
        return _if_unmodified(exercise, answers, changing, public)
    case, answer, found = wrong[0]
    failing = [each for each, *_ in wrong]
    failed = failed_functions(case, answer, calls[case.name], failing)
    within = f" in {failed[0]}" if len(failed) == 1 and failed[0] != exercise else ""
    if isinstance(answer.error, NotImplementedError):
        return Verdict(exercise, "missing", f"not written yet{within.replace(' in', ':')}")
    slugs = diagnose(cases, answers, public["cases"], public["mistakes"])
    rows = [*found.rows, ("expected", _sentence(public["expects"], failed))]
    alone = list(dict.fromkeys(each.needs[0] for each in failing if len(each.needs) == 1))
    rows += _causes(slugs, public["mistakes"], failed if len(alone) <= 1 else [])
    named = {public["mistakes"][slug].get("of") for slug in slugs}
    if others := [name for name in alone if name not in failed and name not in named]:
        rows.append(("also wrong", ", ".join(others)))
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


def _run(cases: list[Case], candidates: tuple, calls: dict,
         forbidden: list[str] | dict[str, str]) -> tuple[list[Answer], str]:
    """The answers to the cases, and the forbidden routine that ran meanwhile, or ""."""
    with warnings.catch_warnings(), Watch(name.split(".")[-1] for name in forbidden) as watch:
        warnings.filterwarnings("ignore", module=r"viva\.")  # about our lines, not the student's
        answers = [case.run(candidates, PUBLIC_SEED, noting=_noting(calls[case.name]))
                   for case in cases]
    ran = [name for name in forbidden if watch.used and name.split(".")[-1] == watch.used]
    return answers, ran[0].replace("numpy.", "np.") if ran else ""


def _noting(calls: list) -> Callable[..., None]:
    """What Case.run calls after every call of a student's function."""
    return lambda *call: calls.append(examples.Call(*call))


def _if_unmodified(exercise: str, answers: list[Answer], changing: set[str],
                   public: dict) -> Verdict:
    """The verdict where every answer is right: passed, unless an argument was changed.

    changing: methods that changed one
    """
    modified = sorted({name for answer in answers for name in answer.modified} | changing)
    if not modified:
        return Verdict(exercise, "passed", f"passed ({len(answers)} cases)")
    rows = [("expected", "the caller's arrays left as they were; work on a copy")]
    known = [slug for slug, each in public["mistakes"].items()
             if not each["cases"] and each.get("modified") == modified]
    slugs = known if len({public["mistakes"][slug]["hint"] for slug in known}) == 1 else []
    rows += _causes(slugs[:1], public["mistakes"], modified)
    return Verdict(exercise, "failed", f"{modified[0]} changes its arguments", tuple(rows),
                   tuple(slugs[:1]))


def _causes(slugs: list[str], mistakes: dict, failed: list[str]) -> list[tuple[str, str]]:
    """A row for each cause, with the names of its functions unless they are the one that failed."""
    said: dict[str, list[str]] = {}
    for slug in slugs:
        said.setdefault(mistakes[slug]["hint"], []).append(mistakes[slug].get("of", ""))
    rows = []
    for hint, of in said.items():
        names = ", ".join(dict.fromkeys(filter(None, of)))
        plain = not names or failed == [names] or len(slugs) == 1 and names in failed
        rows.append(("usual cause", hint if plain else f"{names}: {hint}"))
    return rows


def failed_functions(case: Case, answer: Answer, calls: list, wrong: list[Case]) -> list[str]:
    """The functions of a case that failed: the one that raised, or those that fail alone too."""
    called = list(dict.fromkeys(call.name for call in calls)) or list(case.needs)
    if answer.error is not None:
        return called[-1:] if calls and calls[-1].output is None else called
    alone = {each.needs[0] for each in wrong if len(each.needs) == 1}
    return [name for name in called if name in alone] or called


def difference_of(case: Case, answer: Answer, record: dict) -> Difference | None:
    """The first Difference between an answer and the recorded value, or None."""
    if answer.error is not None or "value" not in record:
        return None
    return difference(answer.value, record["value"], case.rtol, case.atol, case.dtype)


def fault(case: Case, answer: Answer, expected: dict, calls: list | None = None,
          contracts: dict[str, str] | None = None) -> Fault | None:
    """What is wrong with an answer, or None.

    calls: of the student's functions by the case, if they were noted
    contracts: their docstrings, which name the parts of a result
    """
    if answer.error is not None:
        return _raised(answer.error, expected)
    if "raised" in expected:
        return Fault(f"should raise {expected['raised']}",
                     (("you returned", "a value, and raised nothing"),))
    wrong = difference_of(case, answer, expected)
    if wrong is None:
        return None
    if wrong.kind == "property":
        claims = [key for key, _ in wrong.path if isinstance(key, str)]
        label = "not true" if wrong.expected == "True" else "should not be"
        return Fault(wrong.headline, ((label, ", ".join(claims) or case.title),))
    if wrong.kind == "raised" and wrong.got == NOTHING_RAISED:
        return Fault(wrong.headline, (("you returned", "a value, and raised nothing"),))
    at = place(wrong.path, answer.value, calls or [], contracts or {})
    where = f"{at}: " if at else ""
    if wrong.kind == "raised":
        return Fault(wrong.headline, (("you raised", f"{where}{wrong}"),))
    direct = calls is None or examples.is_returned(_part(answer.value, wrong.path), calls)
    if wrong.instead and not direct:
        return Fault("not the result that is asked for",
                     (("this gives", f"{where}{wrong.instead}"),))
    return Fault(wrong.headline, (("you returned" if direct else "this gives", f"{where}{wrong}"),))


def _raised(error: Exception, expected: dict) -> Fault | None:
    if expected.get("raised") == type(error).__name__:
        return None
    if getattr(type(error), "__module__", "") == "viva.plain":
        return Fault("wrong type", (("you returned", str(error)),))
    if _is_ours(error):
        return Fault("cannot be used as the case asks")
    message = str(error).strip().splitlines()
    rows = [("message", SIGNATURE.sub("", message[0]))] if message else []
    place_ = student_line(error)
    return Fault(f"raised {type(error).__name__}", (*rows, *([("in your cell", place_)]
                                                             if place_ else [])))


def _is_ours(error: Exception) -> bool:
    """Whether a case stumbled over an answer: its message speaks of our code."""
    modules, trace = [], error.__traceback__
    while trace is not None:
        modules.append(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    own = [name for name in modules if name.split(".")[0] not in ("numpy", "torch")]
    return bool(own) and own[-1].startswith(("viva.cases.", "viva.kits."))


def _part(value: Any, path: tuple) -> Any:
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
