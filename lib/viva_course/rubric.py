"""One declaration per exercise: its questions, known mistakes and accepted variants.

From it come the hidden test, the partial credit, the diagnosis in the public check, the audit, the
class report and the demo's cohort. Nothing of it is written twice.
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from viva import case as cases
from viva import seam, tables
from viva.checking import difference_of, fault
from viva.diagnosis import diagnose, fitting, is_evidence, one_hint, same_failures
from viva.sources import forbidden_routine, reason_against
from viva_course.accounts import account_of_case, account_of_error, noting, public_account
from viva_course.declared import EXERCISES, exercises, right_functions
from viva_course.exam import Exam, reference_error, unmodified
from viva_course.faults import StaffFault, is_certainly_ours, place_of, short
from viva_course.parts import (
    Item,
    ItemLost,
    Mistake,
    Outcome,
    Report,
    Variant,
    altered,
    kind_of,
    named,
    then,
)
from viva_course.records import (
    mistake_outcomes,
    mistake_records,
    records_of_mistakes,
    reference_record,
)
from viva_course.whys import Why, whys_of

__all__ = ["EXERCISES", "Exam", "Exercise", "Item", "Mistake", "Outcome", "Report", "StaffFault",
           "Variant", "altered", "exercises", "failure", "mistake_records", "records_of_mistakes",
           "reference_record", "then", "unmodified"]


@dataclass
class Exercise:
    """An exercise: the one that the table of its homework has under this name.

    Its functions come from the table, the right ones from `viva_course.reference.<homework>`, its
    points from the items.

    expects:   what a right answer is, in a sentence for the student; where an exercise has several
               functions, a sentence for each by its name
    forbidden: library routines that the exercise asks to write; or by their names what to do
               instead
    """

    name: str
    expects: str | dict[str, str]
    forbidden: tuple[str, ...] | dict[str, str] = ()
    survivors: dict[str, str] = field(default_factory=dict)  # generated mistake: why it may pass
    reference: tuple = ()  # the right functions, where they are not in the reference
    items: list[Item] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    variants: list[Variant] = field(default_factory=list)
    memory_factor: float = 1.0  # of the memory that questions give; the audit tries others

    def __post_init__(self):
        frame = sys._getframe(2)
        self.place = f"{short(frame.f_code.co_filename)}, line {frame.f_lineno}"
        entry = tables.find(self.name)
        if entry is None:
            raise StaffFault(f"{self.name} ({self.place}) stands in no table of exercises: add it "
                             "to EXERCISES in viva/cases/<homework>/__init__.py")
        self.homework, self.candidates = entry.homework, entry.functions
        self.reference = self.reference or right_functions(entry)
        EXERCISES[self.name] = self

    @property
    def points(self) -> float:
        return round(sum(item.points for item in self.items), 6)

    @property
    def whys(self) -> tuple[Why, ...]:
        """What staff ask in a conversation, where a machine finds nothing to ask."""
        return whys_of(self.name, self.homework)

    @property
    def asked(self) -> list[cases.Case]:
        """The cases that the exam asks on secret inputs."""
        return [case for case in self.cases if case.exam]

    @property
    def cases(self) -> list[cases.Case]:
        return cases.cases_of(self.name)

    def item(self, points: float, says: str, name: str = "") -> Callable:
        """Declare a function `(exam, *candidates)` as a question; it raises to fail.

        name: of the question, as students see it; the function's own name says it otherwise
        """

        def declare(ask: Callable) -> Callable:
            self.items.append(Item(name or ask.__name__.replace("_", " "), points, says, ask))
            return ask

        return declare

    def unmodified(self, points: float, says: str, name: str = "arguments unchanged") -> None:
        """Declare the question whether all arguments stay as they were."""
        self.items.append(Item(name, points, says, unmodified))

    def values(self, points: float, says: str, only: tuple[str, ...] = (), name: str = "values"):
        """Declare the question whether the exam's cases hold on secret inputs.

        only: names of the cases it consists of; all of them if empty
        """

        def ask(exam, *candidates):
            for case, answer in exam.sitting(candidates):
                if only and case.name not in only:
                    continue
                if isinstance(answer.error, NotImplementedError):
                    raise answer.error
                expected = reference_record(self.name, case.name, exam.secret)
                wrong = fault(case, answer, expected)
                if wrong is not None:
                    if exam.calls is not None:
                        pair = answer.error or answer.value, expected.get("value", expected)
                        exam.account = account_of_case(
                            self, case, tuple(map(cases.unwatch, candidates)), exam.secret, pair)
                    raise ItemLost(kind_of_fault(case, answer, expected), f"{case.title}: {wrong}")

        self.items.append(Item(name, points, says, ask, only))

    def mistake(self, slug: str, hint: str, hidden_only: str = ""):
        """Declare a wrong function or class; its name says which candidate it replaces.

        hidden_only: why the public check cannot notice it (memory, long inputs, many seeds)
        """
        if slug in {each.slug for each in self.mistakes}:  # else one hides the other's hint
            raise ValueError(f"{self.name} has two mistakes with the name {slug}")

        def declare(wrong):
            self.mistakes.append(Mistake(slug, hint, self._with(wrong), hidden_only))
            return wrong

        return declare

    def mistakes_of(self, **rows_of: dict[str, tuple]) -> None:
        """Declare wrong functions of one line, in a table for each candidate:

        f={"slug": ("hint", lambda x: ...), "other": ("hint", lambda x: ..., "why hidden only")}
        """
        for candidate, rows in rows_of.items():
            for slug, (hint, wrong, *hidden_only) in rows.items():
                self.mistake(slug, hint, *hidden_only)(named(candidate, wrong))

    def variant(self, name: str):
        """Declare another correct function or class, to be accepted with full marks."""

        def declare(other):
            self.variants.append(Variant(name, self._with(other)))
            return other

        return declare

    def variants_of(self, **rows_of: dict[str, Callable]) -> None:
        """Declare correct functions of one line: f={"name": lambda x: ...}."""
        for candidate, rows in rows_of.items():
            for name, other in rows.items():
                self.variant(name)(named(candidate, other))

    def _with(self, replacement) -> tuple:
        name = replacement.__name__
        if name not in self.candidates:
            raise ValueError(f"{self.name}: {name} is not one of {', '.join(self.candidates)}")
        pairs = zip(self.candidates, self.reference, strict=True)
        return tuple(replacement if each == name else original for each, original in pairs)

    def examine(self, candidates: tuple, secret: str) -> Report:
        """Ask every question; each item is judged alone, whatever became of the others."""
        self._refuse_slips(len(candidates))
        if routine := forbidden_routine(candidates, self.forbidden):
            return self._uses(routine)
        sittings: dict[str, cases.Answer] = {}
        watch = watched_by_the_examiner(candidates)
        watch([name.rsplit(".", 1)[-1] for name in self.forbidden])
        outcomes = tuple(self._ask(item, candidates, secret, sittings) for item in self.items)
        if used := watch(()):
            return self._uses(next(name for name in self.forbidden
                                   if name.rsplit(".", 1)[-1] == used))
        slugs = []
        if not all(outcome.passed for outcome in outcomes):
            slugs = self._recognise(sittings, outcomes, secret)
        hints = dict.fromkeys(m.hint for slug in slugs for m in self.mistakes if m.slug == slug)
        return Report(self.name, self.homework, outcomes, slugs[0] if slugs else "",
                      " ".join(hints), **public_account(self.name, candidates))

    def prepare(self, secret: str) -> None:
        """Compute what every wrong answer is compared with. Forks of this process then have it."""
        mistake_records(self.name, secret)

    def _uses(self, routine: str) -> Report:
        """The report of a solution that leaves the work to a library: no item counts."""
        message = f"uses {routine}; expected: {reason_against(routine, self.forbidden)}"
        lost = tuple(Outcome(item.name, item.points, 0.0, message, "forbidden")
                     for item in self.items)
        return Report(self.name, self.homework, lost)

    def _refuse_slips(self, given: int) -> None:
        """Raises StaffFault where no mark could be fair."""
        if given != len(self.candidates):
            raise StaffFault(f"{self.name} is examined with {given} functions; it needs "
                             f"{', '.join(self.candidates)}")

    def _ask(self, item: Item, candidates, secret, sittings) -> Outcome:
        """What comes of one question. What goes wrong in our own code is no student's fault."""
        exam = Exam(self, item.name, secret, sittings)
        try:
            note = noting(exam.calls)
            item.ask(exam, *(cases.watch(each, name, note) for each, name in
                             zip(candidates, self.candidates, strict=True)))
        except Exception as error:
            if seam.is_engine_error(error):
                raise
            self._refuse_own_fault(item, error, secret)
            message = failure(item, error)
            account = exam.account or account_of_error(self, exam.calls, error)
            return Outcome(item.name, item.points, 0.0, message, kind_of(error),
                           tuple(exam.seen), account=account)
        return Outcome(item.name, item.points, item.points, board=tuple(exam.board))

    def _refuse_own_fault(self, item: Item, error: Exception, secret: str) -> None:
        """Raises StaffFault if the question itself failed, and not the answer to it.

        A question fails by itself if it fails with the reference's answers in the same way, or
        with an exception that no answer explains.
        """
        if isinstance(error, AssertionError | NotImplementedError):
            return
        if not is_certainly_ours(error):
            if reference_error(self.name, item.name, secret) != type(error).__name__:
                return
        place = place_of(error, inspect.unwrap(item.ask).__code__.co_filename)
        raise StaffFault(f"the question {item.name!r} of {self.name} fails by itself ({place}): "
                         f"{type(error).__name__}: {error}") from error

    def _recognise(self, sittings: dict, outcomes: tuple, secret: str) -> list[str]:
        """The known mistakes behind the answers or, if no case shows one, behind the failures."""
        if len(sittings) < len(self.asked):
            return []  # no item asked the cases
        answers = [sittings[case.name] for case in self.asked]
        evident = any(map(is_evidence, outcomes))
        if not evident and all(answer.error is not None for answer in answers):
            return []  # only a value proves a mistake
        expected = {c.name: reference_record(self.name, c.name, secret) for c in self.asked}
        known = mistake_records(self.name, secret)
        if slugs := diagnose(self.asked, answers, expected, known):
            return slugs
        if not evident:
            return []
        asked = list(zip(self.asked, answers, strict=True))
        slug = one_hint([
            slug for slug in fitting(asked, expected, known, proven=False)
            if same_failures(outcomes, mistake_outcomes(self.name, slug, secret))
        ], known)
        return [slug] if slug else []


def kind_of_fault(case: cases.Case, answer: cases.Answer, expected: dict) -> str:
    """In one word what is wrong with an answer that has a fault."""
    if answer.error is not None:
        return "error"
    return "raised" if "raised" in expected else difference_of(case, answer, expected).kind


def watched_by_the_examiner(candidates):
    """A function that takes routines to look out for, and says which one ran since its last call.

    In a sandbox the examiner sees what runs; elsewhere only the text of the cell is read.
    """
    found = (seam.routine_watch(each) for each in candidates)
    return next(filter(None, found), lambda words: "")


def failure(item: Item, error: Exception) -> str:
    """The sentence of a failed item: what it asks for, then what happened."""
    if isinstance(error, NotImplementedError):
        return f"{item.says} (not written yet)"
    happened = str(error).strip() if isinstance(error, AssertionError) else (
        f"raised {type(error).__name__}: {str(error).strip()[:200]}")
    return f"{item.says} ({happened})" if happened else item.says
