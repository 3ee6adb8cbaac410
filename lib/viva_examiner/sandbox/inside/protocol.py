"""The words of both sides of the seam, each in one place.

A message has an operation (`Op`); inside it, what is not plain data is a note of some kind
(`Note`), and what a cell shows is an output (`Shown`). Control messages (`Control`) pass between
the examiner's own processes. Plain strings: they cross as they are, and are compared as they come.
"""

import struct

HEADER = struct.Struct(">I")  # before every frame: the length of its payload
STAFF = ("viva_course", "viva_examiner")  # packages that no candidate has, wherever they are
# Classes of Python whose objects cross as data; `values.DATA` adds those of numpy.
DATA = (list, tuple, dict, set, frozenset, str, int, float, complex, range, slice, bytes, bytearray,
        type(Ellipsis), type(None))
# Methods by which Python's own syntax asks an object; a stand-in has those that its class has.
STEPS = ("__len__", "__iter__", "__next__", "__contains__", "__getitem__", "__setitem__",
         "__delitem__", "__bool__", "__float__", "__int__", "__index__", "__enter__", "__exit__",
         "__reversed__", "__round__", "__format__", "__hash__")
ARITHMETIC = tuple("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split())
ORDER, UNARY = ("lt", "le", "gt", "ge"), ("neg", "pos", "abs", "invert")
SPECIAL = frozenset((*STEPS, *(f"__{how}{name}__" for name in ARITHMETIC for how in ("", "r", "i")),
                     *(f"__{name}__" for name in (*ORDER, *UNARY)), "__eq__", "__ne__", "__repr__",
                     "__str__"))
OF_A_TEST = "raised by a function of the test"  # all that a candidate learns of such an exception
ATTRIBUTE_TYPES = (bool, int, float, str, type(None))  # of what crosses with an exception


class Op:
    """What a message between examiner and candidate is about."""

    # of the examiner: operations, each with a method `do_…` of the candidate's agent
    START = "start"
    APPEND = "append"
    FILES = "files"
    READ = "read"
    CELL = "cell"
    RESOLVE = "resolve"
    CALL = "call"
    GRADIENTS_OF = "gradients_of"
    ANSWER = "answer"
    # of the candidate
    OUTPUT = "output"
    CALLBACK = "callback"
    DONE = "done"
    ERROR = "error"
    # of both: a step back through a function of the other side
    GRADIENT = "gradient"


class Note:
    """What stands in a message for something that is not plain data."""

    REF = "ref"  # an object of the candidate's that the examiner knows by its handle
    GLOBAL = "global"  # a library's class or function, by name
    GENERATOR = "rng"  # a random generator and its state
    PICKLE = "pickle"  # the examiner's word only
    FUNCTION = "fn"  # a function of the examiner's
    OURS = "yours"  # the same on its way back
    OBJECT = "obj"  # a new object of the candidate's
    MODULE = "module"
    PARAMETER = "param"
    GRAPH = "graph"  # a tensor with a graph behind it, on the sender's side
    LEAF = "leaf"  # a tensor whose gradient the sender wants
    TUPLE = "tuple"  # a named one
    VALUE = "value"  # of a type that `values` knows


class Shown:
    """What a cell shows."""

    STREAM = "stream"
    DISPLAY = "display"
    UPDATE = "update"
    RESULT = "result"
    ERROR = "error"
    CLEAR = "clear"


class Control:
    """What passes between coordinator, fork server, worker, judge and warm interpreter."""

    WARM = "warm"  # to the fork server: who shall be born
    WORKER = "worker"
    BORN = "born"
    READY = "ready"  # from whoever prepared a cage
    FAILED = "failed"
    FORK = "fork"
    FORKED = "forked"
    EXITED = "exited"
    FAMILY = "family"  # from a judge to its worker, about the candidate
    SIGNAL = "signal"
    LEFT = "left"
    TIGHTEN = "tighten"
    LOOSEN = "loosen"
    BURY = "bury"
    RECORD = "record"  # the judge's last word
