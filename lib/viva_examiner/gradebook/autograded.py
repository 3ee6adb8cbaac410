"""What was autograded: a folder per student, written whole or not at all."""

import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from viva.log import LOG_NAME
from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.files import sync
from viva_examiner.gradebook.handed_in import STAMP
from viva_examiner.gradebook.submissions import Submission
from viva_examiner.records import Graded, Work

METADATA = '], "metadata": {'
END = re.compile(r',\s*"nbformat":\s*\d+,\s*"nbformat_minor":\s*\d+\s*\}\s*')
DECODER = json.JSONDecoder()
RECORD = "viva"  # the key of our record in an autograded notebook's metadata


def stored(course: Course, submission: Submission, notebook: str) -> Graded | None:
    """The record of an earlier autograding, from the notebook it left; None if there is none."""
    found = read(_folder(course, submission.student, submission.homework) / f"{notebook}.ipynb")
    return found[0] if found else None


def read(path: Path) -> tuple[Graded, dict[str, Any]] | None:
    """The record in an autograded notebook, and the notebook as JSON data.

    None if it is not of ours, or of an edition whose records were others.
    """
    try:
        text = path.read_text()
        notebook = json.loads(text)
        return Graded.from_plain(notebook["metadata"][RECORD] | {"text": text}), notebook
    except (OSError, ValueError, KeyError, TypeError):
        return None


def record(path: Path) -> Graded | None:
    """The record alone, without reading the cells: a seventh of the time.

    It is the last object of the file but for the format's two numbers. Its beginning cannot be
    imitated inside a student's text, where a quotation mark has a backslash before it.
    """
    try:
        text = path.read_text()
    except (OSError, ValueError):
        return None
    at = len(text)
    while (at := text.rfind(METADATA, 0, at)) >= 0:
        try:
            metadata, end = DECODER.raw_decode(text, at + len(METADATA) - 1)
            if END.fullmatch(text, end):
                return Graded.from_plain(metadata[RECORD] | {"text": ""})
        except (ValueError, KeyError, TypeError):
            break
    found = read(path)
    return None if found is None else replace(found[0], text="")


def keep(course: Course, work: Work, graded: list[Graded]) -> None:
    """Write a submission's autograded folder: complete under its final name, or not there.

    work: the reading that was graded; its files and its time are kept
    """
    final = _folder(course, work.student, graded[0].homework)
    fresh = final.with_name(f".{final.name}.new-{os.getpid()}")
    old = final.with_name(f".{final.name}.old-{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        for name, data in work.files.items():
            write_whole(fresh / name, data)
        if work.stamp:
            write_whole(fresh / STAMP, work.stamp)
        for each in graded:
            write_whole(fresh / f"{each.notebook}.ipynb", each.text.encode())
            if each.log:
                write_whole(fresh / LOG_NAME, each.log.encode())
        if final.exists():
            final.rename(old)
        fresh.rename(final)
        sync(final.parent)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        if old.exists() and not final.exists():
            old.rename(final)
        shutil.rmtree(old, ignore_errors=True)


def tidy(course: Course, homework: str) -> None:
    """Remove what an interrupted run left under temporary names; bring back a moved folder."""
    for left in Path(course.path("autograded", "*", homework)).parents[1].glob(f"*/.{homework}.*"):
        final = left.parent / homework
        if ".old-" in left.name and not final.exists():
            left.rename(final)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _folder(course: Course, student: str, homework: str) -> Path:
    return Path(course.path("autograded", student, homework))
