"""What an autograder on Gradescope needs to know: the file task.json of its zip."""

from dataclasses import dataclass

from viva_examiner.notebook.whose_homework import Profile
from viva_examiner.records import Order
from viva_examiner.travel import Travels


@dataclass(frozen=True)
class Task(Travels):
    """One homework on Gradescope. profiles: what the course's homeworks are known by."""

    order: Order
    homework: str
    visibility: str = "visible"
    profiles: tuple[Profile, ...] = ()
