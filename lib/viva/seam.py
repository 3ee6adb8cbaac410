"""The seam between the kit and the examiner: all that either knows of the other.

In a notebook a candidate is the student's function or class itself. In the examiner it is a proxy
of one in a sandbox, which is callable and also carries:

    __viva_pid__                 the process it runs in
    __viva_limited__             a block in which that process gets only so many MB more
    __viva_kind__                "function", "class" or "instance"
    __viva_source__              its source text, as the notebook has it
    __viva_mutated__             whether its last call changed an argument
    __viva_call_in_candidate__         runs a function of the kit where it runs, with plain data
    __viva_watch_routines__      from now on, tell which of some library routines it calls

An exception with `viva_engine_error` is no answer of a candidate: it passes through every `except`
of the kit and of the exams, and there is no mark. With `viva_staff_fault` it is the course's own
code that failed, and its message says where.

The table of a hidden test's rubric crosses to whoever reads an autograded notebook as RUBRIC_MIME.
"""

from typing import Any

RUBRIC_MIME = "application/vnd.viva.rubric+json"
UNWRITTEN = "unwritten"  # the kind of a rubric's item that was lost because nothing is there yet


def is_remote(candidate: Any) -> bool:
    """Whether a candidate runs in a process of its own, out of reach of the questions."""
    return hasattr(candidate, "__viva_pid__")


def limiter(candidate: Any) -> Any:
    """What limits the memory of a remote candidate's process: (MB) -> a block; None here.

    The block gives False where another process of the candidate's could hold the memory.
    """
    return getattr(candidate, "__viva_limited__", None)


def is_class(candidate: Any) -> bool:
    """Whether a candidate is a class, here or there."""
    return isinstance(candidate, type) or getattr(candidate, "__viva_kind__", "") == "class"


def told_source(candidate: Any) -> str:
    """The source text that a candidate carries with it; empty if it carries none."""
    return getattr(candidate, "__viva_source__", None) or ""


def has_changed_arguments(candidate: Any) -> bool:
    """Whether the last call of a remote candidate changed an argument on its side."""
    return bool(getattr(candidate, "__viva_mutated__", False))


def caller_in_candidate(candidate: Any) -> Any:
    """Runs a function of the kit in a remote candidate: (module, name, args, kwargs)."""
    return getattr(candidate, "__viva_call_in_candidate__", None)


def routine_watch(candidate: Any) -> Any:
    """What lets a remote candidate tell which library routines it calls; None if it cannot."""
    return getattr(candidate, "__viva_watch_routines__", None)


def is_engine_error(error: BaseException) -> bool:
    """Whether an exception says that there can be no mark, rather than what a candidate did."""
    return getattr(error, "viva_engine_error", False) is True


def is_staff_fault(error: BaseException) -> bool:
    """Whether the course's own code failed; the message is a sentence with the place."""
    return getattr(error, "viva_staff_fault", False) is True
