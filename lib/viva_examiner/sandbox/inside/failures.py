"""Exceptions as data: what the candidate tells of its own, what it learns of the examiner's."""

import builtins
import sys
from typing import Any

from viva_examiner.sandbox.inside.protocol import ATTRIBUTE_TYPES, OF_A_TEST

MAX_ATTRIBUTES, MAX_TEXT = 20, 4000  # attributes of one exception, characters of one text


def describe_error(error: BaseException) -> dict:
    """An exception as data: names of its classes, message, and where in the student's cells."""
    places, trace = [], error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith("<ipython-input"):
            number = code.co_filename.split("-")[2]
            places.append(f"cell {number}, line {trace.tb_lineno}, in {code.co_name}")
        trace = trace.tb_next
    try:
        message = str(error)[:MAX_TEXT]
    except BaseException:
        message = ""
    attributes = {name: value[:MAX_TEXT] if type(value) is str else value
                  for name, value in list(vars(error).items())[:MAX_ATTRIBUTES]
                  if type(value) in ATTRIBUTE_TYPES}
    return {"type": type(error).__name__, "message": message, "trace": "\n".join(places[-20:]),
            "mro": [kind.__name__ for kind in type(error).__mro__][:20], "attributes": attributes}


def leave(context: Any, name: str) -> bool:
    """The end of a `with` of the examiner's, after an exception of this name; "" after none."""
    if not name:
        return bool(type(context).__exit__(context, None, None, None))
    kind: Any = getattr(builtins, name, None) or getattr(sys.modules["__main__"], name, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = type(name, (Exception,), {})
    try:
        error = kind("raised by the test")
    except Exception:
        error = kind.__new__(kind)
    return bool(type(context).__exit__(context, kind, error, None))


def exception_named(name: str) -> Exception:
    """What a function of the examiner raised, as far as the student may know."""
    kind = getattr(builtins, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = RuntimeError
    return kind(OF_A_TEST)
