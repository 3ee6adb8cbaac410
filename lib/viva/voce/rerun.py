"""A question that somebody made is run again: why it must not be asked, if so.

Uses nothing but what the question shows and the names around it, so it also proves that what is
shown is what was run. For the audit, in a process that has not made the question.
"""

from collections.abc import Mapping
from typing import Any

from viva.voce.growing import WORDS, factor_of, peak
from viva.voce.options import text_of
from viva.voce.question import Question
from viva.voce.running import quiet
from viva.voce.subject import Subject, use_of
from viva.voce.way import changed_values


def refusal(question: Question, names: Mapping[str, Any]) -> str:
    """Why a question is wrong, in a few words; "" if it is right.

    names: what the code sees, and its function as it was handed in
    """
    around = dict(names)
    use = use_of(question.function, question.call, around) if question.call else None
    subject = Subject(question.code, question.function, around, question.call,
                      use or (lambda function: None))
    found = {"now": _result, "swap": _result, "predict": _result, "which": _which,
             "way": _way, "input": _input, "memory": _memory}
    return found[question.kind](question, subject)


def _result(question: Question, subject: Subject) -> str:
    """now, swap, predict: each option is what its program returns."""
    before = subject.run()
    if before.failed:
        return f"the call fails: {before.failed}"
    lines = {question.line, question.line + 1} if question.kind == "swap" else {question.line}
    if question.kind != "predict" and not lines <= before.lines:
        return "the changed line was not executed"
    texts = [text_of(subject.run(program).value) for program in question.programs]
    return _unlike(question, texts)


def _which(question: Question, subject: Subject) -> str:
    """Of four changes one gives the stated result; every changed line was executed."""
    before = subject.run()
    rows = subject.text.splitlines()
    changed = {number for program in question.programs
               for number, (one, other) in enumerate(
                   zip(rows, program.splitlines(), strict=True), 1) if one != other}
    if not changed <= before.lines:
        return "the changed line was not executed"
    texts = [text_of(subject.run(program).value) for program in question.programs]
    right = texts[question.answer]
    if right is None or right != question.results[question.answer]:
        return "no option gives the stated result"
    return "two options give the stated result" if texts.count(right) > 1 else ""


def _way(question: Question, subject: Subject) -> str:
    values = changed_values(subject, subject.run(traced=True)).get(
        (question.line, question.variable), [])
    if len(values) < max(question.times, 1):
        return "the line was not executed so often"
    if question.times:
        found = str(text_of(values[question.times - 1]))
    else:
        found = str(tuple(values[0].shape))
    return _unlike(question, [found if place == question.answer else option
                              for place, option in enumerate(question.options)])


def _input(question: Question, subject: Subject) -> str:
    moved = []
    for call in question.options:
        one = Subject(subject.text, subject.name, subject.globals_, call,
                      use_of(subject.name, call, subject.globals_))
        before, after = one.run(), one.run(question.programs[0])
        if before.failed or after.failed:
            return "a call fails"
        if question.line not in before.lines:
            return "the changed line was not executed"
        moved.append(text_of(before.value) != text_of(after.value))
    if sum(moved) != 1:
        return f"{sum(moved)} of the calls return something else"
    return "" if moved[question.answer] else "another call returns something else"


def _memory(question: Question, subject: Subject) -> str:
    peaks = [peak(question.call, subject.globals_ | {"N": size})
             for size in (question.times, 2 * question.times, 4 * question.times)]
    factor = factor_of(peaks)
    if not factor:
        return "its memory grows unevenly"
    return "" if question.options[question.answer] == WORDS[factor] else "it grows otherwise"


def _unlike(question: Question, texts: list[str | None]) -> str:
    """Where the runs do not print the options, or two of them the same."""
    for place, (text, option) in enumerate(zip(texts, question.options, strict=True)):
        if text != option:
            what = "the key" if place == question.answer else "an option"
            return f"{what} is {text} now, and was {option}"
    return "two options are the same" if len(set(texts)) < len(texts) else ""


def result(call: str, name: str, made: Any, names: Mapping[str, Any]) -> Any:
    """What a call returns with this function or class; the name of the exception if it raises."""
    with quiet():
        try:
            return use_of(name, call, dict(names))(made)
        except Exception as error:
            return type(error).__name__
