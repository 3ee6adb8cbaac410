"""What a lesson states, as functions that would notice if it were false.

A claim is a function `(notebook, seed) -> margin` in `viva_course/claims/<homework>/<section>.py`
under the id that stands around its words in the source notebook. It calls the notebook's own
experiments and says how far from false the sentence is: above 0 it is true, below 0 it is not.
"""

import functools
import importlib
import math
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from viva_course.faults import StaffFault

ROOM = Path(__file__).parent / "claims"
SEEDS = 10
TIMES_SURER = 2  # a time or a memory must exceed what is stated by this factor
CLAIMS: dict[str, dict[str, "Claim"]] = {}  # homework -> name -> claim, in order of declaration
Margin = float | tuple[float, ...]


@dataclass(frozen=True)
class Claim:
    """One sentence of a lesson, and what would notice if it were false."""

    name: str
    kind: str  # observation, cause, ratio or literature
    homework: str
    section: str
    measure: Callable[..., Margin] | None  # None for the literature: nothing runs
    seeds: int = SEEDS
    titles: tuple[str, ...] = ()  # of figures, word by word; {} for what is measured
    control: str = ""  # of a cause: the experiment without it
    stated: float = 1.0  # of a ratio: the factor that the text states
    variants: tuple[str, ...] = ()  # exercises of which another right solution is tried as well
    source: str = ""  # of the literature: authors and year
    place: str = ""  # and the section, figure or table
    quotes: tuple[str, ...] = ()  # the source's own words, where the text quotes them

    def margin(self, notebook: object, seed: int) -> float:
        """How far from false the sentence is with this seed; -inf where the function raises.

        notebook: its names as attributes
        """
        _start_all_generators(seed)
        try:
            found = self.measure(notebook, seed)
        except AssertionError:
            return -math.inf
        if self.kind == "cause" and not (isinstance(found, tuple) and len(found) == 2):
            raise StaffFault(f"{self.name}: a cause needs a control: return two margins, of the "
                             f"effect and of its absence in {self.control}")
        parts = found if isinstance(found, tuple) else (found,)
        if self.kind == "ratio":
            parts = tuple(above(part, TIMES_SURER * self.stated) for part in parts)
        numbers = [float(part) for part in parts]
        return -math.inf if any(map(math.isnan, numbers)) else min(numbers)


def claim(title: str | tuple[str, ...] = (), seeds: int = SEEDS,
          variants: tuple[str, ...] = ()) -> Callable:
    """Declare an observation: what is seen, and nothing about why.

    title: of the figure that states it, or several; {} stands for a measured value
    seeds: how many it is tried with; 1 where nothing is random
    variants: exercises whose accepted variant must show the same, where rounding could matter
    """
    return _declare("observation", titles=_several(title), seeds=seeds, variants=variants)


def cause(control: str, title: str | tuple[str, ...] = (), seeds: int = SEEDS,
          variants: tuple[str, ...] = ()) -> Callable:
    """Declare a cause. The function returns two margins: of the effect, and of its absence in the
    control, the same experiment without the cause."""
    return _declare("cause", control=control, titles=_several(title), seeds=seeds,
                    variants=variants)


def ratio(stated: float, title: str | tuple[str, ...] = (),
          variants: tuple[str, ...] = ()) -> Callable:
    """Declare a claim about time or memory. The function returns the factor, measured in one run;
    it must be twice the stated one, so that a busy machine does not refute it."""
    return _declare("ratio", stated=stated, titles=_several(title), seeds=1, variants=variants)


def literature(source: str, place: str, quotes: str | tuple[str, ...] = ()) -> Callable:
    """Declare what a publication says, and where in it. The function only has a docstring."""
    return _declare("literature", source=source, place=place, quotes=_several(quotes), seeds=0)


def _several(words: str | tuple[str, ...]) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words)


def _declare(kind: str, **about: object) -> Callable:
    def declare(function: Callable) -> Callable:
        _, _, homework, section = function.__module__.split(".")
        others = CLAIMS.setdefault(homework, {})
        name = function.__name__
        if name in others and others[name].section != section:
            raise StaffFault(f"{homework} has two claims named {name}: in {others[name].section} "
                             f"and in {section}; rename one of them")
        measure = None if kind == "literature" else function
        others[name] = Claim(name, kind, homework, section, measure, **about)
        return function

    return declare


def claims_of(homework: str) -> dict[str, Claim] | None:
    """The claims of a homework by name; None if it has no package `claims/<homework>` yet."""
    if not (ROOM / homework / "__init__.py").is_file():
        return None
    for module in pkgutil.iter_modules([str(ROOM / homework)]):
        importlib.import_module(f"viva_course.claims.{homework}.{module.name}")
    return CLAIMS.get(homework, {})


# ---- margins: how far a number is from what would make the sentence false

def above(value: float, bound: float) -> float:
    """Of "more than bound": by which part of the bound it is exceeded."""
    return (value - bound) / (abs(bound) or 1.0)


def below(value: float, bound: float) -> float:
    """Of "less than bound"."""
    return -above(value, bound)


def near(value: float, stated: float, within: float) -> float:
    """Of "about stated": 1 if it is just that, 0 if it is off by `within`."""
    return 1 - abs(value - stated) / within


def between(value: float, low: float, high: float) -> float:
    """Of "from low to high": 1 in the middle, 0 at both ends."""
    return near(value, (low + high) / 2, (high - low) / 2)


def holds(condition: object) -> float:
    """Of a statement without a number."""
    return 1.0 if condition else -1.0


@functools.cache
def _generators() -> list[Callable[[int], object]]:
    import numpy as np
    import torch

    return [np.random.seed, torch.manual_seed]


def _start_all_generators(seed: int) -> None:
    """What an experiment draws without a generator of its own depends on the seed as well."""
    for start in _generators():
        start(seed)
