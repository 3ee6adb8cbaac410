"""Asking the candidate's Python about one of its objects, and what we do with the answer."""

import inspect
import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from viva_examiner.sandbox.errors import CandidateDied, CannotCross, NotData, Undecided
from viva_examiner.sandbox.inside.mutation import can_change
from viva_examiner.sandbox.inside.protocol import STAFF
from viva_examiner.sandbox.outputs import clean

if TYPE_CHECKING:
    from viva_examiner.sandbox.bridge.proxies import Proxy
    from viva_examiner.sandbox.session import Session

# classes of the interpreter by the names they have, as `isinstance` of a test may ask for them
TYPES = {kind.__qualname__: kind for kind in (
    *(each for each in vars(types).values() if isinstance(each, type)), map, filter, zip, enumerate,
    reversed, property, staticmethod, classmethod, super, type({}.keys()), type({}.values()),
    type({}.items()), type(iter([])), type(iter(())), type(iter({})), type(iter(set())))}
NEVER_OBJECTS = (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset,
                 range, slice, np.ndarray, np.generic, BaseException, type)
CHANGED = "the student's code changes an argument in place"
STATE = "the student's code changes the state of its process"
COPIED = "the test hands over an object of which the student's code has a copy"
ONE_BY_ONE = "the student's code yields values that it may change later"
WATCHED = "the test hands over an object that watches what is done to it"


@dataclass(frozen=True)
class Global:
    """A function of a module inside the candidate, by name."""

    module: str
    name: str


def handle_of(value: "Proxy", session: "Session | None" = None) -> int:
    """The handle; refuses a proxy that belongs to another candidate."""
    owner, note = value._viva
    if session is not None and owner is not session:
        if owner.dead is not None:
            raise CandidateDied(owner.dead, owner.died_of)
        raise CannotCross("an object of one candidate cannot be given to another")
    return note["h"]


def ask(who: "Proxy", module: str, name: str, *args: object) -> Any:
    """Apply a function of the candidate's own Python to a proxy: what a student's method does to
    its arguments, and to what it was given before, is noticed as in a call.
    """
    owner = who._viva[0]
    if not owner.kept.on:
        return owner.call_global(module, name, args)
    owner.kept.let_go()
    try:
        reply = owner.call(Global(module, name), args, {}, watch=True)
    except Exception:
        if any(map(can_change, args)):
            owner.unseen.add(CHANGED)
        raise
    if reply.get("state") is True:
        owner.unseen.add(STATE)
    if reply.get("lent") is True or reply.get("mutated") is not False:
        owner.unseen.add(CHANGED)
    owner.kept.add(*args, reply.get("value"))
    return reply.get("value")


def call(target: "Proxy", args: Sequence, kwargs: Mapping[str, Any]) -> Any:
    """Call the object; remember whether it changed its arguments."""
    owner = target._viva[0]
    owner.handed_over += bool(args or kwargs)
    owner.kept.let_go()
    try:
        reply = owner.call(target, args, kwargs, watch=True)
    except Exception:
        if any(map(can_change, (*args, *kwargs.values()))):  # before it failed; nobody knows
            owner.unseen.add(CHANGED)
        raise
    target.__dict__["__viva_mutated__"] = reply.get("mutated") is True
    value, after = reply.get("value"), reply.get("after")
    if type(value) is str and value.isidentifier():
        value = sys.intern(value)  # as in one kernel, where `is` may be asked
    if owner.after_call is not None:
        owner.after_call()
    if reply.get("state") is True:
        owner.unseen.add(STATE)
    if reply.get("lent") is True or "mutated" not in reply or (
            reply.get("mutated") is True and not isinstance(after, dict)):
        owner.unseen.add(CHANGED)
    if isinstance(after, dict):
        for key, new in after.items():
            if value is not None and not owner.may_change(target, key):
                owner.unseen.add(CHANGED)
                continue
            if isinstance(key, int) and 0 <= key < len(args):
                done = write_back(args[key], new)
            else:
                done = isinstance(key, str) and key in kwargs and write_back(kwargs[key], new)
            if not done:
                owner.unseen.add(CHANGED)
    owner.kept.add(*args, *kwargs.values(), value)
    return value


def write_back(old: Any, new: Any) -> bool:
    """Show the caller what an in-place function did; only into the same kind of thing.

    Whether it could be shown.
    """
    torch = sys.modules.get("torch")
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
        if old.shape == new.shape and old.dtype == new.dtype and old.flags.writeable:
            old[...] = new
            return True
    elif torch is not None and isinstance(old, torch.Tensor) and isinstance(new, torch.Tensor):
        if old.shape == new.shape and old.dtype == new.dtype:
            with torch.no_grad():
                old.copy_(new)
            return True
    elif type(old) is list and type(new) is list:
        old[:] = new
        return True
    elif type(old) in (dict, set) and type(new) is type(old):
        old.clear()
        old.update(new)
        return True
    return False


def judges(who: "Proxy") -> bool:
    """Whether the hidden test that runs now knows the class of this object by name."""
    session, note = who._viva
    return note["kind"] == "instance" and note["cls"] in session.codec.named


def check_judge(who: "Proxy", name: str) -> None:
    if not judges(who):
        raise NotData(f"a {who._viva[1]['type']} of the candidate was used in {name}; the test "
                      "expected plain data")


def settled(who: "Proxy", name: str) -> Any:
    """The "float", "int" or "array" that an object gave up when it crossed; None if it is live.

    An object of a class that the test knows by name has a life of its own.
    """
    return None if judges(who) else who._viva[1]["settled"].get(name)


def check_settled(who: "Proxy") -> None:
    """Raises Undecided for a container of the student's own making that could have learned, from a
    later call of the test, what it should hold.
    """
    session, note = who._viva
    own = note["family"][:1] == [""] and not judges(who) and not who.__dict__.get("_viva_made")
    if own and who.__dict__["_viva_handed_over"] != session.handed_over:
        raise Undecided(f"the test looks into a {note['type']} of the candidate after it has sent "
                        "the candidate more; what it holds now proves nothing")


def given_up(who: "Proxy", other: object, name: str) -> Any:
    """The data that an object gives up where it meets a number or an array of the test.

    Raises Undecided where it gives up none: then a person has to look.
    """
    try:
        if isinstance(other, np.ndarray):
            data = settled(who, "array")
            data = ask(who, "numpy", "asarray", who) if data is None else data
            if isinstance(data, np.ndarray) and data.dtype.kind in "biufc":
                return data
        elif isinstance(other, int | float | complex | np.generic):
            value = settled(who, "float")
            return number(ask(who, "builtins", "float", who) if value is None else value)
    except (NotData, TypeError, ValueError):
        pass
    raise Undecided(f"the test uses {name} between a {who._viva[1]['type']} of the candidate and "
                    f"its own {type(other).__name__}; what the object says proves nothing")


def known_base(who: "Proxy") -> type | None:
    """The library class that the object's class is or derives from, if it is one we know.

    Only one that is imported here already, and none of those whose objects cross as data: what
    claims to be a number would have come as a number.
    """
    return next(filter(None, map(_library_class, who._viva[1]["family"])), None)


def type_of(value: Any) -> Any:
    """`type(value)`, and for an object of the candidate its class there."""
    if "_viva" not in getattr(value, "__dict__", ()):
        return type(value)
    note = value._viva[1]
    if note["kind"] == "instance":
        exact = _library_class(note["family"][0]) if note["family"] else None
        return exact or ask(value, "builtins", "type", value)
    return value.__class__


def _library_class(name: str) -> type | None:
    module, _, path = name.partition(":")
    found: Any = sys.modules.get(module)
    if module == "builtins":
        found = TYPES.get(path)
    else:
        for part in path.split("."):
            found = getattr(found, part, None)
    is_class = isinstance(found, type) and not issubclass(found, NEVER_OBJECTS)
    return found if is_class and module.partition(".")[0] not in STAFF else None


def signature_of(function: "Proxy") -> inspect.Signature:
    """The signature that the candidate tells of its function."""
    parameters = ask(function, "viva_examiner.sandbox.inside.objects", "parameters", function)
    found = []
    try:
        for name, kind, has_default, default in parameters:
            kind = inspect._ParameterKind(kind)
            found.append(inspect.Parameter(
                name, kind, default=default if has_default else inspect.Parameter.empty))
        return inspect.Signature(found)
    except (TypeError, ValueError) as error:
        raise NotData(f"no signature: {error}") from None


def number(value: Any) -> Any:
    """A number as plain data, or a refusal."""
    if not isinstance(value, int | float | np.integer | np.floating):
        raise NotData("the candidate's object did not become a number")
    return value


def text_of(value: object) -> str:
    return clean(value, 1 << 16)


