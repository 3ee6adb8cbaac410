"""Entries of the ledger in words, a line each: for a terminal, and for a page."""

from viva_examiner.gradebook.by_hand import grader
from viva_examiner.gradebook.ledger import (
    ANSWERED,
    CHANGED,
    MARK,
    PUBLISHED,
    SEEN,
    UNDO,
    Entry,
)
from viva_examiner.harmless import one_line


def in_words(entry: Entry) -> str:
    """One entry: when, who, and what."""
    where = f"{entry.cell}: " if entry.cell else ""
    return f"{entry.at:%Y-%m-%d %H:%M} {one_line(entry.author, 60)}: {where}{_what(entry)}"


def _what(entry: Entry) -> str:
    payload = entry.payload
    if entry.kind == CHANGED:
        return "the text is another one now; the answer waits again"
    if entry.kind == ANSWERED:
        moved = f", {_points(payload['before'])} to {_points(payload['score'])}" if (
            "score" in payload) else ""
        return one_line(f"request {payload['request']} {payload['verdict']}{moved}: "
                        f"{payload['words']}", 400)
    if entry.kind == PUBLISHED:
        return one_line(f"feedback page made; it says “{payload['words']}”", 300)
    if entry.kind == SEEN:
        said = " · ".join(filter(None, (payload.get("why"), payload.get("note"))))
        return one_line(f"has looked: {said}" if said else "has looked", 300)
    if entry.kind not in (MARK, UNDO):
        said = ", ".join(f"{name} {value}" for name, value in payload.items()
                         if value and not isinstance(value, list | dict))  # digests tell nobody
        return one_line(f"{entry.kind}{': ' if said else ''}{said}", 300)
    words = [f"{_points(payload['before']['score'])} to {_points(payload['score'])}"]
    if entry.kind == UNDO:
        words.insert(0, "undone,")
    for name in ("why", "graded_by"):
        if value := payload.get(name):
            words.append(f"({'graded by ' if name == 'graded_by' else ''}{value})")
    if items := payload.get("items"):
        words.append(f"[{sum(bool(item['share']) for item in items)} of {len(items)} items]")
    if payload["comment"] != payload["before"]["comment"]:
        words.append(f"· comment: {payload['comment'] or 'removed'}")
    return one_line(" ".join(words), 400)


def _points(score: float | None) -> str:
    return "no mark" if score is None else f"{score:g}"


def graded_by(entry: Entry) -> str:
    """Who gave a mark and when, for the place beside it."""
    return f"{grader(entry)}, {entry.at:%Y-%m-%d %H:%M}"
