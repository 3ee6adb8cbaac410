"""Probes: a few lines of the staff that use a function or class, with holes for small numbers.

    probe("RidgeAttentionState", '''
    state = RidgeAttentionState(2, 1, 1.0)
    state.update(np.array([{a}, {b}]), np.array([{c}]))
    state.query(np.array([1, {d:+}]))
    ''')

The last line is an expression: what is asked about is its value. `{a}` is a whole number from -2 to
3, `{a:+}` a positive one, `{a:2|4|8}` one of these. A probe is about every function or class of its
exercise that it names. Probes are public; those of a homework stand in `viva.probes.<homework>`,
and are loaded when somebody asks.

    growth("stable_softmax", "stable_softmax(np.ones((N, N)))")

is a call whose memory is measured while N doubles.
"""

import importlib
import random
import re
import textwrap
from dataclasses import dataclass

from viva import tables

HOLE = re.compile(r"\{([a-z]\w*)(?::([^{}]+))?\}")
ANY, POSITIVE = ("-2", "-1", "0", "1", "2", "3"), ("1", "2", "3", "4")
PROBES: dict[str, list[str]] = {}  # exercise -> its probes
GROWTHS: dict[str, list[tuple[str, int]]] = {}  # exercise -> (call with an N, the smallest N)


@dataclass(frozen=True)
class FilledProbe:
    """A probe with numbers in its holes."""

    lines: str
    others: tuple[str, ...]  # the same with other numbers in one array or one place


def probe(exercise: str, lines: str) -> None:
    """Declare a probe of an exercise."""
    text = textwrap.dedent(lines).strip()
    if text not in PROBES.setdefault(exercise, []):
        PROBES[exercise].append(text)


def growth(exercise: str, call: str, smallest: int = 512) -> None:
    """Declare a call in which N stands for a size; its memory is measured as N doubles twice.

    smallest: the first N, large enough that what the call allocates outweighs everything else
    """
    if (call, smallest) not in GROWTHS.setdefault(exercise, []):
        GROWTHS[exercise].append((call, smallest))


def probes_of(exercise: str, name: str = "") -> list[str]:
    """The probes of an exercise; with a name, those that use this function or class."""
    _load(exercise)
    return [each for each in PROBES.get(exercise, []) if not name or _names(each, name)]


def growths_of(exercise: str, name: str) -> list[tuple[str, int]]:
    """(call, smallest N) for a function of an exercise."""
    _load(exercise)
    return [each for each in GROWTHS.get(exercise, []) if _names(each[0], name)]


def filled(lines: str, seed: str) -> FilledProbe:
    """A probe with numbers in its holes, the same for the same seed."""
    draw = random.Random(seed)
    choices = {match[1]: _choices(match[2]) for match in HOLE.finditer(lines)}
    numbers = {name: draw.choice(each) for name, each in choices.items()}
    others = []
    for group in _groups(lines):
        fresh = {name: draw.choice([each for each in choices[name] if each != numbers[name]]
                                   or list(choices[name])) for name in group}
        others.append(_put(lines, numbers | fresh))
    return FilledProbe(_put(lines, numbers), tuple(others))


def is_filled(call: str, exercise: str) -> bool:
    """Whether some lines are a probe of this exercise with numbers in its holes, or a part of its
    result."""
    return any(re.fullmatch(_pattern(lines), call) for lines in probes_of(exercise))


def _pattern(lines: str) -> str:
    """What matches a probe however it is filled; `[0]` behind it takes a part."""
    parts, at = [], 0
    for match in HOLE.finditer(lines):
        choices = "|".join(map(re.escape, _choices(match[2])))
        parts += [re.escape(lines[at : match.start()]), f"(?:{choices})"]
        at = match.end()
    return "".join([*parts, re.escape(lines[at:]), r"(?:\[\d\])*"])


def _load(exercise: str) -> None:
    homework = tables.entry_of(exercise).homework
    try:
        importlib.import_module(f"viva.probes.{homework}")
    except ModuleNotFoundError as error:
        if error.name not in ("viva.probes", f"viva.probes.{homework}"):
            raise


def _names(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def _choices(spec: str | None) -> tuple[str, ...]:
    return ANY if spec is None else POSITIVE if spec == "+" else tuple(spec.split("|"))


def _put(lines: str, numbers: dict[str, str]) -> str:
    return HOLE.sub(lambda match: numbers[match[1]], lines)


def _groups(lines: str) -> list[list[str]]:
    """The holes of each outermost bracket `[...]`, and those outside of any one by one."""
    found: dict[object, list[str]] = {}
    depth = start = 0
    holes = {match.start(): match[1] for match in HOLE.finditer(lines)}
    for place, sign in enumerate(lines):
        if sign == "[":
            depth, start = depth + 1, start if depth else place
        elif sign == "]":
            depth -= 1
        elif place in holes:
            found.setdefault(start if depth else f"alone {holes[place]}", []).append(holes[place])
    return list(found.values())
