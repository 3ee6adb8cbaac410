"""What is asked about: some code, the names around it, and a call."""

import ast
import copy
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from viva.voce.inputs import Inputs, as_code, is_array, redrawn
from viva.voce.probes import FilledProbe
from viva.voce.running import RunOutcome, run


@dataclass
class Effort:
    """How often code was run, all in all."""

    runs: int = 0


@dataclass(frozen=True)
class Subject:
    """What is asked about: some code, the names around it, and a call.

    make: how the call is written, and what makes it, given the function or class
    """

    text: str
    name: str
    globals_: dict[str, Any]
    call: str
    use: Callable[[Any], Any]
    given: tuple[Any, ...] = ()  # the arguments; the result must be none of them
    others: tuple[Callable[[Any], Any], ...] = ()  # for each array: the call with another one
    effort: Effort = field(default_factory=Effort, compare=False)

    def part(self, place: int) -> "Subject":
        """The same call, of whose result only a part is asked."""
        def of(use: Callable[[Any], Any]) -> Callable[[Any], Any]:
            return lambda function: use(function)[place]

        return replace(self, call=f"{self.call}[{place}]", use=of(self.use),
                       others=tuple(map(of, self.others)))

    def run(self, text: str = "", use: Callable[[Any], Any] | None = None,
            traced: bool = False) -> RunOutcome:
        self.effort.runs += 1
        return run(text or self.text, self.name, self.globals_, use or self.use, traced)


def call_of(name: str, inputs: Inputs, text: str, globals_: dict[str, Any]) -> Subject:
    """The subject "this function, called with these arguments"."""

    def using(some: Inputs) -> Callable[[Any], Any]:
        return lambda function: function(*copy.deepcopy(some.args), **copy.deepcopy(some.kwargs))

    values = [*inputs.args, *inputs.kwargs.values()]
    words = [as_code(value) for value in inputs.args]
    words += [f"{key}={as_code(value)}" for key, value in inputs.kwargs.items()]
    others = tuple(using(redrawn(inputs, place, f"{name} {place}"))
                   for place, value in enumerate(values) if is_array(value))
    return Subject(text, name, globals_, f"{name}({', '.join(words)})", using(inputs),
                   tuple(values), others)


def probe_of(name: str, probe: FilledProbe, text: str, globals_: dict[str, Any]) -> Subject:
    """The subject "these lines of the staff, ending in an expression"."""
    return Subject(text, name, globals_, probe.lines, use_of(name, probe.lines, globals_), (),
                   tuple(use_of(name, other, globals_) for other in probe.others))


def use_of(name: str, lines: str, globals_: dict[str, Any]) -> Callable[[Any], Any]:
    """What runs these lines with a function or class under its name; the value of the last one.

    lines: a probe of the staff, or a call that the generator wrote; never a text of a candidate
    """
    *first, last = ast.parse(lines).body
    if not isinstance(last, ast.Expr):
        raise ValueError("the last line of a probe must be an expression")
    begin = compile(ast.Module(first, []), "<probe>", "exec")
    end = compile(ast.Expression(last.value), "<probe>", "eval")

    def use(made: Any) -> Any:
        names = libraries() | globals_ | {name: made}
        exec(begin, names)
        return eval(end, names)

    return use


def libraries() -> dict[str, Any]:
    """What a probe may use under its usual name, whatever the notebook calls it."""
    torch = sys.modules.get("torch")
    return {"np": np} | ({"torch": torch} if torch else {})
