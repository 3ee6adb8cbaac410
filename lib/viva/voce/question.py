"""A question: what was changed, what was run and what came of it. Its words follow from that.

So a question that comes from a stranger's process brings results, and not one word of its own.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Question:
    """One question, plain enough to travel as JSON.

    results: what the runs gave, as it is printed. which: of each option; way: one value after the
        other; input: of each call without and with the change; memory: megabytes at N, 2 N, 4 N
    """

    kind: str
    function: str
    call: str  # the code that is run
    code: str  # what the student wrote, as it is shown
    options: tuple[str, ...]
    answer: int  # the place of the right option
    line: int = 0  # the line it is about; 0: all of it
    was: str = ""  # what the call returned before the change
    results: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()  # the code behind each option, to run it again
    variable: str = ""  # on the way: the local that is asked about
    times: int = 0  # on the way: after how many passes, 0: its shape is asked; memory: first N

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def back(cls, row: dict[str, Any]) -> "Question":
        """A question of our own that has been JSON."""
        return cls(**row | {name: tuple(row[name]) for name in ("options", "programs", "results")})

    @property
    def words(self) -> str:
        """The question itself."""
        return WORDS[self.kind](self)

    @property
    def why(self) -> str:
        """What the runs showed."""
        return WHYS[self.kind](self)

    @property
    def right(self) -> str:
        return self.options[self.answer]

    @property
    def asked(self) -> str:
        """What returns something: a call, or the last of a probe's lines."""
        return "The last line" if "\n" in self.call else "This call"

    def changed(self, program: str) -> str:
        """The line as it is in a changed program."""
        return program.splitlines()[self.line - 1].strip()


def _now(question: Question) -> str:
    return (f"Line {question.line} is changed to\n\n"
            f"    {question.changed(question.programs[question.answer])}\n\n{_what_now(question)}")


def _swap(question: Question) -> str:
    return f"Lines {question.line} and {question.line + 1} change places.\n{_what_now(question)}"


def _what_now(question: Question) -> str:
    return f"{question.asked} returned {question.was}. What does it return now?"


def _which(question: Question) -> str:
    return (f"One line was changed. {question.asked} returned {question.was}; now it returns "
            f"{question.results[question.answer]}. Which change was it?")


def _predict(question: Question) -> str:
    return f"What does {question.asked.lower()} return?"


def _way(question: Question) -> str:
    if not question.times:
        return (f"During this call, what is the shape of `{question.variable}` after line "
                f"{question.line}?")
    return (f"During this call, what is `{question.variable}` after line {question.line} has been "
            f"executed for the {_ordinal(question.times)} time?")


def _input(question: Question) -> str:
    after = question.changed(question.programs[0])
    return (f"Line {question.line} is changed to\n\n    {after}\n\n"
            "Which of these calls now returns something else?")


def _memory(question: Question) -> str:
    return (f"N is {question.times} in this call, and then {2 * question.times}. What happens to "
            "the memory that the call needs at its peak, its arguments not counted?")


def _shown_by_change(question: Question) -> str:
    return f"with the change the call returned {question.right}, without it {question.was}"


def _shown_by_which(question: Question) -> str:
    return "; ".join(f"{option.partition(':')[0]} gives {result}" for option, result
                     in zip(question.options, question.results, strict=True))


def _shown_on_the_way(question: Question) -> str:
    if question.times:
        return f"its values there were {', '.join(question.results)}"
    return f"its shape there was {question.right}"


def _shown_by_inputs(question: Question) -> str:
    return "; ".join(f"{call} returned {was}, and {became} with the change" for call, was, became
                     in zip(question.options, question.results[::2], question.results[1::2],
                            strict=True))


def _shown_by_memory(question: Question) -> str:
    return "measured: " + ", ".join(f"{megabytes} MB with N = {question.times * factor}"
                                    for megabytes, factor
                                    in zip(question.results, (1, 2, 4), strict=True))


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth"}.get(number, f"{number}th")


WORDS: dict[str, Callable[[Question], str]] = {
    "now": _now, "swap": _swap, "which": _which, "predict": _predict, "memory": _memory,
    "way": _way, "input": _input}
WHYS: dict[str, Callable[[Question], str]] = {
    "now": _shown_by_change, "swap": _shown_by_change, "which": _shown_by_which,
    "predict": lambda question: f"the call returned {question.right}",
    "memory": _shown_by_memory, "way": _shown_on_the_way, "input": _shown_by_inputs}
KINDS = tuple(WORDS)  # in the order in which they are chosen
