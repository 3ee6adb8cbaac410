"""The staff's own mistakes: reported with their place, and never a student's zero."""

import traceback
from pathlib import Path

from viva.case import Watched

LIBRARY = Path(__file__).parent.parent
ROOMS = ("viva_course.exams.", "viva.cases.")
OURS = (NameError, ImportError, SyntaxError)  # what no answer of a student brings about in our code


class StaffFault(ValueError):
    """The course's code failed. Nobody gets a mark from it, neither good nor bad.

    Like every error of the engine it passes through each `except` of the kit and of the exams; the
    examiner shows it as "not graded".
    """

    viva_engine_error = True
    viva_staff_fault = True


def reached_a_candidate(error: BaseException) -> bool:
    """Whether an exception arose while a candidate ran: a function, or a class of another room."""
    return any(frame.f_code is Watched.__call__.__code__
               or frame.f_globals.get("__name__", "").startswith("viva_course.reference.")
               for frame, _ in traceback.walk_tb(error.__traceback__))


def is_certainly_ours(error: Exception) -> bool:
    """Whether an exception arose in the course's code, and is of a kind that no answer explains."""
    if reached_a_candidate(error):
        return False
    *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
    of_module = isinstance(error, AttributeError) and type(error.obj).__name__ == "module"
    return frame.f_globals.get("__name__", "").startswith(ROOMS) and (
        isinstance(error, OURS) or of_module)


def place_of(error: BaseException, home: str = "") -> str:
    """File and line in the exams or cases (or in the file `home`) at which an exception arose."""
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code is Watched.__call__.__code__:
            break
        path = frame.f_code.co_filename
        if path == home or frame.f_globals.get("__name__", "").startswith(ROOMS):
            place = f"{short(path)}, line {line}"
    return place


def short(path: str) -> str:
    """A file of the course as its authors name it."""
    inside = Path(path).is_relative_to(LIBRARY)
    return Path(path).relative_to(LIBRARY).as_posix() if inside else Path(path).name
