"""Who a name on a learning platform is: nbgrader's table of students, the course's own.

`nbgrader db student import students.csv` fills it: id, first_name, last_name, email, lms_user_id.
"""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

VALID_ID = re.compile(r"[\w.@+-]{1,80}")
COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")


def squashed(name: str) -> str:
    """A name as platforms mangle it: letters and digits only, in small letters."""
    return "".join(sign for sign in name.lower() if sign.isalnum())


@dataclass
class Students:
    """The table, by every word that may stand for a student.

    Kinds of words: `id` (the course's, or a login), `lms` (the platform's number), `email`, `name`.
    """

    ids: list[str] = field(default_factory=list)
    words: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows) -> "Students":
        """rows: one mapping per student, with the columns of nbgrader's table."""
        table = cls()
        for row in rows:
            own = {name: str(row.get(name) or "").strip() for name in COLUMNS}
            if own["id"]:
                table.ids.append(own["id"])
                table._add(own)
        return table

    @classmethod
    def in_gradebook(cls, gradebook) -> "Students":
        return cls.of([{name: getattr(each, name, None) for name in COLUMNS}
                       for each in gradebook.students])

    @classmethod
    def in_file(cls, path: Path) -> "Students":
        with path.open(newline="", encoding="utf-8-sig") as file:
            return cls.of(list(csv.DictReader(file)))

    def _add(self, own: dict) -> None:
        first, last = own["first_name"], own["last_name"]
        words = [("id", own["id"]), ("lms", own["lms_user_id"]), ("email", own["email"]),
                 ("id", own["email"].split("@")[0]), ("name", own["id"]),
                 ("name", first + last), ("name", last + first)]
        for kind, word in words:
            if squashed(word):
                self.words.setdefault((kind, squashed(word)), set()).add(own["id"])

    def find(self, owner: tuple[tuple[str, str], ...]) -> str | None:
        """The id of the student whom the first unambiguous word names; None if none does."""
        for kind, word in owner:
            for each in dict.fromkeys((kind, "name") if kind == "id" else (kind,)):
                found = self.words.get((each, squashed(word)), set())
                if len(found) == 1:
                    return next(iter(found))
        return None


def made_up_id(owner: tuple[tuple[str, str], ...], alone: bool) -> str:
    """An id for somebody who is not in the table: the name, and the number if others share it."""
    words = dict(reversed(owner))
    name = words.get("id") or words.get("name") or words.get("email") or words.get("lms", "")
    if not alone and "lms" in words:
        name = f"{name}-{words['lms']}"
    slug = re.sub(r"\s+", "_", name.strip())
    slug = "".join(sign for sign in slug if VALID_ID.fullmatch(sign)).strip(".")
    return slug[:80]
