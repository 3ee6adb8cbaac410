"""The submission log: its form, how it is read and how it is written. docs/log.md describes it.

`submission_log.json` lies beside the notebook, or where `move_to` says. It is the log of the
homework that was worked on last; logs of other homeworks in the same folder are kept in it under
"others". It is written under a temporary name first, so that a killed kernel leaves the last valid
log.
"""

import hashlib
import json
from pathlib import Path

from viva.version import __version__
from viva.whole import write_whole

SCHEMA = "viva-log/1"
LOG_NAME = "submission_log.json"
STATUSES = ("passed", "failed", "error", "missing")
# Characters of one exercise's source and outputs: a homework of 15 exercises stays below 400 KB,
# whatever the functions return.
MAX_SOURCE = 8_000
MAX_OUTPUTS = 16_000
MAX_ENTRY = 32_000  # of all an entry says, with the names of its cases
TOO_LARGE = {"d": [["raised", "TooLarge"]]}  # stands for an output that does not fit
MAX_EXERCISES, MAX_CASES, MAX_WORD = 200, 200, 200
MAX_TURNS = 20  # of an entry: its first check, and the newest times that the outcome was another
WORDS, TEXTS = ("homework", "student", "kit"), ("time", "source", "digest")  # of a log, of an entry
TRIED, MAX_TRIES = ("failed", "defended"), 9999  # what is counted, and how far
SAID = ("status", "time", "source", "outputs")  # what an entry's digest covers
UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)

# no entry holds itself, and to look for that costs a fifth of the time
_place = {"folder": Path()}  # where the log lies; Path() is wherever the notebook runs
_sorted_json = json.JSONEncoder(sort_keys=True, check_circular=False).encode


def path() -> Path:
    """The log's file."""
    return _place["folder"] / LOG_NAME


def move_to(folder: Path) -> None:
    """From now on the log lies in this folder; what was logged so far goes along.

    Where both places have an entry of one student's exercise, the later one counts.
    """
    brought = stored_logs()
    _place["folder"] = folder
    for homework, log in brought.items():
        there = stored_logs().get(homework, log | {"exercises": {}})
        newer = {name: entry for name, entry in log["exercises"].items()
                 if _time(entry) > _time(there["exercises"].get(name, {}))}
        if newer and there.get("student") == log.get("student"):
            write(there | {"exercises": there["exercises"] | newer})


def _time(entry: dict) -> str:
    """When an entry was made; its form sorts as text."""
    return str(entry.get("time", ""))


def digest(log: dict, exercise: str, entry: dict) -> str:
    """Of everything an entry says and whose it is. It notices an edit; it is not a signature."""
    return hashlib.sha256(said(log, exercise, entry).encode()).hexdigest()


def said(log: dict, exercise: str, entry: dict) -> str:
    """Everything an entry says and whose it is, as JSON with sorted keys."""
    parts = [log["schema"], log["homework"], log["student"], exercise]
    turns = [entry["turns"]] if "turns" in entry else []  # an older kit wrote none
    return _sorted_json(parts + [entry[name] for name in SAID] + turns)


def turns(entry: dict) -> list[list[str]]:
    """[[time, status]] of an entry's first check and of each that ended otherwise than before."""
    return entry.get("turns") or [[entry["time"], entry["status"]]]


def turned(before: dict, time: str, status: str) -> list[list[str]]:
    """The turns of a new check. before: the entry of the last one; {}: there was none"""
    known = [] if not before or _fault_of_entry(before) else turns(before)
    if known and known[-1][1] == status:
        return known
    return [*known[:1], *known[1:][-(MAX_TURNS - 2):], [time, status]]


def fault_of_log(log: object) -> str:
    """In what some JSON data has not the form of one homework's log; empty if it has it."""
    if not isinstance(log, dict):
        return "not a JSON object"
    if log.get("schema") != SCHEMA:
        return f"its schema is not {SCHEMA}"
    for name in WORDS:
        word = log.get(name)
        if not (isinstance(word, str) and len(word) <= MAX_WORD and word.isprintable()):
            return f"{name} is missing or not a word"
    entries = log.get("exercises")
    if not isinstance(entries, dict) or len(entries) > MAX_EXERCISES:
        return "no table of exercises"
    faults = (f"{name[:40]}: {fault}" for name, entry in entries.items()
              if (fault := _fault_of_entry(entry)))
    return next(faults, "")


def _fault_of_entry(entry: object) -> str:
    if not isinstance(entry, dict):
        return "not an object"
    if entry.get("status") not in STATUSES:
        return "unknown status"
    for part in TEXTS:
        if not isinstance(entry.get(part), str):
            return f"{part} is missing or not text"
    outputs = entry.get("outputs")
    if not isinstance(outputs, dict) or len(outputs) > MAX_CASES:
        return "no outputs"
    return _fault_of_turns(entry.get("turns", []))


def _fault_of_turns(turns: object) -> str:
    if not isinstance(turns, list) or len(turns) > MAX_TURNS:
        return "turns is no list, or too long"
    fits = all(isinstance(turn, list) and len(turn) == 2 and isinstance(turn[0], str)
               and len(turn[0]) <= MAX_WORD and turn[1] in STATUSES for turn in turns)
    return "" if fits else "a turn is not a time and a status"


def fault_of_text(log: dict, exercise: str, entry: dict) -> str:
    """Why the kit cannot have written this entry as it is; empty if it can."""
    try:
        words = said(log, exercise, entry)
    except RecursionError:
        return "the entry is nested too deeply"
    if len(words) > MAX_ENTRY:
        return f"the entry has {len(words)} characters; the kit writes at most {MAX_ENTRY}"
    if entry["digest"] != hashlib.sha256(words.encode()).hexdigest():
        return "the entry was edited after it was written"
    return ""


def read(homework: str, student: str) -> dict:
    """A student's log of a homework; a new one if there is none, or if it cannot be read."""
    log = {"schema": SCHEMA, "homework": homework, "student": student, "kit": __version__,
           "exercises": {}, "tried": {}}
    stored = stored_logs().get(homework, {})
    if stored.get("student") == student:  # inputs, and so outputs, belong to one student
        log["exercises"] = stored["exercises"]
        log["tried"] = tried_in(stored)
    return log


def count(log: dict, exercise: str, what: str) -> None:
    """Note that a check failed, or that somebody defended an exercise; nothing of what was said."""
    counts = log["tried"].setdefault(exercise, {})
    counts[what] = min(counts.get(what, 0) + 1, MAX_TRIES)


def tried_in(log: dict) -> dict[str, dict[str, int]]:
    """{exercise: how many checks "failed" and how often it was "defended"}, as far as a log that
    anybody may have edited says so in its form."""
    counts = log.get("tried")
    return {name: kept for name, each in (counts.items() if isinstance(counts, dict) else ())
            if isinstance(each, dict) and name in log["exercises"]
            and (kept := {what: each[what] for what in TRIED
                          if type(each.get(what)) is int and 0 < each[what] <= MAX_TRIES})}


def stored_logs() -> dict[str, dict]:
    """{homework: log} of all logs in this folder's file, whoever's they are."""
    try:
        log = json.loads(path().read_text(encoding="utf-8"))
        others = log.pop("others", {})
        return {homework: each for homework, each in map(_kept, [*others.values(), log]) if each}
    except UNREADABLE:
        return {}


def _kept(log: dict) -> tuple[str, dict]:
    """The homework of a stored log, and the log without what is not one's entries."""
    if log["schema"] != SCHEMA:
        return "", {}
    kept = {name: each for name, each in log["exercises"].items() if isinstance(each, dict)}
    return log["homework"], log | {"exercises": kept}


def log_text() -> str:
    """The text of the log; empty if there is none."""
    try:
        return path().read_text(encoding="utf-8")
    except OSError:
        return ""


def write(log: dict) -> None:
    """Write a homework's log, whole or not at all."""
    others = {name: each for name, each in stored_logs().items() if name != log["homework"]}
    whole = log | ({"others": others} if others else {})
    try:
        write_whole(path(), json.dumps(whole, separators=(",", ":")))
    except OSError as error:
        print(f"The log could not be written ({error.strerror}). Your check still counts.")


def cut(text: str, room: int) -> str:
    """The text, shortened until its JSON form fits."""
    while len(json.dumps(text)) > room:
        text = text[: len(text) * 9 // 10]
    return text
