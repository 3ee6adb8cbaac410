"""A course's memory in one file: gradebook and ledger, what was handed in and graded, settings.

A zip that only its owner can read:

    backup.json            when, by whom, of which course, the form of nbgrader's tables
    gradebook/<table>.json a line per row
    rooms/<room>/…         submitted, autograded and feedback
    files/…                roster.csv, nbgrader_config.py, what is known of learning platforms
    private/…              the secret and the keys of learning platforms, only if asked for
"""

import json
import shutil
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from viva.whole import whole, write_whole
from viva_examiner.course import CONFIG, Course
from viva_examiner.failure import Failure
from viva_examiner.files import can_be_kept, regular_files
from viva_examiner.gradebook import course_secret, dump, ledger

ABOUT, FORM = "backup.json", 1
ROOMS = ("submitted", "autograded", "feedback")
FILES = ("roster.csv", CONFIG, ".viva-lms/*.json")
KEYS = ".viva-lms/*.pem"


@dataclass(frozen=True)
class BackupContents:
    """What a backup holds, in numbers."""

    rows: int
    files: int
    private: bool
    left: tuple[str, ...] = ()  # what cannot be kept: names that no archive holds, giant holes


def back_up(course: Course, target: Path, private: bool = False) -> BackupContents:
    """Write the backup, whole or not at all, and an entry that there is one."""
    rows = dump.dumped(course)
    about = {"form": FORM, "at": datetime.now(UTC).isoformat(timespec="seconds"),
             "by": ledger.this_person(), "course": course.directory.course_id,
             "nbgrader": dump.version(course)}
    with (whole(target, 0o600) as file,
          zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive):
        archive.writestr(ABOUT, json.dumps(about))
        for table, text in rows.items():
            archive.writestr(f"gradebook/{table}.json", text)
        kept = {room: _add_room(course, room, archive) for room in ROOMS}
        count = sum(sum(done.values()) for done in kept.values())
        count += sum(_add(archive, path, f"files/{path.relative_to(course.root)}")
                     for pattern in FILES for path in sorted(course.root.glob(pattern)))
        if private:
            _add_private(course, archive)
    with ledger.opened(course) as book:
        book.record(ledger.BACKUP, file=target.name)
    left = tuple(str(path.relative_to(course.root)) for done in kept.values()
                 for path, is_kept in done.items() if not is_kept)
    return BackupContents(sum(text.count("\n") for text in rows.values()), count, private, left)


def _room(course: Course, room: str) -> Path:
    return course.root / getattr(course.directory, f"{room}_directory")


def _add_room(course: Course, room: str, archive: zipfile.ZipFile) -> dict[Path, bool]:
    """Whether each file is in the archive now. Students filled these folders: one file of theirs
    costs nobody the backup."""
    top = _room(course, room)
    return {path: can_be_kept(path) and _add(archive, path, f"rooms/{room}/{path.relative_to(top)}")
            for path in regular_files(top)}


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> bool:
    """Regular files only: a link may lead anywhere."""
    if path.is_symlink() or not path.is_file():
        return False
    info = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
    info.compress_type = zipfile.ZIP_DEFLATED
    with path.open("rb") as source, archive.open(info, "w") as sink:
        shutil.copyfileobj(source, sink)
    return True


def _add_private(course: Course, archive: zipfile.ZipFile) -> None:
    if course_secret.has_secret(course):
        archive.writestr("private/secret", course_secret.agreed(course))
    for path in sorted(course.root.glob(KEYS)):
        _add(archive, path, f"private/{path.relative_to(course.root)}")


def restore(course: Course, source: Path, replace: bool = False) -> list[str]:
    """Bring a backup back into a course's folder; what was done, in lines.

    replace: also where there is a class already; what is there is backed up first
    """
    with _opened(source) as archive, tempfile.TemporaryDirectory(
            dir=course.root, prefix=".viva-restore-") as staging:
        about = json.loads(archive.read(ABOUT))
        rows = {PurePosixPath(name).stem: archive.read(name).decode()
                for name in archive.namelist() if name.startswith("gradebook/")}
        said = _make_room(course, replace)
        if (now := dump.version(course)) != about["nbgrader"]:
            raise Failure(f"{source.name} was made with another version of nbgrader (form "
                          f"{about['nbgrader']}, here {now}): restore it with that version, then "
                          "upgrade")
        names = [name for name in archive.namelist() if name.startswith(("rooms/", "files/",
                                                                         "private/"))]
        for name in names:
            write_whole(Path(staging) / name, archive.read(name),
                        0o600 if name.startswith("private/") else 0o644)
        dump.fill(course, rows)
        for room in ROOMS:
            _swap(Path(staging) / "rooms" / room, _room(course, room))
        said += _put_files(course, Path(staging))
    said.append(f"the gradebook of {about['at'][:10]}: "
                f"{sum(text.count(chr(10)) for text in rows.values())} rows")
    said.append(f"{sum(name.startswith('rooms/') for name in names)} files of submissions")
    return said


def _opened(source: Path) -> zipfile.ZipFile:
    """The backup, if it is one, whole, and writes nowhere but into the course."""
    try:
        archive = zipfile.ZipFile(source)
        about = json.loads(archive.read(ABOUT))
    except (zipfile.BadZipFile, KeyError, ValueError):
        raise Failure(f"{source} was not made by `viva backup`") from None
    try:
        broken = archive.testzip()
    except (zipfile.BadZipFile, zlib.error):
        broken = "a part of it"
    if broken:
        raise Failure(f"{source} is damaged: {broken} cannot be read")
    if about.get("form") != FORM:
        raise Failure(f"{source} was made by another version of viva (form {about.get('form')}, "
                      f"here {FORM}): restore it with that version")
    for name in archive.namelist():
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or "\\" in name:
            raise Failure(f"{source} was not made by `viva backup`: it holds the path {name!r}")
    return archive


def _make_room(course: Course, replace: bool) -> list[str]:
    from nbgrader.api import Gradebook

    Gradebook(course.db_url, course.directory.course_id).close()  # makes one if there is none
    rooms = [room for room in ROOMS if _room(course, room).is_dir()
             and any(each.name != "README.md" for each in _room(course, room).iterdir())]
    if dump.is_empty(course) and not rooms:
        return []
    if not replace:
        raise Failure("there is a class in this course already; nothing has changed. With "
                      "--replace it is backed up first, and replaced")
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    before = course.root / "backups" / f"before-restore-{moment}.zip"
    back_up(course, before)
    return [f"what was here is in {before.relative_to(course.root)}"]


def _swap(fresh: Path, final: Path) -> None:
    old = fresh.with_name(f"{fresh.name}.old")
    fresh.mkdir(parents=True, exist_ok=True)
    if final.exists():
        final.rename(old)
    fresh.rename(final)
    if (readme := old / "README.md").is_file() and not (final / "README.md").exists():
        readme.rename(final / "README.md")


def _put_files(course: Course, staging: Path) -> list[str]:
    said = []
    for path in sorted(each for each in (staging / "files").rglob("*") if each.is_file()):
        final = course.root / path.relative_to(staging / "files")
        if final.name == CONFIG and final.is_file() and final.read_bytes() != path.read_bytes():
            final = final.with_name("nbgrader_config.from-backup.py")  # it may name another place
            said.append(f"the backup's settings are in {final.name}; compare them with {CONFIG}")
        write_whole(final, path.read_bytes())
    for path in sorted(each for each in (staging / "private").rglob("*") if each.is_file()):
        name = path.relative_to(staging / "private")
        if str(name) == "secret" and course_secret.has_secret(course):
            course.library.keep_secret(path.read_text())
            said.append("the course's secret")
        else:
            write_whole(course.root / name, path.read_bytes(), 0o600)
    return said
