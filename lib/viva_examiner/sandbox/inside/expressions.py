"""sympy's expressions as plain data: a list of symbols, numbers and the classes that join them.

Used on both sides of the sandbox. An expression is put together from sympy's own classes and from
numbers and names, without evaluation: no text is ever parsed, and no power is ever computed.
"""

import re
import sys
from collections.abc import Callable
from typing import Any

from viva import plain

MAX_PARTS = 20_000
MAX_DIGITS = 5_000
RUNS = re.compile(r"""[()\[\]"'`.:;=@\n#]""")  # signs with which a name could do something


def writer(value: object) -> Callable[[Any], dict] | None:
    """How a value of sympy is written; None if it is not."""
    import sympy

    if isinstance(value, sympy.Basic | sympy.MatrixBase):
        return lambda v: {"t": "sympy", "v": _written(v)}
    return None


def _written(value: Any) -> list:
    """The parts in the order in which they can be put together: arguments before what has them."""
    parts, waiting = [], [value]
    while waiting:
        each = waiting.pop()
        below = _arguments(each)
        parts.append(_part(each, len(below)))
        waiting += below
        if len(parts) > MAX_PARTS:
            raise TypeError("too large an expression")
    return parts[::-1]


def _arguments(value: Any) -> list:
    import sympy

    if isinstance(value, sympy.MatrixBase):
        return list(value)
    return [] if value.is_Atom else list(value.args)


def _part(value: Any, count: int) -> list:
    import sympy

    kind = type(value).__name__
    if isinstance(value, sympy.MatrixBase):
        return ["matrix", kind, *value.shape]
    if type(value) is sympy.Symbol:
        return ["symbol", value.name, {k: v for k, v in value._assumptions_orig.items()}]
    if isinstance(value, sympy.Rational):
        return ["rational", hex(value.p), hex(value.q)]
    if type(value) is sympy.Float:
        sign, mantissa, exponent, bits = value._mpf_
        return ["float", hex(mantissa), [sign, exponent, bits], value._prec]
    if isinstance(value, sympy.core.function.AppliedUndef):
        return ["applied", value.func.__name__, count]
    if value.is_Atom:
        for name in ("pi", "E", "I", "oo", "zoo", "nan", "true", "false", "GoldenRatio",
                     "EulerGamma", "Catalan", "EmptySet", "Reals", "Integers", "Complexes"):
            if getattr(sympy, name, None) is value or getattr(sympy.S, name, None) is value:
                return ["constant", name]
        if value is -sympy.oo:
            return ["constant", "-oo"]
    if getattr(sympy, kind, None) is type(value):
        return ["class", kind, count]
    raise TypeError(f"a {kind} of sympy")


def read(note: dict) -> Any:
    """The expression that a note describes."""
    parts = note["v"]
    if not isinstance(parts, list) or len(parts) > MAX_PARTS:
        raise plain.Malformed("too large an expression")
    stack: list = []
    for part in parts:
        stack.append(_made(part, stack))
    (found,) = stack
    return found


def _made(part: list, stack: list) -> Any:
    import sympy

    kind, name, *rest = part
    if kind == "symbol":
        if RUNS.search(str(name)):  # lambdify writes names into a program
            raise plain.Malformed("no name of a symbol")
        assumptions = {str(k): v for k, v in rest[0].items() if v in (True, False, None)}
        return sympy.Symbol(str(name), **assumptions)
    if kind == "rational":
        if len(name) + len(rest[0]) > MAX_DIGITS:
            raise plain.Malformed("too many digits")
        return sympy.Rational(int(name, 16), int(rest[0], 16))
    if kind == "float":
        (sign, exponent, bits), precision = map(int, rest[0]), int(rest[1])
        if len(name) > MAX_DIGITS or abs(exponent) > MAX_DIGITS or not 0 < precision < MAX_DIGITS:
            raise plain.Malformed("too many digits")
        return sympy.Float((sign, int(name, 16), exponent, bits), precision=precision)
    if kind == "constant":
        return -sympy.oo if name == "-oo" else getattr(sympy.S, name, getattr(sympy, name, None))
    if kind == "matrix":
        rows, columns = map(int, rest)
        return _class(name, sympy.MatrixBase)(rows, columns, _taken(stack, rows * columns))
    arguments = _taken(stack, int(rest[0]))
    if kind == "applied" and str(name).isidentifier():
        return sympy.Function(str(name))(*arguments)
    if kind == "class":
        found = _class(name, sympy.Basic)
        computes = issubclass(found, (sympy.Add, sympy.Mul, sympy.Pow, sympy.Rel,
                                      sympy.core.function.Application))
        with sympy.evaluate(not computes):
            return found(*arguments)
    raise plain.Malformed("not a part of an expression")


def _taken(stack: list, count: int) -> list:
    """The last parts of the stack: the arguments, in their order."""
    if not 0 <= count <= len(stack):
        raise plain.Malformed("arguments are missing")
    taken = stack[len(stack) - count:]
    del stack[len(stack) - count:]
    return taken


def _class(name: str, base: type) -> type:
    sympy = sys.modules["sympy"]
    found = getattr(sympy, str(name), None)
    if not (isinstance(found, type) and issubclass(found, base)):
        raise plain.Malformed(f"{str(name)[:40]!r} is no class of sympy's")
    return found
