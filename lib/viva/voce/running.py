"""Run a piece of code on some arguments: for so many steps at most, and seen line by line."""

import contextlib
import copy
import io
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np

FILE = "<the code in question>"
MAX_STEPS = 3000  # lines that a run may execute; a changed loop need not end
MAX_COPIES = 400  # values of locals that a traced run keeps


class TooLong(BaseException):
    """The code did not end within its steps. Not an Exception: no `except` of the code sees it."""


@dataclass
class Step:
    """The values of a function's locals after one of its lines was executed."""

    line: int
    values: dict[str, Any]


@dataclass
class RunOutcome:
    """What came of a run."""

    value: Any = None
    failed: str = ""  # the name of the exception, if it raised
    times: Counter[int] = field(default_factory=Counter)  # how often each line was executed
    # of each function that was entered once ("after line k" of another one would be ambiguous)
    steps: list[list[Step]] = field(default_factory=list)

    @property
    def lines(self) -> set[int]:
        """The lines that were executed."""
        return set(self.times)


def run(text: str, name: str, globals_: dict[str, Any], use: Callable[[Any], Any],
        traced: bool = False, most: int = MAX_STEPS) -> RunOutcome:
    """Define `name` by the code in `text`, with the names of its notebook, and use it.

    use: is given the function or class, and returns the result; it copies what it passes
    traced: keep the locals after each line
    most: lines that may be executed
    """
    ran, names = RunOutcome(), dict(globals_)
    watcher = _Watcher(ran, traced, globals_.get("__name__"), most)
    before = sys.gettrace()
    with quiet(), _poisoned_memory():
        try:
            exec(compile(text, FILE, "exec"), names)
            sys.settrace(watcher.enter)
            try:
                ran.value = use(names[name])
            finally:
                sys.settrace(before)
        except TooLong:
            ran.failed = "TooLong"
        except Exception as error:
            ran.failed = type(error).__name__
    ran.steps = watcher.of_functions_entered_once()
    return ran


class _Watcher:
    def __init__(self, ran: RunOutcome, traced: bool, notebook: str | None, most: int):
        self.ran, self.traced, self.left = ran, traced, most
        self.notebook = notebook  # whose functions may not run for ever either
        self.copies = 0
        self.last_line: dict[FrameType, int] = {}
        self.steps: dict[FrameType, list[Step]] = {}

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != FILE:
            is_helper = frame.f_globals.get("__name__") == self.notebook
            return self.count if is_helper else None
        if self.traced and not frame.f_code.co_name.startswith("<"):
            self.steps[frame] = []
        return self.step

    def count(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.left -= event == "line"
        if self.left < 0:
            raise TooLong
        return self.count

    def step(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.count(frame, event, argument)
        if event == "line":
            self.ran.times[frame.f_lineno] += 1
        if frame in self.steps and event in ("line", "return"):
            if frame in self.last_line and self.copies < MAX_COPIES:
                self.copies += 1
                self.steps[frame].append(Step(self.last_line[frame], _copies(frame.f_locals)))
            self.last_line[frame] = frame.f_lineno
        return self.step

    def of_functions_entered_once(self) -> list[list[Step]]:
        entered = Counter(frame.f_code for frame in self.steps)
        return [steps for frame, steps in self.steps.items() if entered[frame.f_code] == 1]


def _copies(values: dict[str, Any]) -> dict[str, Any]:
    kept = {}
    for name, value in values.items():
        if isinstance(value, bool | int | float | np.ndarray | np.generic | list | tuple):
            kept[name] = copy.deepcopy(value)
        elif hasattr(value, "detach"):
            kept[name] = value.detach().clone()
    return kept


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What the code prints and warns of is nobody's business here."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), \
            contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _poisoned_memory() -> Iterator[None]:
    """Arrays that are made without values hold NaN: what lay there before is no answer."""
    replaced = [(np, "empty"), (np, "empty_like")]
    if "torch" in sys.modules:
        replaced += [(sys.modules["torch"], "empty"), (sys.modules["torch"], "empty_like")]
    originals = [getattr(module, name) for module, name in replaced]

    def poisoned(make: Callable[..., Any]) -> Callable[..., Any]:
        def made(*args: Any, **kwargs: Any) -> Any:
            array = make(*args, **kwargs)
            if isinstance(array, np.ndarray) and array.dtype.kind in "fc":
                array.fill(np.nan)
            elif isinstance(array, np.ndarray) and array.dtype.kind in "iu":
                array.fill(np.iinfo(array.dtype).max)
            elif hasattr(array, "is_floating_point") and array.is_floating_point():
                array.fill_(float("nan"))
            return array

        return made

    for (module, name), original in zip(replaced, originals, strict=True):
        setattr(module, name, poisoned(original))
    try:
        yield
    finally:
        for (module, name), original in zip(replaced, originals, strict=True):
            setattr(module, name, original)
