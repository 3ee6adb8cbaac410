"""The candidate's exceptions, rebuilt here from their names alone."""

import builtins
import keyword

import numpy as np

from viva_examiner.sandbox.errors import CandidateError, NotData
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


def rebuild(note) -> Exception:
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
    error.trace = clean(note.get("trace"), 8000)
    return error


def _subclass(name: str, names: list[str]) -> type[Exception]:
    """A CandidateError of that name, which is also the first known class it derives from."""
    if not name.isidentifier() or keyword.iskeyword(name):
        name = "CandidateError"
    for base in names[1:]:
        if base in KNOWN and base not in ("Exception", "BaseException"):
            return type(name, (CandidateError, KNOWN[base]), {})
    return type(name, (CandidateError,), {})
