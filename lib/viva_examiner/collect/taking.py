"""From uploads to `submitted/<student>/<homework>/`: chosen, explained, and put in place whole."""

import os
import shutil
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from viva_examiner.collect.archives import Entry, Unreadable, entries_of, zip_entries
from viva_examiner.collect.attempts import Attempts
from viva_examiner.collect.platforms import Upload, uploads_of
from viva_examiner.collect.students import VALID_ID, Students, made_up_id
from viva_examiner.notebook.whose_homework import Face, plain_stem, recognised

LOG = "submission_log.json"
STAMP = "timestamp.txt"
TIME = "%Y-%m-%d %H:%M:%S UTC"
MAX_FILES = 500  # of one upload that are looked at
MAX_BYTES = 128 * 2**20  # of one upload that are read


@dataclass
class Taken:
    """What is kept of one student, and what staff should know about it."""

    student: str
    upload: Upload
    files: dict[str, bytes]
    remarks: list[str] = field(default_factory=list)


@dataclass
class Collection:
    """All that came of the archives."""

    taken: dict[str, Taken] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)  # "what: why", a line each
    placed: dict[str, str] = field(default_factory=dict)  # student: new, newer, unchanged, kept

    def missing(self, students: Students) -> list[str]:
        """Who handed in nothing."""
        return [each for each in students.ids if each not in self.taken]


def collect(sources: list[Path], homework: str, faces: list[Face], students: Students,
            due=None) -> Collection:
    """Read all sources and decide about every file; nothing is written yet.

    due: the homework's due date (UTC), for uploads that the platform only calls late
    """
    found = Collection()
    uploads: list[Upload] = []
    for source in sources:
        for name, entries in _exports(source, found):
            uploads += uploads_of(name, entries, homework)[1]
    names = [made_up_id(upload.owner, True) for upload in uploads]
    people = [{word for kind, word in upload.owner if kind == "lms"} for upload in uploads]
    for upload, name in zip(uploads, names, strict=True):
        others = [who for who, other in zip(people, names, strict=True) if other == name]
        alone = len(set().union(*others)) <= 1
        _take(upload, alone, homework, faces, students, due, found)
    return found


def _exports(source: Path, found: Collection):
    """(name, entries) of each export in a source: an archive, or a folder of files or archives."""
    try:
        entries = entries_of(source)
    except Unreadable as error:
        found.refused.append(str(error))
        return
    except OSError as error:
        found.refused.append(f"{source}: {error.strerror}")
        return
    rest = []
    for entry in entries:
        inner = None
        if source.is_dir() and len(entry.path) == 1 and entry.name.lower().endswith(".zip"):
            inner = _inside(entry, found)
            if inner is None:
                continue
        if inner is not None and uploads_of(entry.name[:-4], inner, "")[0] != "plain":
            yield entry.name[:-4], inner  # a platform's export that lies in the folder
        else:
            rest.append(entry)
    if rest:
        yield source.stem if not source.is_dir() else source.name, rest


def _inside(entry: Entry, found: Collection) -> list[Entry] | None:
    try:
        return zip_entries(entry.shown, entry.read())
    except Unreadable as error:
        found.refused.append(str(error))
        return None


def _take(upload: Upload, alone: bool, homework, faces, students: Students, due, found) -> None:
    student = students.find(upload.owner)
    remarks = []
    if student is None:
        student = made_up_id(upload.owner, alone)
        if not VALID_ID.fullmatch(student) or student in (".", ".."):
            found.refused.append(f"{upload.shown}: no id can be made of this name; "
                                 "add the student to nbgrader's table")
            return
        if students.ids:
            remarks.append(f"{upload.shown} is not in the table of students: taken as {student}")
        elif not alone:
            remarks.append(f"two students are called alike: {upload.shown} taken as {student}")
    taken = Taken(student, upload, {}, remarks)
    _choose(taken, _unpacked(upload, found), homework, faces, found)
    if upload.late and due is not None and (upload.when is None or upload.when <= due):
        upload.when = due + timedelta(seconds=1)
        taken.remarks.append("late, says the platform, and not by how much: counted as one second")
    notebooks = {face.notebook for face in faces if face.homework == homework}
    if not any(f"{name}.ipynb" in taken.files for name in notebooks):
        found.refused.append(f"{upload.shown}: no notebook of {homework} in it")
        return
    other = found.taken.get(student)
    if other is not None:
        newer, older = sorted((taken, other), reverse=True,
                              key=lambda each: (each.upload.when is not None, each.upload.when))
        found.refused.append(f"{older.upload.shown}: an earlier upload of {student}")
        taken = newer
    found.taken[student] = taken


def _unpacked(upload: Upload, found: Collection) -> list[Entry]:
    """The files of an upload, those of archives in it included (one level deep)."""
    files, room = [], MAX_BYTES
    for entry in upload.files:
        if len(files) > MAX_FILES:
            break
        if entry.name.lower().endswith(".zip"):
            inner = _inside(entry, found)
            files += inner or []
        else:
            files.append(entry)
    kept = []
    for number, entry in enumerate(files):
        room -= entry.size
        if number >= MAX_FILES or room < 0:
            found.refused.append(f"{upload.shown}: {len(files) - number} files from {entry.shown} "
                                 "on: more than one upload may hold")
            break
        kept.append(entry)
    return kept


def _choose(taken: Taken, files: list[Entry], homework: str, faces: list[Face], found) -> None:
    """The notebooks and the log among the files; every other file is refused with its reason."""
    wanted = {face.notebook: face for face in faces if face.homework == homework}
    claims: dict[str, list[tuple]] = {}
    for entry in files:
        where = f"{taken.upload.shown}: {entry.shown}"
        kind = entry.name.lower().rsplit(".", 1)[-1]
        if kind == "json" and plain_stem(entry.name) == plain_stem(LOG):
            claims.setdefault(LOG, []).append((True, entry))
        elif kind == "ipynb":
            named = next((n for n in wanted if plain_stem(entry.name) == plain_stem(n)), None)
            if named is None:
                try:
                    face = recognised(entry.read(), faces)
                except Unreadable as error:
                    found.refused.append(str(error))
                    continue
                if face is None or face.homework != homework:
                    found.refused.append(f"{where}: is {face.homework}, not {homework}" if face
                                         else f"{where}: cannot be told to be {homework}")
                    continue
                claims.setdefault(f"{face.notebook}.ipynb", []).append((False, entry))
            else:
                claims.setdefault(f"{named}.ipynb", []).append((True, entry))
        else:
            found.refused.append(f"{where}: neither a notebook nor the log")
    for name, rivals in claims.items():
        # a file under its own name before a renamed one, then the newest, then the longest name:
        # the copy with the highest number
        rivals.sort(key=lambda pair: (pair[0], pair[1].changed is not None, pair[1].changed,
                                      len(pair[1].name), pair[1].name), reverse=True)
        for _, entry in rivals[1:]:
            found.refused.append(f"{taken.upload.shown}: {entry.shown}: another copy of {name}")
        entry = rivals[0][1]
        try:
            taken.files[name] = entry.read()
        except Unreadable as error:
            found.refused.append(str(error))
            continue
        if entry.name != name:
            taken.remarks.append(f"{entry.shown} taken as {name}")


def place(found: Collection, folder_of, attempts: Attempts | None = None) -> None:
    """Write each student's folder: the whole of it under its final name, or as it was before.

    folder_of: name -> the folder of this homework below submitted/
    attempts: says under which name an upload goes where several of a student are kept
    """
    todo = []
    for student, taken in found.taken.items():
        files = dict(taken.files)
        if taken.upload.when is not None:
            files[STAMP] = taken.upload.when.strftime(TIME).encode()
        todo.append((student, attempts.name(student, files) if attempts else student, files))
    if attempts:
        attempts.keep()
    for student, name, files in todo:
        done = _place(Path(folder_of(name)), files)
        found.placed[student] = done if name == student else f"{done}, as the attempt {name}"


def _place(folder: Path, files: dict[str, bytes]) -> str:
    before = {path.name: path.read_bytes() for path in folder.iterdir()
              if path.is_file() and not path.is_symlink()} if folder.is_dir() else None
    if before is not None and all(before.get(name) == data for name, data in files.items()):
        return "unchanged"
    if before is not None and before.get(STAMP, b"") > files.get(STAMP, b"~"):
        return "kept: what is there was handed in later"
    fresh = folder.with_name(f".{folder.name}.new-{os.getpid()}")
    old = folder.with_name(f".{folder.name}.old-{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        for name, data in files.items():
            (fresh / name).write_bytes(data)
        if before is not None:
            folder.rename(old)
        fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        if old.exists() and not folder.exists():
            old.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    return "new" if before is None else "newer"
