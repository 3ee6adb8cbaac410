"""From the candidate's description of an object to its stand-in, every field checked."""

from typing import TYPE_CHECKING

import numpy as np

from viva import plain
from viva_examiner.sandbox.bridge.proxies import (
    CallableProxy,
    ClassProxy,
    EnumProxy,
    FunctionProxy,
    InstanceProxy,
    Proxy,
)
from viva_examiner.sandbox.bridge.special import stand_in
from viva_examiner.sandbox.inside.protocol import SPECIAL
from viva_examiner.sandbox.outputs import clean

if TYPE_CHECKING:
    from viva_examiner.sandbox.session import Session

KINDS = ("function", "class", "instance")


def make(session: "Session", note: dict) -> Proxy:
    """A proxy from the candidate's description of an object, every field checked."""
    handle, kind = note.get("h"), note.get("kind")
    if type(handle) is not int or kind not in KINDS:
        raise plain.Malformed("not a description of an object")
    checked = {"h": handle, "kind": kind, "name": clean(note.get("name"), 200),
               "type": clean(note.get("type"), 200), "doc": clean(note.get("doc"), 4000) or None,
               "module": clean(note.get("module"), 200), "family": _family(note.get("family")),
               "cls": note.get("cls") if type(note.get("cls")) is int else None,
               "settled": _settled(note.get("settled")),
               "special": _special(note.get("special"))}
    a_class = EnumProxy if checked["type"] == "EnumType" else ClassProxy
    kinds = {"class": a_class, "function": FunctionProxy,
             "instance": stand_in(CallableProxy if note.get("callable") is True else InstanceProxy,
                                  checked["special"])}
    known = session.codec.living.get(handle)
    if known is not None and type(known) is kinds[kind]:
        known.__dict__["_viva_handed_over"] = session.handed_over
        return known  # one object, one stand-in: `is` answers as it would over there
    made = session.codec.living[handle] = kinds[kind](session, checked)
    return made


def _settled(claim: object) -> dict:
    kinds = {"float": float, "int": int, "array": np.ndarray}
    return {name: claim[name] for name, kind in kinds.items()
            if isinstance(claim, dict) and type(claim.get(name)) is kind}


def _special(claim: object) -> frozenset[str]:
    names = claim if isinstance(claim, list) else []
    return SPECIAL & {name for name in names if type(name) is str}


def _family(claim: object) -> list[str]:
    names = claim if isinstance(claim, list) else []
    return [clean(name, 200) for name in names[:20]]
