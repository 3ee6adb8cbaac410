"""Exports as learning platforms make them, by the rules of viva_examiner.collect.rules.

Each function gives {path inside the archive: bytes, or bytes and a time}; `archive` zips it.
"""

import io
import re
import zipfile
from datetime import datetime
from pathlib import Path

Files = dict[str, bytes | tuple[bytes, tuple[int, ...]]]
NOON = (2026, 10, 1, 12, 0, 0)


def zipped(files: Files) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        for inside, data in files.items():
            data, when = data if isinstance(data, tuple) else (data, NOON)
            out.writestr(zipfile.ZipInfo(inside, when), data)
    return made.getvalue()


def archive(folder: Path, name: str, files: Files) -> Path:
    path = folder / name
    path.write_bytes(zipped(files))
    return path


def canvas(name: str, user: int, files: dict[str, bytes], late: bool = False,
           anonymous: str = "", first: int = 9001) -> Files:
    """name: "Doe, Jane", as Canvas sorts people, or a group's."""
    small = re.sub(r"_(\d+)_", r"\1", name).lower()
    parts = [] if anonymous else [small]
    parts += ["LATE"] if late else []
    parts.append(f"anon_{anonymous}" if anonymous else str(user))
    head = re.sub(r"\W", "", "_".join(parts))
    return {f"{head}_{number}_{re.sub(r'[/:*?<>|]+', '_', file)}": data
            for number, (file, data) in enumerate(files.items(), start=first)}


def canvas_text(name: str, user: int, text: bytes, kind: str = "text") -> Files:
    return {re.sub(r"\W", "", f"{name.lower()}_{user}") + f"_{kind}.html": text}


def moodle(name: str, number: int | str, files: dict[str, bytes], flat: bool = False,
           plugin: str = "file", when: tuple[int, ...] = NOON) -> Files:
    """number: of the participant; empty for the default group, which has none."""
    head = re.sub(r"['&:]", "", name.replace("_", " ")) + (f"_{number}" if number else "")
    between = "_" if flat else "/"
    return {f"{head}_assignsubmission_{plugin}{between}"
            f"{file.rsplit('/', 1)[-1] if flat else file}": (data, when)
            for file, data in files.items()}


def worksheet(rows: dict[int, tuple[str, str]]) -> str:
    """rows: {participant: (full name, e-mail)}"""
    head = "Identifier,Full name,Email address,Status,Grade,Maximum Grade\n"
    return "\ufeff" + head + "".join(
        f'"Participant {number}","{name}",{email},Submitted for grading,,100.00\n'
        for number, (name, email) in rows.items())


def blackboard(title: str, login: str, name: str, when: str, files: dict[str, bytes],
               text: str = "There is no student submission text data for this assignment.",
               with_text: bool = True) -> Files:
    """when: 2026-10-12-17-05-09"""
    head = f"{title}_{login}_attempt_{when}"
    about = (f"Name: {name} ({login})\nAssignment: {title}\nDate Submitted: {when}\n"
             f"Current Mark: Needs Marking\n\nSubmission Field:\n{text}\n\n"
             "Comments:\nThere are no student comments for this assignment.\n\nFiles:\n")
    about += "".join(f"\tOriginal filename: {file}\n\tFilename: {head}_{file}\n" for file in files)
    made: Files = {f"{head}_{file}": data for file, data in files.items()}
    return made | ({f"{head}.txt": about.encode()} if with_text else {})


def brightspace(name: str, number: int, when: datetime, files: dict[str, bytes],
                folder: int = 2557) -> Files:
    clock = when.strftime("%I%M %p").lstrip("0")
    head = f"{number}-{folder} - {name} - {when:%b} {when.day}, {when.year} {clock}"
    return {"index.html": b"<html>list</html>"} | {
        f"{head}/{file}": data for file, data in files.items()}


def gradescope(handed_in: list[tuple[list[tuple[str, str, str]], str, dict[str, bytes]]],
               more: str = "") -> Files:
    """handed_in: ([(name, sid, e-mail) of each person], time, files) of each submission."""
    top, about, made = "assignment_7_export", "---\n", {}
    for number, (people, when, files) in enumerate(handed_in, start=98):
        about += f"submission_{number}:\n  :submitters:\n"
        for name, sid, email in people:
            about += f"  - :name: {name}\n    :sid: {sid or chr(39) * 2}\n    :email: {email}\n"
        about += f"  :created_at: {when}\n  :score: 1.0\n{more}"
        made |= {f"{top}/submission_{number}/{file}": data for file, data in files.items()}
    return {f"{top}/submission_metadata.yml": about.encode()} | made
