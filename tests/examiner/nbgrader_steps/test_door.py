"""`nbgrader autograde` copies what links point at; the examiner's step takes that back."""

import os
from pathlib import Path

import pytest

import one_homework
from viva_examiner.nbgrader_steps.preprocessors import usable_files

HOMEWORK = one_homework.HOMEWORK


@pytest.fixture
def course(tmp_path):
    return one_homework.make(tmp_path / "course", names=("stable_softmax",))


def test_a_copy_of_what_a_link_points_at_is_neither_used_nor_kept(course):
    submitted, copied, given = (
        Path(course.path(step, student, HOMEWORK))
        for step, student in (("submitted", "eve"), ("autograded", "eve"), ("source", ".")))
    for folder in (submitted, copied):
        folder.mkdir(parents=True)
        (folder / "data.csv").write_text("1,2")
    os.symlink(course.root / "gradebook.db", submitted / "timestamp.txt")
    os.symlink(course.root / "gradebook.db", submitted / "notes.txt")
    for name in ("timestamp.txt", "notes.txt"):
        (copied / name).write_text("the marks of everybody")
    for folder in (given, copied):
        (folder / "staff.csv").write_text("3,4")
    taken, remarks = usable_files(course, HOMEWORK, "eve", copied)
    assert taken.other_files() == {"data.csv": b"1,2", "staff.csv": b"3,4"}
    assert sorted(path.name for path in copied.iterdir()) == ["data.csv", "staff.csv"]
    assert len(remarks) == 2 and all("it is a link" in remark.text for remark in remarks)
