"""`check`: run a student's functions on the public cases and say what is wrong and why."""

import ast
import functools
import inspect
import os
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from viva import card, desk, plain
from viva.case import Answer, Case, candidates_of, cases_of, unwatch
from viva.compare import difference
from viva.diagnosis import recognise

PUBLIC_SEED = "public"


@dataclass(frozen=True)
class Verdict:
    """The result of one check. `lines` is the message, ready for a terminal."""

    exercise: str
    status: str  # passed, failed, error or missing
    lines: tuple[str, ...]
    cause: str = ""  # slug of the recognised mistake
    got: object = None  # the arrays of the first wrong case, for a picture
    expected: object = None

    @property
    def passed(self) -> bool:
        return self.status == "passed"


def check(exercise: str, *candidates) -> None:
    """Check the functions (or classes) of an exercise on its public cases.

    Shows a card. While you work a wrong answer never raises; under `nbgrader validate` and
    autograding it raises AssertionError with the same message.
    """
    verdict = judge(exercise, *candidates)
    desk.record(exercise, verdict.status, candidates)
    card.show(verdict, desk.progress())
    if os.environ.get("NBGRADER_EXECUTION") and not verdict.passed:
        raise AssertionError("\n".join(verdict.lines))


def judge(exercise: str, *candidates) -> Verdict:
    """The verdict of `check`, without showing or recording it."""
    cases = cases_of(exercise)
    names = candidates_of(exercise)
    if len(candidates) != len(names):
        lines = (f"{exercise}: {len(candidates)} functions given",
                 f"  expected: check({exercise!r}, {', '.join(names)})")
        return Verdict(exercise, "error", lines)
    public = expected_of(cases[0].homework)[exercise]
    routine = forbidden_routine(candidates, public["forbidden"])
    if routine:
        lines = (f"{exercise}: uses {routine}",
                 f"  expected:     your own code; writing {routine} is the exercise")
        return Verdict(exercise, "failed", lines)
    answers = [case.run(candidates, PUBLIC_SEED) for case in cases]
    for case, answer in zip(cases, answers, strict=True):
        wrong = fault(case, answer, public["cases"][case.name])
        if wrong is None:
            continue
        if isinstance(answer.error, NotImplementedError):
            return Verdict(exercise, "missing", (f"{exercise}: not written yet",))
        slug = recognise(cases, answers, public["cases"], public["mistakes"])
        lines = [f"{exercise}: {wrong[0]}"]
        for line in wrong[1:]:
            lines += _wrapped(*line.split(": ", 1))
        lines += _wrapped("expected", _sentence(public["expects"], case))
        if slug:
            lines += _wrapped("usual cause", public["mistakes"][slug]["hint"])
        lines += _wrapped("case", case.title)
        if not slug:
            lines += _wrapped("see also", "the hints below this exercise")
        status = "error" if answer.error is not None else "failed"
        expected = public["cases"][case.name].get("value")
        return Verdict(exercise, status, tuple(lines), slug, answer.value, expected)
    modified = sorted({name for answer in answers for name in answer.modified})
    if modified:
        lines = (f"{exercise}: {modified[0]} changes its arguments",
                 "  expected:     the caller's arrays left as they were; work on a copy")
        return Verdict(exercise, "failed", lines)
    return Verdict(exercise, "passed", (f"{exercise}: passed ({len(cases)} cases)",))


def fault(case: Case, answer: Answer, expected: dict) -> list[str] | None:
    """What is wrong with an answer: a headline and lines "label: text", or None."""
    if answer.error is not None:
        if expected.get("raised") == type(answer.error).__name__:
            return None
        if getattr(type(answer.error), "__module__", "") == "viva.plain":
            return ["wrong type", f"you returned: {answer.error}"]
        message = str(answer.error).strip().splitlines()
        lines = [f"raised {type(answer.error).__name__}"]
        lines += [f"message: {message[0]}"] if message else []
        place = student_line(answer.error)
        return lines + ([f"at: {place}"] if place else [])
    if "raised" in expected:
        return [f"should raise {expected['raised']} here", "you returned: a value"]
    wrong = difference(answer.value, expected["value"], case.rtol, case.atol, case.dtype)
    if wrong is None:
        return None
    detail = f"; {wrong.detail}" if wrong.detail else ""
    return [wrong.headline, f"you returned: {wrong.got}{detail}"]


def _sentence(expects: str | dict, case: Case) -> str:
    """What a right answer is: the exercise's sentence, or those of the functions of a case."""
    return expects if isinstance(expects, str) else "; ".join(expects[each] for each in case.needs)


@functools.cache
def expected_of(homework: str) -> dict:
    """The expected outputs of a homework's public cases, and those of its known mistakes."""
    path = Path(__file__).parent / "expected" / f"{homework}.safetensors"
    return plain.unpack(path.read_bytes(), max_nodes=5_000_000)


def student_line(error: Exception) -> str:
    """Line and text where a student's own cell failed, if it is known."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if "ipykernel" in filename or filename.startswith("<"):
            name = trace.tb_frame.f_code.co_name
            place = f"line {trace.tb_lineno} of the cell, in {name}"
        trace = trace.tb_next
    return place


def forbidden_routine(candidates, forbidden, sources=None) -> str:
    """The first library routine in `forbidden` that the candidates' source uses, or ""."""
    for source in sources if sources is not None else map(source_of, candidates):
        if not forbidden or source.isascii() and not _may_use(source, tuple(forbidden)):
            continue  # nothing to parse for (letters beyond ASCII may stand for others)
        try:
            tree = ast.parse(textwrap.dedent(source))
        except (SyntaxError, ValueError):
            continue
        except (RecursionError, MemoryError):  # nested to hide it: no student writes this by hand
            return forbidden[0]
        used, bare = set(), set()
        for node in ast.walk(tree):
            used.update(_library_names(node))
            if isinstance(node, ast.Name):
                bare.add(node.id)
        for routine in forbidden:
            # the notebook's first cell imports names of the kit: there a bare one is the kit's
            if routine.split(".")[-1] in (used | bare if routine.startswith("viva.") else used):
                return routine
    return ""


def _may_use(source: str, forbidden: tuple[str, ...]) -> bool:
    """Whether a source in ASCII could use a routine: the words are there; cheaper than to parse."""
    dotted, named = _mentions(forbidden)
    return bool(dotted.search(source) or "import" in source and named.search(source))


@functools.cache
def _mentions(forbidden: tuple[str, ...]) -> tuple[re.Pattern, re.Pattern]:
    """Patterns of a routine's name after a dot, or alone if it is the kit's; and of any name.

    Between the dot and the name there may be spaces, line ends and comments.
    """
    names, own = ("|".join(each.split(".")[-1] for each in forbidden if each.startswith(room))
                  for room in ("", "viva."))
    space = r"(?:[\s\\]|#[^\n\r]*[\n\r])*"
    alone = rf"|\b(?:{own})\b" if own else ""
    return re.compile(rf"\.{space}(?:{names})\b{alone}"), re.compile(rf"\b(?:{names})\b")


def source_of(candidate) -> str:
    """The source text of a student's function or class; empty where it is not known."""
    candidate = unwatch(candidate)
    try:
        return getattr(candidate, "__viva_source__", None) or inspect.getsource(candidate)
    except (OSError, TypeError):
        return ""


def _library_names(node):
    """Names that a syntax node takes from elsewhere: `x.name` and `from x import name`.

    A bare `name` may be the student's own helper and is not counted.
    """
    if isinstance(node, ast.ImportFrom):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.Attribute):
        yield node.attr


def _wrapped(label: str, text: str) -> list[str]:
    """A labelled line for a terminal, below 80 columns."""
    rows = textwrap.wrap(text, 60) or [""]
    return [f"  {f'{label}:' if i == 0 else '':<14}{row}" for i, row in enumerate(rows)]
