"""Recognise a known mistake from what it does.

A cause is named only when it is proven: every answer is the one the mistake gives, a wrong value is
among them (a mere crash proves nothing, nor does a claim about the answer that fails), and no
mistake with another hint fits as well.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from viva.case import Answer, Case
from viva.compare import difference

# float32 carries 24 bits; sums of some hundred terms and a division lose a few decimal places.
COARSE = {"rtol": 1e-4, "atol": 1e-5}
EVIDENCE = ("values", "modified", "memory", "measured")  # kinds of failures that tell a value
Asked = Sequence[tuple[Case, Answer]]
Same = Callable[[Case, Answer, dict], bool]  # whether an answer is the recorded one
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?|\binf\b|\bnan\b")


def agrees(case: Case, answer: Answer, record: dict) -> bool:
    """Whether an answer is the recorded one, up to the case's tolerance."""
    if answer.error is not None:
        return record.get("raised") == type(answer.error).__name__
    if "value" not in record:
        return False
    return difference(answer.value, record["value"], case.rtol, case.atol, case.dtype) is None


def agrees_coarsely(case: Case, answer: Answer, record: dict) -> bool:
    """The same for work in single precision: values to four places, dtypes as they may be."""
    if answer.error is not None or "value" not in record:
        return agrees(case, answer, record)
    rtol, atol = max(case.rtol, COARSE["rtol"]), max(case.atol, COARSE["atol"])
    return difference(answer.value, record["value"], rtol, atol, dtype=False) is None


def diagnose(cases: list[Case], answers: list[Answer], expected: dict, mistakes: dict) -> list[str]:
    """The slugs of the known mistakes that give these answers; empty where none is proven.

    expected: {case name: record} of the reference
    mistakes: {slug: {"hint": …, "of": the function it replaces,
        "cases": {case name: record where it differs from expected}}}

    One mistake that explains all answers is the cause. Otherwise each function is diagnosed by the
    cases that need only it, and what is found is put together. What is not written yet says nothing
    about the rest.
    """
    asked = [(case, answer) for case, answer in zip(cases, answers, strict=True)
             if not isinstance(answer.error, NotImplementedError)]
    ways = [agrees]
    if any(_is_single(answer.value) and not _is_single(expected[case.name].get("value"))
           for case, answer in asked):
        ways.append(agrees_coarsely)
    for same in ways:
        if slug := one_hint(fitting(asked, expected, mistakes, same), mistakes):
            return [slug]
        found = _by_function(asked, expected, mistakes, same)
        if found := found or _two_at_once(asked, expected, mistakes, same):
            return found
    return []


def _by_function(asked: Asked, expected: dict, mistakes: dict, same: Same) -> list[str]:
    """What is found of each function alone, by the cases that need only it.

    A finding must also explain the cases in which the function meets others that are right.
    """
    found, wrong = {}, set()
    for name in dict.fromkeys(mistake.get("of", "") for mistake in mistakes.values()):
        own = [pair for pair in asked if pair[0].needs == (name,)]
        if all(same(*pair, expected[pair[0].name]) for pair in own):
            continue
        wrong.add(name)
        of_it = {slug: each for slug, each in mistakes.items() if each.get("of") == name}
        slug = one_hint(fitting(own, expected, of_it, same), of_it)
        found[name] = [slug] if slug else _two_at_once(own, expected, of_it, same)
    for name, slugs in found.items():
        met = [pair for pair in asked if name in pair[0].needs and len(pair[0].needs) > 1
               and not wrong & set(pair[0].needs) - {name}]
        if any(not any(_fits(*pair, expected, mistakes[slug], same) for slug in slugs)
               for pair in met):
            found[name] = []
    return [slug for slugs in found.values() for slug in slugs]


def fitting(asked: Asked, expected: dict, mistakes: dict, same: Same = agrees,
            proven: bool = True) -> list[str]:
    """The mistakes that give all of these answers, with a wrong value among them if `proven`.

    asked: (case, answer) pairs
    """
    return [
        slug for slug, mistake in mistakes.items()
        if all(_fits(case, answer, expected, mistake, same) for case, answer in asked)
        and (not proven or any(_proves(*pair, expected, mistake, same) for pair in asked))
    ]


def one_hint(slugs: list[str], mistakes: dict) -> str:
    """The first slug if all of them say the same to a student."""
    hints = {mistakes[slug].get("hint", slug) for slug in slugs}
    return slugs[0] if len(hints) == 1 else ""


def _fits(case: Case, answer: Answer, expected: dict, mistake: dict, same: Same) -> bool:
    """Whether the mistake gives this answer. Where it crashes, one crash is like another."""
    record = mistake["cases"].get(case.name)
    if record is None:
        return same(case, answer, expected[case.name])
    return same(case, answer, record) or (answer.error is not None and "raised" in record)


def _proves(case: Case, answer: Answer, expected: dict, mistake: dict, same: Same) -> bool:
    """Whether this answer is a wrong value, and the mistake's."""
    record = mistake["cases"].get(case.name, {})
    return ("value" in record and same(case, answer, record)
            and not same(case, answer, expected[case.name])
            and _tells(answer.value, expected[case.name].get("value"), case) > 0)


def _tells(value: Any, right: Any, case: Case) -> int:
    """In how many numbers or words a value differs from the right one.

    A word counts for two: it names an exception, or its absence. A claim about the answer, a truth
    value under a key, tells nothing: anything may be behind it.
    """
    if isinstance(value, dict) and isinstance(right, dict) and value.keys() == right.keys():
        return sum(_tells(value[key], right[key], case) for key in right
                   if not isinstance(value[key], bool | np.bool_))
    if isinstance(value, list | tuple) and isinstance(right, list | tuple) and (
            len(value) == len(right)):
        return sum(_tells(*pair, case) for pair in zip(value, right, strict=True))
    if difference(value, right, case.rtol, case.atol, case.dtype) is None:
        return 0
    return 2 if isinstance(value, str) else _size(value)


def _size(value: Any) -> int:
    """How many numbers there are; lists in a list may differ in length, which no array does."""
    if isinstance(value, list | tuple):
        return sum(map(_size, value))
    return value.numel() if hasattr(value, "numel") else np.size(value)


def _two_at_once(asked: Asked, expected: dict, mistakes: dict, same: Same) -> list[str]:
    """Two mistakes: each wrong answer is that of one of them, and each proves itself alone.

    With a pair chance has more room than with one, so that a single number proves neither.
    """
    wrong = [pair for pair in asked if not same(*pair, expected[pair[0].name])]
    names = {case.name for case, _ in wrong}
    right = {case.name for case, _ in asked} - names
    shows, proves = {}, {}
    for slug, mistake in mistakes.items():
        if not right & set(mistake["cases"]):  # else it would show where the answer is right
            shows[slug] = {pair[0].name for pair in wrong
                           if pair[0].name in mistake["cases"] and _fits(
                               *pair, expected, mistake, same)}
            proves[slug] = {case.name for case, answer in wrong if _proves(
                                case, answer, expected, mistake, same)
                            and _tells(answer.value, expected[case.name].get("value"), case) > 1}
    pairs = [
        (one, other) for one, other in itertools.combinations(filter(proves.get, shows), 2)
        if shows[one] | shows[other] == names
        and proves[one] - shows[other] and proves[other] - shows[one]
    ]
    hints = {frozenset(mistakes[slug].get("hint", slug) for slug in pair) for pair in pairs}
    return list(pairs[0]) if len(hints) == 1 else []


def same_failures(outcomes: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether two examinations failed at the same questions in the same way, one of them provably.

    outcomes, others: of each question, with `message` ("" if it was passed) and `seen`, the values
    that were compared as (value, rtol, atol, whether it was wrong)
    """
    pairs = list(zip(outcomes, others, strict=True))
    return all(_same_way(a, b) for a, b in pairs) and any(is_evidence(a) for a in outcomes)


def is_evidence(outcome: Any) -> bool:
    """Whether a failure is specific: a wrong value, or a message that carries a measurement."""
    is_detailed = outcome.kind in ("error", "raised") and len(NUMBER.findall(outcome.message)) >= 3
    return outcome.kind in EVIDENCE or is_detailed or any(wrong for *_, wrong in outcome.seen)


def _same_way(one: Any, other: Any) -> bool:
    """Both passed; or both failed on equal values, or with the same words and numbers."""
    if not one.message or not other.message:
        return one.message == other.message
    if len(one.seen) != len(other.seen):
        return False
    for (value, rtol, atol, _), (known, *_) in zip(one.seen, other.seen, strict=True):
        if difference(value, known, 10 * rtol, 10 * atol, dtype=False) is not None:
            return False
    by_value = any(wrong for *_, wrong in one.seen)
    return by_value or _alike(one, other)


def _alike(one: Any, other: Any) -> bool:
    """The same words, and numbers that are equal; memory is measured to a quarter only."""
    if NUMBER.sub("#", one.message) != NUMBER.sub("#", other.message):
        return False
    slack = 0.25 if one.kind == "memory" else 0.02
    pairs = zip(NUMBER.findall(one.message), NUMBER.findall(other.message), strict=True)
    return all(a == b or abs(float(a) - float(b)) <= slack * abs(float(b)) for a, b in pairs)


def _is_single(value: Any) -> bool:
    """Whether there are single-precision numbers in nested data."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return any(map(_is_single, value))
    return str(getattr(value, "dtype", "")).removeprefix("torch.") in ("float32", "float16")
