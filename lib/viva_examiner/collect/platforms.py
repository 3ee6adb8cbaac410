"""Whose each file of an export is, by the names and manifests of the platform that made it.

A platform is a function from the entries of an export to uploads, or None where the export is not
its own. An owner is read off the outer name or the manifest, never off what a student packed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from viva_examiner.collect.archives import Entry, Unreadable


@dataclass
class Upload:
    """What one student handed in at one time.

    owner: (kind, word) pairs that name the student, the surest first; see students.py for the kinds
    shown: how staff read of it
    """

    owner: tuple[tuple[str, str], ...]
    shown: str
    when: datetime | None = None
    late: bool = False
    files: list[Entry] = field(default_factory=list)


CANVAS = re.compile(r"(?P<name>[^_/]+)_(?P<late>LATE_)?(?P<user>\d+)_(?P<upload>\d+)_(?P<file>.+)",
                    re.I)
MOODLE = re.compile(r"(?P<name>[^_/]+(?:_[^_/]+)*?)_(?P<user>\d+)_assignsubmission_"
                    r"(?P<kind>file|onlinetext)_?(?P<file>.*)")
BLACKBOARD = re.compile(r"(?P<title>.+)_(?P<login>[^_/]+)_attempt_"
                        r"(?P<when>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<file>.+)|\.txt)")
BRIGHTSPACE = re.compile(r"(?P<user>\d+)-(?P<box>\d+) - (?P<name>.+?) - "
                         r"(?P<when>[A-Z][a-z]{2,8} \d{1,2}, \d{4} \d{3,4} [AP]M)")
GRADESCOPE = "submission_metadata.yml"


def canvas(entries: list[Entry]) -> list[Upload] | None:
    """doejane_12345_678901_kernel_attention-1.ipynb, doejane_LATE_12345_678901_…"""
    return _flat(entries, CANVAS, lambda m: (
        _person(m), f"{m['name']} ({m['user']})", {"late": bool(m["late"])}))


def moodle(entries: list[Entry]) -> list[Upload] | None:
    """Jane Doe_12345_assignsubmission_file_…: flat, or a folder of that name."""
    def about(m):
        return _person(m), f"{m['name']} ({m['user']})", {}

    flat = [entry for entry in entries if len(entry.path) == 1]
    return _flat(flat, MOODLE, about) if flat else _folders(entries, MOODLE, about)


def blackboard(entries: list[Entry]) -> list[Upload] | None:
    """kernel attention_jdoe_attempt_2026-10-12-17-05-09_kernel_attention.ipynb"""
    def about(m):
        when = datetime.strptime(m["when"], "%Y-%m-%d-%H-%M-%S")
        return (("id", m["login"]),), f"{m['login']}, {when}", {"when": when}

    return _flat(entries, BLACKBOARD, about)


def brightspace(entries: list[Entry]) -> list[Upload] | None:
    """123456-789012 - Jane Doe - Sep 24, 2026 926 PM/kernel_attention.ipynb"""
    def about(m):
        when = _spoken_time(m["when"])
        return (("name", m["name"]),), f"{m['name']}, {m['when']}", {"when": when}

    return _folders([e for e in entries if e.path != ("index.html",)], BRIGHTSPACE, about)


def gradescope(entries: list[Entry]) -> list[Upload] | None:
    """assignment_7_export/submission_98/… with submission_metadata.yml, which names the people."""
    manifests = [entry for entry in entries if entry.name == GRADESCOPE and len(entry.path) <= 2]
    if not manifests:
        return None
    import yaml

    try:
        told = yaml.safe_load(manifests[0].read())
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise Unreadable(f"{GRADESCOPE}: {error}") from None
    depth, uploads = len(manifests[0].path) - 1, []
    for name, about in (told if isinstance(told, dict) else {}).items():
        files = [e.below(depth + 1) for e in entries
                 if len(e.path) > depth + 1 and e.path[depth] == name]
        when = about.get(":created_at")
        when = when if isinstance(when, datetime) else None
        for person in about.get(":submitters") or []:
            owner = tuple((kind, str(person[key])) for kind, key in
                          (("id", ":sid"), ("email", ":email"), ("name", ":name"))
                          if person.get(key))
            shown = str(person.get(":name") or name)
            uploads.append(Upload(owner or (("id", str(name)),), shown, when, files=files))
    return uploads


def _person(match: re.Match) -> tuple[tuple[str, str], ...]:
    return ("lms", match["user"]), ("name", match["name"])


def _flat(entries, pattern: re.Pattern, about: Callable) -> list[Upload] | None:
    """Uploads of a platform that puts the owner into each file's name."""
    matches = [(entry, pattern.fullmatch(entry.path[0])) for entry in entries]
    if not entries or any(match is None for _, match in matches):
        return None
    grouped: dict[tuple, Upload] = {}
    for entry, match in matches:
        owner, shown, facts = about(match)
        key = (owner, facts.get("when"))
        upload = grouped.setdefault(key, Upload(owner, shown, **facts))
        upload.late = upload.late or facts.get("late", False)
        if match["file"]:
            upload.files.append(entry.called(match["file"]))
    return list(grouped.values())


def _folders(entries, pattern: re.Pattern, about: Callable) -> list[Upload] | None:
    """Uploads of a platform that makes a folder for each."""
    matches = [(entry, pattern.fullmatch(entry.path[0])) for entry in entries]
    if not entries or any(match is None or len(entry.path) < 2 for entry, match in matches):
        return None
    grouped: dict[str, Upload] = {}
    for entry, match in matches:
        owner, shown, facts = about(match)
        grouped.setdefault(entry.path[0], Upload(owner, shown, **facts)).files.append(
            entry.below(1))
    return list(grouped.values())


def _spoken_time(text: str) -> datetime | None:
    """Sep 24, 2026 926 PM"""
    *day, clock, half = text.split()
    clock = clock.zfill(4)
    for month in ("%b", "%B"):
        try:
            words = f"{' '.join(day)} {clock[:2]}:{clock[2:]} {half}"
            return datetime.strptime(words, f"{month} %d, %Y %I:%M %p")
        except ValueError:
            continue
    return None


def plain(source: str, entries: list[Entry], homework: str) -> list[Upload]:
    """Without a platform: `ada/…`, `ada.zip`, `ada_kernel_attention.ipynb`, or one student's own.

    source: the name of the folder or archive that holds the entries
    """
    tops = {entry.path[0] for entry in entries}
    own_name = re.compile(rf"(?P<student>[^/]+?)[_-](?:[^/]*[_-])?(?P<file>(?:{re.escape(homework)}"
                          r"|submission_log)[^/]*\.(?:ipynb|json))", re.I)
    flat = [entry for entry in entries if len(entry.path) == 1]
    if flat and len(flat) == len(entries):
        named = [(entry, own_name.fullmatch(entry.name)) for entry in flat]
        owned = [(match["student"], entry.called(match["file"])) for entry, match in named if match]
        owned += [(entry.name[:-4], entry) for entry in flat if entry.name.endswith(".zip")]
        if len(owned) == len(flat):
            return _by_owner(owned)
    if len(tops) > 1 and not flat:
        return _by_owner([(entry.path[0], entry.below(1)) for entry in entries])
    if len(tops) > 1 and all(e.name.endswith(".zip") for e in flat):
        return _by_owner([(e.name[:-4], e) if len(e.path) == 1 else (e.path[0], e.below(1))
                          for e in entries])
    return [Upload((("id", source),), source, files=list(entries))]


def _by_owner(pairs) -> list[Upload]:
    found: dict[str, Upload] = {}
    for owner, entry in pairs:
        found.setdefault(owner, Upload((("id", owner),), owner)).files.append(entry)
    return list(found.values())


PLATFORMS = {"Gradescope": gradescope, "Brightspace": brightspace, "Blackboard": blackboard,
             "Moodle": moodle, "Canvas": canvas}


def uploads_of(source: str, entries: list[Entry], homework: str) -> tuple[str, list[Upload]]:
    """(name of the platform, its uploads); every upload with the time of its newest file."""
    found = ((name, platform(entries)) for name, platform in PLATFORMS.items())
    name, uploads = next(((name, made) for name, made in found if made is not None),
                         ("plain", None))
    if uploads is None:
        uploads = plain(source, entries, homework)
    for upload in uploads:
        if upload.when is None:
            upload.when = max((e.changed for e in upload.files if e.changed), default=None)
        if upload.when is not None and upload.when.tzinfo is None:
            upload.when = upload.when.astimezone()  # the clock of this machine
        if upload.when is not None:
            upload.when = upload.when.astimezone(UTC)
    return name, uploads
