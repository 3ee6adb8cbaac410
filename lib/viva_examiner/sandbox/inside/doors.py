"""Python's folders for a user who may not enter what they lie in: an image with Python in /root.

A library imports parts of itself late, and a test may import what nothing has loaded yet. Below a
folder that only root may enter that fails after the rights are given up, and a right solution would
pay for it. A folder that was opened before can still be entered, by its number.
"""

import os
import sys
from pathlib import Path

OPENED = "/proc/self/fd/"  # a number follows


def closed(uid: int) -> list[str]:
    """Python's own folders that this user cannot enter by their path."""
    folders = dict.fromkeys((os.path.realpath(sys.base_prefix), os.path.realpath(sys.prefix)))
    return [folder for folder in folders
            if not all(_may_enter(path, uid) for path in (Path(folder), *Path(folder).parents))]


def open_up(folders: list[str]) -> None:
    """From now on imports find what lies in these folders through files that are open.

    To be called before the rights are given up; nothing outside the folders can be reached through
    them only where landlock is in force.
    """
    for folder in folders:
        door = f"{OPENED}{os.open(folder, os.O_PATH | os.O_DIRECTORY)}"
        for path in (sys.path, *_paths_of_packages()):
            path[:] = [_moved(entry, folder, door) for entry in path]


def _may_enter(path: Path, uid: int) -> bool:
    about = path.stat()
    return bool(about.st_mode & 0o001) or (about.st_uid == uid and bool(about.st_mode & 0o100))


def _paths_of_packages() -> list[list[str]]:
    found = [getattr(module, "__path__", None) for module in list(sys.modules.values())]
    return [path for path in found if type(path) is list]


def _moved(entry: str, folder: str, door: str) -> str:
    inside = entry == folder or entry.startswith(f"{folder}/")
    return door + entry[len(folder):] if inside else entry
