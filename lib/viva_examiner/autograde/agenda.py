"""What is graded next: everybody's marks first, then the cells that no mark depends on."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from viva_examiner.records import NOT_GRADED, Graded, Kind, Remark


@dataclass
class Job:
    """One notebook to grade. work: gives the `Work` as bytes, when a worker takes it."""

    student: str
    homework: str
    notebook: str
    work: Callable[[], bytes]
    tries: int = 0
    rest: bool = False  # its marks are known: only what they left out is run

    def not_graded(self, why: str) -> Graded:
        """Its record if nobody could grade it."""
        return Graded(self.student, self.homework, self.notebook, NOT_GRADED,
                      remarks=(Remark(Kind.ENGINE, why),))


class Agenda:
    """Jobs in the order in which they are wanted. Whoever takes them may add others meanwhile.

    wanted: the students whom somebody is looking at; asked before each job of the second part
    """

    def __init__(self, jobs: Iterable[Job] = (),
                 wanted: Callable[[], Iterable[str]] = tuple) -> None:
        self.first, self.urgent, self.later = deque(jobs), deque[Job](), deque[Job]()
        self.wanted = wanted

    def add_rest(self, job: Job, urgent: bool = False) -> None:
        """A notebook whose marks are known. urgent: a person has to look at it."""
        (self.urgent if urgent else self.later).append(job)

    def again(self, job: Job) -> None:
        """A job that failed, after the others of its part."""
        (self.later if job.rest else self.first).append(job)

    def take(self) -> Job:
        """The next job. Raises IndexError where there is none."""
        if self.first:
            return self.first.popleft()
        wanted = frozenset(self.wanted())
        for part in (self.urgent, self.later):
            for job in part:
                if job.student in wanted:
                    part.remove(job)
                    return job
        return (self.urgent or self.later).popleft()

    def __len__(self) -> int:
        return len(self.first) + len(self.urgent) + len(self.later)

    def __iter__(self) -> Iterator[Job]:
        while self:
            yield self.take()


def agenda_of(jobs: Iterable[Job]) -> Agenda:
    """An agenda as it is, or one of these jobs."""
    return jobs if isinstance(jobs, Agenda) else Agenda(jobs)
