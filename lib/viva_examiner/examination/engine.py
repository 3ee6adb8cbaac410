"""The one entrance to grading: an engine grades one work after another.

It serves workers, the trial of a release, nbgrader's own step, `viva adopt` and Gradescope.
"""

import importlib
from collections.abc import Iterable

from nbformat import NotebookNode

from viva_examiner.examination.dependencies import kit_digest, libraries
from viva_examiner.examination.grade import grade, grade_restored
from viva_examiner.examination.judges import Judges, modules_of
from viva_examiner.examination.memory import bounded_memory
from viva_examiner.examination.orders import settled
from viva_examiner.examination.seed import hand_over
from viva_examiner.files import digest
from viva_examiner.notebook.released import Released
from viva_examiner.records import NOT_GRADED, Graded, Order, Work
from viva_examiner.sandbox.interpreter import WarmInterpreter


class Engine:
    """Grades what is handed in. Between two works it keeps a warm interpreter.

    Use it in a `with`, or close it.
    """

    def __init__(self, order: Order):
        """Raises CannotIsolate, and what is wrong with an exam of the course."""
        self.order = settled(order)
        self._warm: WarmInterpreter | None = None
        self.homeworks: list[str] = []
        hand_over(order.secret)
        self.serve(map(Released.from_json, order.released))

    def serve(self, released: Iterable[Released]) -> None:
        """From now on, grade works of these notebooks."""
        before, self.released = self.homeworks, {each.notebook: each for each in released}
        self.homeworks = sorted({each.homework for each in self.released.values()})
        if self.homeworks != before:  # what is loaded and kept is of one homework
            self.close()
        if self.order.library:
            self._prepare(self.order.library)

    def _prepare(self, name: str) -> None:
        """Import the exams: what is wrong with one is reported before any mark is given."""
        library = importlib.import_module(name)
        for homework in self.homeworks:
            library.exercises(homework)

    def start(self) -> WarmInterpreter:
        """The warm interpreter, and the warm process of the judges; started when first needed."""
        if self._warm is None:
            order, released = self.order, self.released.values()
            modules = frozenset({order.library} - {""}).union(*map(modules_of, released))
            answers = order.answers if order.library else ""
            rests_on = digest(libraries(), *map(kit_digest, self.homeworks)) if answers else ""
            judges = Judges(order.preload, order.hide, order.isolation, modules, self.homeworks,
                            released, answers, rests_on, order.witness)  # gets ready meanwhile
            self._warm = WarmInterpreter(order.preload, order.limits, order.hide, order.isolation,
                                         self.homeworks)
            self._warm.judges = judges
        return self._warm

    def grade(self, work: Work) -> Graded:
        """The record of one work; a fault of the engine gets a second try."""
        graded = self._grade(work)
        if graded.status == NOT_GRADED and not graded.seconds:
            self.close()
            graded = self._grade(work)
        return graded

    def _grade(self, work: Work) -> Graded:
        with bounded_memory(self.order.limits.worker_mb):
            return grade(self.start(), self.released[work.notebook], work, self.order.limits)

    def grade_restored(self, notebook: NotebookNode, work: Work) -> Graded:
        """The record of a notebook that is in its released form; `work` has the files beside it."""
        with bounded_memory(self.order.limits.worker_mb):
            return grade_restored(self.start(), self.released[work.notebook], notebook, work,
                                  self.order.limits)

    def close(self) -> None:
        """End the warm interpreter; the next work starts another one."""
        if self._warm is not None:
            self._warm.close()
            self._warm = None

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
