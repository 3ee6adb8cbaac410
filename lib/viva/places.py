"""Where in an answer something is wrong, in the words of the exercise's contract."""

import re
from collections.abc import Iterator
from typing import Any

from viva.examples import Call

RETURNS = re.compile(r"\breturns?\b\s*:?\s*", re.I)
NAME = re.compile(r"\s*`?([A-Za-z_]\w*)")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def place(path: tuple, value: Any, calls: list[Call], contracts: dict[str, str]) -> str:
    """The way to a part of a case's answer: names of results, or which call it was.

    path: (key or index, how many there are) from the answer to the part
    value: the answer; contracts: {function: its docstring}
    """
    words = []
    for key, count in path:
        words.append(_step(key, count, value, calls, contracts))
        value = value[key]
    return ", ".join(words)


def _step(key: object, count: int, value: object, calls: list[Call],
          contracts: dict[str, str]) -> str:
    if not isinstance(key, int):
        return f"{key}"
    for call in calls:
        if call.output is value:
            names = result_names(contracts.get(call.name, ""), count)
            return names[key] if names else f"the {_ordinal(key)} of {count} results"
    if len(calls) == count and not isinstance(value, tuple):
        return f"call {key + 1} of {count}"
    return f"the {_ordinal(key)} of {count}"


def _ordinal(index: int) -> str:
    return ORDINALS[index] if index < len(ORDINALS) else f"{index + 1}th"


def result_names(contract: str, count: int) -> list[str]:
    """The names that a docstring gives to several results: Returns (dW (n, n), db (n,)).

    Empty unless it names just as many.
    """
    for found in RETURNS.finditer(contract):
        rest = contract[found.end() :]
        inner = _inside(rest) if rest.startswith("(") else rest.split("\n")[0].split(";")[0]
        names = [NAME.match(part) for part in _split(inner)]
        if len(names) == count and all(names):
            return [name[1] for name in names if name]
    return []


def _inside(text: str) -> str:
    """What stands between the first parenthesis and the one that closes it."""
    depth = 0
    for end, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            return text[1:end]
    return text[1:]


def _split(text: str) -> Iterator[str]:
    """At the commas that stand in no parenthesis."""
    depth, start = 0, 0
    for end, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            yield text[start:end]
            start = end + 1
    yield text[start:]
