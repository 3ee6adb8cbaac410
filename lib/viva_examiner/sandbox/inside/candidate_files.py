"""The candidate's files: written when it starts, and looked at when a test looks for files."""

import os
from collections.abc import Iterable, Iterator

import numpy as np

MAX_FILES, MAX_DEPTH = 200, 3


def write(files: dict, mode: str = "wb") -> None:
    """Write files of plain bytes into the working directory."""
    for name, data in files.items():
        folder = os.path.dirname(name)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(name, mode) as file:
            file.write(data.tobytes())


def changed(known: dict, suffixes: Iterable[str], room: int) -> dict:
    """{name: (stamp, bytes)} of the files with these suffixes that are not as they were known."""
    found = {}
    for name, stamp in stamps(suffixes):
        if known.get(name) == stamp:
            continue
        with open(name, "rb") as file:
            data = file.read(room + 1)
        if len(data) <= room:
            room -= len(data)
            found[name] = (stamp, np.frombuffer(data, np.uint8))
    return found


def stamps(suffixes: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(name, time and size) of the files below the working directory, no more than some."""
    left = MAX_FILES
    for folder, below, names in os.walk("."):
        if folder.count("/") >= MAX_DEPTH:
            below.clear()
        for name in names:
            path = os.path.normpath(os.path.join(folder, name))
            if path.lower().endswith(tuple(suffixes)) and os.path.isfile(path) and left > 0:
                left -= 1
                about = os.stat(path)
                yield path, f"{about.st_mtime_ns} {about.st_size}"
