"""What `regrade_request.json` says: a stranger's file, so bounded and checked."""

from dataclasses import dataclass

from viva.regrade import MAX_BECAUSE, MAX_REQUESTS, REQUEST_NAME, SCHEMA
from viva.unbroken import read_json
from viva_examiner.harmless import one_line

MAX_BYTES = 400_000  # twenty reasons, each sign of them escaped, for a few homeworks
MAX_NAME = 120  # characters of a test's name

__all__ = ["MAX_BYTES", "REQUEST_NAME", "UnreadableRequests", "WrittenRequest", "asked"]


class UnreadableRequests(Exception):
    """A file that cannot be taken. The message is for staff and student."""


@dataclass(frozen=True)
class WrittenRequest:
    """One request as a student wrote it; no reason: it is withdrawn."""

    cell: str
    because: str
    time: str  # as the student's machine has it, for telling two requests apart

    @property
    def is_withdrawn(self) -> bool:
        return not self.because


def asked(data: bytes, homework: str) -> list[WrittenRequest]:
    """The requests about one homework; Unreadable says why there are none to be had."""
    if len(data) > MAX_BYTES:
        raise UnreadableRequests(f"{REQUEST_NAME} has more than {MAX_BYTES // 1000} kB")
    try:
        whole = read_json(data)
        if whole["schema"] != SCHEMA:
            version = one_line(str(whole["schema"]), 40)
            raise UnreadableRequests(f"{REQUEST_NAME} is of another version: {version}")
        found = whole["homeworks"].get(homework, {"requests": {}})["requests"]
        if len(found) > MAX_REQUESTS:
            raise UnreadableRequests(
                f"{REQUEST_NAME} holds {len(found)} requests, and {MAX_REQUESTS} are read")
        return [_one(str(name), each) for name, each in found.items()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableRequests(f"{REQUEST_NAME} is not what `request` writes") from None


def _one(name: str, said: dict) -> WrittenRequest:
    if not name.isprintable() or len(name) > MAX_NAME:
        raise ValueError(name)
    because = "" if said.get("withdrawn") is True else _text(said["because"])
    return WrittenRequest(name, because, one_line(str(said.get("time", "")), 40))


def _text(because: object) -> str:
    """The reason: its lines are kept, nothing in it moves a cursor, and it is no longer than
    allowed."""
    if not isinstance(because, str) or not because.strip():
        raise ValueError("no reason")
    lines = because[:MAX_BECAUSE].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("".join(sign if sign.isprintable() else " " for sign in line)
                     for line in lines).strip() or "(nothing that can be displayed)"
