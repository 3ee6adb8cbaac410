"""Gradescope's submission_metadata.yml: who handed in which folder, and when.

It also holds the results of every test, which may be many megabytes of what students printed. So it
is not read as YAML but line by line, by its indentation, and everything deeper than people is
skipped: time and memory are those of its length, whatever it holds.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from viva_examiner.collect.archives import ArchivedFile
from viva_examiner.collect.readings import Platform, Reading
from viva_examiner.collect.times import iso

NAME = "submission_metadata.yml"
EXPORT = re.compile(r"assignment_[0-9]{1,18}_export")
KINDS = {":sid": "sid", ":email": "email", ":name": "name"}
BROKEN = "broken"
MAX_LINE = 2000  # characters of a line about people


@dataclass
class ManifestEntry:
    """One folder of the export."""

    people: list[dict[str, str]] = field(default_factory=list)
    created: str = ""


def manifest_of(entries: list[ArchivedFile]) -> ArchivedFile | None:
    """The platform's manifest: at the top, or in the one folder that holds everything."""
    tops = {entry.path[0] for entry in entries}
    in_folder = len(tops) == 1 and EXPORT.fullmatch(min(tops))
    for entry in entries:
        if entry.name == NAME and (len(entry.path) == 1 or in_folder and len(entry.path) == 2):
            return entry
    return None


def people_of(data: bytes) -> dict[str, ManifestEntry]:
    """{folder: who handed it in and when}; what is not of this form is left out."""
    found: dict[str, ManifestEntry] = {}
    current, key = ManifestEntry(), ""
    for indent, is_item, name, value in _lines(data):
        if indent == 0:
            current, key = found.setdefault(_text(name), ManifestEntry()), ""
        elif indent == 2 and not is_item:
            key = name
            if name == ":created_at":
                current.created = _text(value)
        elif key == ":submitters" and is_item and indent in (2, 4):
            current.people.append({})
            _keep(current.people[-1], name, value)
        elif key == ":submitters" and current.people and indent in (4, 6):
            _keep(current.people[-1], name, value)
    return found


def _lines(data: bytes) -> Iterator[tuple[int, bool, str, str]]:
    """(indentation, whether an item of a list, key, value) of the lines that can matter."""
    for raw in data.split(b"\n"):
        if len(raw) > MAX_LINE or raw.startswith(b"        "):
            continue
        line = raw.decode("utf-8", "replace").rstrip()
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        is_item = text.startswith("- ")
        text = text[2:] if is_item else text
        if text.endswith(":"):
            yield indent, is_item, text[:-1], ""
        elif ": " in text:
            name, _, value = text.partition(": ")
            yield indent, is_item, name, value.strip()


def _keep(person: dict[str, str], name: str, value: str) -> None:
    """A value that goes on in the next line leaves nobody: that line could say anything."""
    if value[:1] in ("'", '"') and not _is_closed(value):
        person.clear()
        person[BROKEN] = value
    elif BROKEN not in person and name in KINDS and KINDS[name] not in person:
        person[KINDS[name]] = _text(value)


def _is_closed(value: str) -> bool:
    if value[0] == "'":
        return len(value) > 1 and value.count("'") % 2 == 0 and value.endswith("'")
    try:
        return isinstance(json.loads(value), str)
    except ValueError:
        return value.endswith('"') and not value.endswith('\\"') and len(value) > 1


def _text(value: str) -> str:
    """A scalar as it was meant; nothing for one that a name or address never is."""
    if value[:1] == value[-1:] == "'" and len(value) > 1:
        value = value[1:-1].replace("''", "'")
    elif value[:1] == '"':
        try:
            value = str(json.loads(value))
        except ValueError:
            return ""
    return value if value.isprintable() and value[:1] not in ("|", ">", "&", "*", "!") else ""


def gradescope(entries: list[ArchivedFile], manifest: ArchivedFile) -> Platform:
    """assignment_7_export/submission_98/…: a reading for each of the people who handed it in."""
    depth = len(manifest.path) - 1
    people = people_of(manifest.read())

    def read(entry: ArchivedFile) -> list[Reading]:
        if entry.path == manifest.path or len(entry.path) <= depth:
            return []
        about = people.get(entry.path[depth])
        if about is None:
            return []
        file = entry.below(min(depth + 1, len(entry.path) - 1))
        when = iso(about.created)
        found = []
        for person in about.people:
            words = tuple((kind, person[kind]) for kind in KINDS.values() if person.get(kind))
            if words:
                who = " ".join(word for _, word in words)
                found.append(Reading("Gradescope", words, file, who, when))
        return found or [Reading("Gradescope", (), file, entry.path[depth], when,
                                 nobody="the manifest names nobody")]
    return read
