"""A small course to collect for: two homeworks, three students, and a notebook of each."""

import json
from datetime import UTC, datetime
from pathlib import Path

from viva_examiner.collect.collecting import Collection, Dates, collect
from viva_examiner.collect.students import Students
from viva_examiner.collect.worksheet import Worksheet
from viva_examiner.notebook.whose_homework import Profile

PEOPLE = [
    {"id": "ada", "first_name": "Ada", "last_name": "Lovelace", "lms_user_id": "101",
     "email": "ada@example.org"},
    {"id": "bob", "first_name": "Bob", "last_name": "Byron", "lms_user_id": "102",
     "email": "bob@example.org"},
    {"id": "cyd", "first_name": "Cyd", "last_name": "Byron", "lms_user_id": "103"},
]
TABLE = Students.of(PEOPLE)
PROFILES = [Profile("attention", "attention", frozenset({"one", "test_one", "two"}),
              frozenset({"one", "two"})),
         Profile("kernels", "kernels", frozenset({"three", "test_three"}), frozenset({"three"}))]
NOW = datetime(2026, 11, 1, tzinfo=UTC)
RELEASED = datetime(2026, 9, 1, tzinfo=UTC)
DUE = datetime(2026, 10, 20, tzinfo=UTC)


def notebook(*ids: str, text: str = "") -> bytes:
    cells = [{"cell_type": "code", "source": text, "outputs": [], "execution_count": None,
              "metadata": {"nbgrader": {"grade_id": each}}} for each in ids]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


ATTENTION = notebook("one", "test_one", "two")
KERNELS = notebook("three", "test_three")
LOG = b'{"schema": "viva-log/1"}'
WHOLE = {"attention.ipynb": ATTENTION, "submission_log.json": LOG}


def work(text: str) -> dict[str, bytes]:
    """One person's own notebook and log."""
    return {"attention.ipynb": notebook("one", "test_one", "two", text=text),
            "submission_log.json": LOG}


def collected(*sources: Path, students: Students = TABLE, due: datetime | None = None,
              worksheet: Worksheet | None = None) -> Collection:
    return collect(list(sources), "attention", PROFILES, students, Dates(RELEASED, due, NOW),
                   worksheet)


def owners(found: Collection) -> dict[str, str]:
    """{student: the text in the notebook that was taken for them}."""
    return {student: json.loads(taken.files["attention.ipynb"])["cells"][0]["source"]
            for student, taken in found.taken.items() if taken.has_notebook}


def refused(found: Collection, *words: str) -> bool:
    """Whether one line of what was not taken holds all of these words."""
    return any(all(word in line for word in words) for line in found.refused)
