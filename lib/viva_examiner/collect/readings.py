"""Whose a file is, by the outer name that a platform gave it: every way to read it.

A platform is a function from one entry to its readings; no reading means that the platform does not
name files so. What a student chose, the end of a name, never decides. `rules` has the names.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from viva_examiner.collect import times
from viva_examiner.collect.archives import ArchivedFile, UnreadableArchive
from viva_examiner.collect.students import Words
from viva_examiner.collect.worksheet import Worksheet


@dataclass(frozen=True)
class Reading:
    """One way to read a file's outer name.

    words: what names the student; see students.py for the kinds
    file: the file under the name that its owner gave it
    person: who it is on the platform, as far as that is known; two of them are two people
    order: what the platform counts up, so that of two files of one name the newest is known
    is_about: the platform's own words about an upload, not a file of it
    nobody: why the platform does not say who it is
    needs_name: the number may be one that a student wrote, so the name must be that person's too
    """

    platform: str
    words: Words
    file: ArchivedFile
    person: str
    when: datetime | None = None
    late: bool = False
    order: int = 0
    nobody: str = ""
    note: str = ""
    is_about: bool = False
    needs_name: bool = False


Platform = Callable[[ArchivedFile], list[Reading]]
MAX_PAIRS = 6  # of numbers in one name: ways to read it
DIGITS = re.compile(r"[0-9]{1,18}")
MOODLE = re.compile(r"([^_/]+)(?:_([0-9]{1,18}))?_assignsubmission_([a-z]+)(?:_(.*))?")
ATTEMPT = re.compile(r"_attempt_(\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?=_|\.txt\Z)")
BRIGHTSPACE = re.compile(r"([0-9]{1,18}-[0-9]{1,18}) - (.+)")
LOGIN = re.compile(r"[^\n]*\(([^()\n]{1,100})\)\s*\Z")
FLAT = ("Moodle's flat download keeps one of several files of equal name that a student handed in; "
        "where one is missing, download the submissions in folders")


def canvas(entry: ArchivedFile) -> list[Reading]:
    """doejane_12345_678901_work.ipynb: no name holds a capital letter.

    Canvas takes _digits_ out of names, but not all of `__12___3__`; so any two numbers may be it,
    and what else stands in a person's or a file's name was chosen by a student.
    """
    if len(entry.path) > 1:
        return []
    parts = entry.name.split("_")
    start = parts[1:] if parts[0] == "LATE" else parts
    if start[:1] == ["anon"] and len(start) > 2:
        return [Reading("Canvas", (), entry.called("_".join(start[2:])), start[1],
                        nobody="graded anonymously on Canvas: download again with the names shown")]
    found = []
    numbers = [bool(DIGITS.fullmatch(part)) for part in parts]
    pairs = [at for at in range(1, len(parts) - 2) if numbers[at] and numbers[at + 1]]
    if len(pairs) > MAX_PAIRS:
        return [Reading("Canvas", (), entry, "", nobody="too many numbers in its name")]
    for at in pairs:
        found += _canvas_person(entry, parts, at, int(parts[at + 1]), "_".join(parts[at + 2:]))
    if len(parts) > 2 and parts[-1] in ("text.html", "link.html") and numbers[-2]:
        found += _canvas_person(entry, parts, len(parts) - 2, 0, parts[-1])
    return [replace(each, needs_name=True) for each in found] if len(found) > 1 else found


def _canvas_person(entry: ArchivedFile, parts: list[str], at: int, upload: int,
                   file: str) -> list[Reading]:
    late = parts[at - 1] == "LATE"
    name = "_".join(parts[:at - late])
    if name != name.lower() or not all(sign.isalnum() or sign == "_" for sign in name):
        return []  # not a name that Canvas writes
    return [Reading("Canvas", (("number", parts[at]), ("name", name)), entry.called(file),
                    parts[at], late=late, order=upload)]


def moodle(worksheet: Worksheet | None) -> Platform:
    """Jane Doe_17_assignsubmission_file/…, or _… in a flat download; no name holds an underscore.

    The number belongs to this one assignment; the grading worksheet says whose it is.
    """
    def read(entry: ArchivedFile) -> list[Reading]:
        found = MOODLE.fullmatch(entry.path[0])
        flat = len(entry.path) == 1
        if not found or flat and not found[4]:
            return []
        name, number, file = found[1], found[2] or "", found[4]
        words: Words = (("name", name),)
        nobody = ""
        if worksheet is not None and number:
            words = worksheet.words(number)
            if name != "Participant":
                words = (*(each for each in words if each[0] != "name"), ("name", name))
            if not worksheet.words(number):
                nobody = f"participant {number} is not in the worksheet, or it names nobody"
        elif name == "Participant":
            nobody = ("marked blind on Moodle: reveal the identities there, then give the grading "
                      "worksheet")
        own = entry.called(file) if flat else entry.below(1)
        return [Reading("Moodle", words, own, number or name, entry.changed, nobody=nobody,
                        note=FLAT if flat else "")]
    return read


def blackboard(entries: Iterable[ArchivedFile]) -> Platform:
    """TITLE_LOGIN_attempt_TIME_work.ipynb: title and login may hold underscores, TIME is the first.

    Blackboard's own .txt of the attempt says the login; without it, the title that all files share.
    """
    logins: dict[str, str] = {}
    shared: set[str] | None = None
    for entry in entries:
        attempt = ATTEMPT.search(entry.name) if len(entry.path) == 1 else None
        if not attempt:
            continue
        before = entry.name[:attempt.start()]
        titles = {title for title, _ in _splits(before)}
        if entry.name[attempt.end():] == ".txt":
            login = _login(entry)
            if login and before.endswith(f"_{login}"):
                logins[before] = login
                titles = {before.removesuffix(f"_{login}")}
        shared = titles if shared is None else shared & titles

    def read(entry: ArchivedFile) -> list[Reading]:
        attempt = ATTEMPT.search(entry.name) if len(entry.path) == 1 else None
        if not attempt:
            return []
        before, rest = entry.name[:attempt.start()], entry.name[attempt.end():]
        when = times.dashed(attempt[1])
        pairs = [pair for pair in _splits(before)
                 if pair[1] == logins.get(before, pair[1]) and (not shared or pair[0] in shared)]
        is_about = rest == ".txt"
        file = entry.called("attempt.txt" if is_about else rest.removeprefix("_"))
        if len(pairs) > 1:
            either = ", ".join(login for _, login in pairs)
            return [Reading("Blackboard", (), file, before, nobody=f"the login could be {either}: "
                            "keep the .txt that Blackboard writes for each attempt")]
        return [Reading("Blackboard", (("login", login), ("group", login)), file, login, when,
                        is_about=is_about) for _, login in pairs]
    return read


def _splits(before: str) -> list[tuple[str, str]]:
    """(title, login) at every underscore."""
    return [(before[:at], before[at + 1:]) for at, sign in enumerate(before)
            if sign == "_" and before[at + 1:].strip("_")]


def _login(entry: ArchivedFile) -> str:
    """What stands in the last brackets of the first line: Name: Jane Doe (jdoe)."""
    try:
        line = entry.read()[:1000].decode("utf-8-sig", "replace").partition("\n")[0]
    except UnreadableArchive:
        return ""
    found = LOGIN.fullmatch(line)
    return found[1] if found else ""


def brightspace(entry: ArchivedFile) -> list[Reading]:
    """1234-5678 - Jane Doe - Sep 24, 2026 926 PM/…: some sites write the login before the name."""
    found = BRIGHTSPACE.fullmatch(entry.path[0])
    if len(entry.path) < 2 or not found:
        return []
    who, _, date = found[2].rpartition(" - ")
    if not who or not re.search(r"\b\d{4}\b", date):
        return []
    when = times.spoken(date)
    return [Reading("Brightspace", ((kind, who),), entry.below(1), found[1], when)
            for kind in ("name", "both")]
