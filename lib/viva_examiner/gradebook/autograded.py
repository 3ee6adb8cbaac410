"""What was autograded: a folder per student, written whole or not at all."""

import json
import os
import shutil
from pathlib import Path

from viva.log import LOG_NAME
from viva_examiner.files import sync, write_whole
from viva_examiner.gradebook.submissions import STAMP, Submission
from viva_examiner.records import Graded

RECORD = "viva"  # the key of our record in an autograded notebook's metadata


def stored(course, submission: Submission, notebook: str) -> Graded | None:
    """The record of an earlier autograding, from the notebook it left; None if there is none."""
    path = _autograded(course, submission) / f"{notebook}.ipynb"
    try:
        text = path.read_text()
        summary = json.loads(text)["metadata"][RECORD]
        return Graded(**summary, text=text)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(course, submission: Submission, graded: list[Graded]) -> None:
    """Write a submission's autograded folder: complete under its final name, or not there."""
    final = _autograded(course, submission)
    fresh = final.with_name(f".{final.name}.new-{os.getpid()}")
    old = final.with_name(f".{final.name}.old-{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        for name, data in submission.files().items():
            write_whole(fresh / name, data)
        if stamp := submission.stamp():
            write_whole(fresh / STAMP, stamp)
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


def tidy(course, homework: str) -> None:
    """Remove what an interrupted run left under temporary names; bring back a moved folder."""
    for left in Path(course.path("autograded", "*", homework)).parents[1].glob(f"*/.{homework}.*"):
        final = left.parent / homework
        if ".old-" in left.name and not final.exists():
            left.rename(final)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _autograded(course, submission: Submission) -> Path:
    return Path(course.path("autograded", submission.student, submission.homework))
