"""Who a name on a learning platform is: nbgrader's table of students, the course's own.

`nbgrader db student import students.csv` fills it: id, first_name, last_name, email, lms_user_id.
Words that name a student are (kind, word) pairs:

    login   the course's id, or what stands before the @ of the e-mail address
    number  the platform's number of the person: lms_user_id
    sid     the number that a course gave a platform: the id, or lms_user_id
    email   the e-mail address
    name    first and last name, in either order, as platforms mangle it
    both    a login, then a name: "ada Ada Lovelace"
    group   a group of the roster; a name may be one as well
"""

import csv
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from viva_examiner.failure import Failure

COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
Words = tuple[tuple[str, str], ...]
Named = tuple[str, set[str]]  # a word, and the students whom it names


def squashed(name: str) -> str:
    """A name as platforms mangle it: letters and digits only, in small letters."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in plain if sign.isalnum())


@dataclass(frozen=True)
class WhoseFile:
    """Who somebody is: a student and how we know, or why nobody can know.

    sure: not by a name alone, which two people may share
    contradicts: somebody of the table is meant, and it cannot be said who
    """

    student: str = ""
    how: str = ""
    sure: bool = False
    why_not: str = ""
    contradicts: bool = False


@dataclass
class Students:
    """The table, by every word that may stand for a student.

    groups: {name of a group, squashed: its members} of the homework, as the roster has them
    """

    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    words: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> "Students":
        """rows: one mapping per student, with the columns of nbgrader's table."""
        table = cls()
        for row in rows:
            own = {name: str(row.get(name) or "").strip() for name in COLUMNS}
            if own["id"]:
                table.rows[own["id"]] = own
                table._add(own)
        return table

    @classmethod
    def in_gradebook(cls, gradebook: Gradebook) -> "Students":
        return cls.of([{name: getattr(each, name, None) for name in COLUMNS}
                       for each in gradebook.students])

    @classmethod
    def in_file(cls, path: Path) -> "Students":
        try:
            with path.open(newline="", encoding="utf-8-sig") as file:
                table = cls.of(list(csv.DictReader(file)))
        except (UnicodeDecodeError, csv.Error) as error:
            raise Failure(f"{path}: not a CSV file in UTF-8 ({error})") from None
        if not table.rows:
            raise Failure(f"{path} names no student: it needs the columns {', '.join(COLUMNS)}")
        return table

    @property
    def ids(self) -> list[str]:
        return list(self.rows)

    @property
    def is_a_table(self) -> bool:
        """Whether somebody filled it: ids alone also come from grading whatever was handed in."""
        return any(value for own in self.rows.values() for name, value in own.items()
                   if name != "id")

    def _add(self, own: dict[str, str]) -> None:
        first, last = own["first_name"], own["last_name"]
        for kind, word in (("login", own["id"]), ("login", own["email"].partition("@")[0]),
                           ("sid", own["id"]), ("sid", own["lms_user_id"]),
                           ("number", own["lms_user_id"]), ("email", own["email"])):
            if word:
                self.words.setdefault((kind, word.casefold()), set()).add(own["id"])
        for word in {squashed(first + last), squashed(last + first)} - {""}:
            self.words.setdefault(("name", word), set()).add(own["id"])

    def _named(self, kind: str, word: str) -> set[str]:
        if kind == "both":
            login, _, name = word.partition(" ")
            return {each for each in self._named("login", login)
                    if squashed(name) in self._names(each)}
        return self.words.get((kind, squashed(word) if kind == "name" else word.casefold()), set())

    def _names(self, student: str) -> set[str]:
        own = self.rows[student]
        first, last = own["first_name"], own["last_name"]
        return {squashed(each) for each in (first + last, last + first, last, first)} - {""}

    def identify(self, words: Words) -> WhoseFile:
        """The one student whom these words name together; else why not."""
        named = {kind: (word, self._named(kind, word)) for kind, word in words if word}
        by_name = named.pop("name", ("", set()))
        surely = {kind: found for kind, (_, found) in named.items() if found}
        everybody = set().union(*surely.values())
        if len(everybody) > 1:
            return WhoseFile(why_not=f"could be {_either(everybody)}", contradicts=True)
        if everybody:
            student = everybody.pop()
            if by_name[1] and student not in by_name[1]:
                why = f"{_said(surely, named)} is {student}'s, the name is {_either(by_name[1])}'s"
                return WhoseFile(why_not=why, contradicts=True)
            also = " and name" if by_name[1] else ""
            email = self.rows[student]["email"]
            other_email = bool("email" in named and "email" not in surely and email)
            if other_email:
                also += f", not e-mail: {named['email'][0]}, in the table {email}"
            return WhoseFile(student, _said(surely, named) + also, not other_email)
        return self._by_name(by_name, named)

    def agrees(self, student: str, words: Words) -> bool:
        """Whether the name among these words is this student's, or their group's."""
        name = next((word for kind, word in words if kind == "name"), "")
        return (student in self._named("name", name)
                or student in self.groups.get(squashed(name), ()))

    def _by_name(self, by_name: Named, named: dict[str, Named]) -> WhoseFile:
        name, found = by_name if by_name[0] else named.get("group", by_name)
        if group := self.groups.get(squashed(name)):
            if found:
                return WhoseFile(why_not=f"{name} is a group and a student", contradicts=True)
            return WhoseFile(min(group), f"group {name} of the roster")
        if len(found) > 1:
            why = (f"{len(found)} students in the table are called {name}: "
                   f"{', '.join(sorted(found))}")
            return WhoseFile(why_not=why, contradicts=True)
        if not found:
            return WhoseFile(why_not="not in the table of students")
        student = min(found)
        own = self.rows[student]
        for kind, column in (("number", "lms_user_id"), ("email", "email")):
            if kind in named and own[column]:
                why = (f"the name is {student}'s, the {KINDS[kind]} is not: {named[kind][0]}, "
                       f"in the table {own[column]}")
                return WhoseFile(why_not=why, contradicts=True)
        return WhoseFile(student, "name")


KINDS = {"login": "login", "number": "number", "sid": "student id", "email": "e-mail",
         "both": "login and name"}


def _said(surely: dict[str, set[str]], named: dict[str, Named]) -> str:
    return " and ".join(f"{KINDS[kind]} {named[kind][0]}" for kind in surely)


def _either(students: set[str]) -> str:
    return " or ".join(sorted(students))


def made_up_id(words: Words, person: str = "") -> str:
    """An id for somebody where there is no table; empty if none can be made.

    person: who it is on the platform, where others have the same name
    """
    by_kind = dict(reversed(words))
    name = next((by_kind[kind] for kind in ("sid", "login", "name", "email", "number")
                 if by_kind.get(kind)), "")
    name = "_".join(f"{name}-{person}".split() if person else name.split())
    return "".join(sign for sign in name if sign.isalnum() or sign in "_.@-").strip(".")[:80]
