"""Moodle's grading worksheet: which participant of one assignment is whom.

Moodle writes it under "Download grading worksheet": Identifier ("Participant 17"), Full name, then
what the site shows of people, usually Email address and ID number. Marked blind, it names nobody.
"""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

from viva_examiner.collect.students import Words
from viva_examiner.failure import Failure

NUMBER = re.compile(r"\D{0,60}([0-9]{1,18})\s*")
HEADS = {"full name": "name", "email address": "email", "id number": "sid", "username": "login"}


class BadWorksheet(Failure):
    """A file that is no grading worksheet. The message is for staff."""


@dataclass
class Worksheet:
    """{participant: words that name a person}"""

    people: dict[str, Words] = field(default_factory=dict)

    @classmethod
    def in_file(cls, path: Path) -> "Worksheet":
        try:
            with path.open(newline="", encoding="utf-8-sig") as file:
                head, *rows = list(csv.reader(file)) or [[]]
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise BadWorksheet(f"{path}: {error}") from None
        kinds = [HEADS.get(name.strip().lower(), "") for name in head]
        people = {}
        for row in rows:
            number = NUMBER.fullmatch(row[0]) if row else None
            if number:
                people[number[1]] = tuple(_words(kinds, row))
        if not people:
            raise BadWorksheet(f"{path} is not a grading worksheet of Moodle: no line begins with "
                               "a participant, as in \"Participant 17\"")
        return cls(people)

    def words(self, number: str) -> Words:
        """Nothing for a participant whom it does not have or does not name."""
        return self.people.get(number, ())


def _words(kinds: list[str], row: list[str]) -> list[tuple[str, str]]:
    """The heads are in the site's language; an address is one in every language."""
    found = [(kind, word.strip()) for kind, word in zip(kinds, row, strict=False)
             if kind and word.strip()]
    if not any(kind == "email" for kind, _ in found):
        found += [("email", word.strip()) for word in row[1:4] if "@" in word]
    return found
