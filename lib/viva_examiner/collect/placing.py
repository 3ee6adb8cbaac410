"""Each student's folder is put in place whole, or stays as it was."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from viva.log import LOG_NAME
from viva_examiner.collect.attempts import Attempts
from viva_examiner.collect.collecting import Collection
from viva_examiner.gradebook.handed_in import STAMP

TIME = "%Y-%m-%d %H:%M:%S UTC"


def place(found: Collection, folder_of: Callable[[str], str | Path],
          attempts: Attempts | None = None) -> None:
    """Write each student's folder: the whole of it under its final name, or as it was before.

    folder_of: name -> the folder of this homework below submitted/
    attempts: says under which name an upload goes where several of a student are kept
    """
    todo = []
    for student, taken in found.taken.items():
        files = dict(taken.files)
        if taken.when is not None:
            files[STAMP] = taken.when.strftime(TIME).encode()
        todo.append((student, attempts.name(student, files) if attempts else student, files))
    if attempts:
        attempts.keep()
    for student, name, files in todo:
        folder = Path(folder_of(name))
        if student in found.requests and _is_the_same_work(folder, files):
            done = "unchanged"  # a request came with it, and makes nobody late
        else:
            done = _place(folder, files)
        found.placed[student] = done if name == student else f"{done}, as the attempt {name}"


def _is_the_same_work(folder: Path, files: dict[str, bytes]) -> bool:
    """Whether what lies there is what was handed in again, but for its time and its log."""
    return all((folder / name).is_file() and (folder / name).read_bytes() == data
               for name, data in files.items() if name not in (STAMP, LOG_NAME))


def _place(folder: Path, files: dict[str, bytes]) -> str:
    before = {path.name: path.read_bytes() for path in folder.iterdir()
              if path.is_file() and not path.is_symlink()} if folder.is_dir() else None
    if before is not None and all(before.get(name) == data for name, data in files.items()):
        return "unchanged"
    if before is not None and before.get(STAMP, b"") > files.get(STAMP, b"~"):
        return "kept: what is there was handed in later"
    if before is not None and _has_notebook(before) and not _has_notebook(files):
        return "kept: what is there is a notebook"
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
    if before is None:
        return "new"
    return "newer" if STAMP in files else "replaced: no time says which is newer"


def _has_notebook(files: dict[str, bytes]) -> bool:
    return any(name.lower().endswith(".ipynb") for name in files)
