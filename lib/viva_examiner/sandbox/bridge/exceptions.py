"""The candidate's exceptions, rebuilt here from their names alone."""

import builtins
import keyword

import numpy as np

from viva_examiner.sandbox.errors import CandidateError, NotData
from viva_examiner.sandbox.inside.protocol import ATTRIBUTE_TYPES
from viva_examiner.sandbox.outputs import clean

# classes that take one message and that no machinery of ours reacts to; StopIteration is not among
# them: raised by a call, it would silently end a loop of the hidden test
KNOWN = {
    kind.__name__: kind
    for kind in vars(builtins).values()
    if isinstance(kind, type) and issubclass(kind, Exception)
    and not issubclass(kind, StopIteration | StopAsyncIteration | UnicodeError | ExceptionGroup)
}
KNOWN["LinAlgError"] = np.linalg.LinAlgError


def rebuild(note: object) -> Exception:
    """An exception of ours that stands for the one described."""
    if not isinstance(note, dict):
        return CandidateError("failed without saying how")
    if "cannot_cross" in note:
        return NotData(clean(note["cannot_cross"], 500))
    name, message = clean(note.get("type"), 100), clean(note.get("message"), 4000)
    lines = note.get("mro")
    names = [n for n in lines if type(n) is str] if isinstance(lines, list) else []
    if name in KNOWN and name in names[:1]:
        error = KNOWN[name](message)
    else:
        error = _subclass(name, names)(message)
        _copy_attributes(error, note.get("attributes"))
    vars(error)["trace"] = clean(note.get("trace"), 8000)
    return error


def _copy_attributes(error: Exception, attributes: object) -> None:
    """Attributes of the student's own exception that are data and mean nothing to us."""
    for name, value in attributes.items() if isinstance(attributes, dict) else ():
        if type(name) is str and name.isidentifier() and type(value) in ATTRIBUTE_TYPES and (
                not name.startswith(("_", "viva")) and not hasattr(error, name)):
            setattr(error, name, clean(value, 4000) if type(value) is str else value)


def is_named(error: object, name: str) -> bool:
    """Whether an exception, or its class, is that of the candidate's class of this name."""
    return name in getattr(error, "kinds", ())


def base_among(family: list[str]) -> type[Exception] | None:
    """The exception of Python's own that a class of the candidate derives from, if any."""
    names = [name.removeprefix("builtins:") for name in family if name.startswith("builtins:")]
    return next((KNOWN[name] for name in names if name in KNOWN), None)


def _subclass(name: str, names: list[str]) -> type[Exception]:
    """A CandidateError of that name, which is also the first known class it derives from."""
    if not name.isidentifier() or keyword.iskeyword(name):
        name = "CandidateError"
    for base in names[1:]:
        if base in KNOWN and base not in ("Exception", "BaseException"):
            return type(name, (CandidateError, KNOWN[base]), {"kinds": tuple(names)})
    return type(name, (CandidateError,), {"kinds": tuple(names)})
