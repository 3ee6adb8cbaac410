"""A submission is read once: key, marks and the files that are kept are of the same moment."""

from pathlib import Path

import pytest

import courses
import plain_course
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.autograde.spool import Spool
from viva_examiner.records import Work


@pytest.fixture
def course(tmp_path):
    made = courses.make(tmp_path / "course", "plain", plain_course.source_notebook())
    hand_in(made, "right")
    return made


def hand_in(course, kind: str) -> None:
    courses.hand_in(course, "plain", "ada", plain_course.submission(kind), **{
        "data.csv": kind.encode(),
        "timestamp.txt": {"right": b"2026-01-01", "half": b"2026-02-02"}[kind] + b" 10:00 UTC"})


def test_what_lies_there_later_counts_in_the_next_run(course, examiner_here):
    """First A, then B while it is graded, then A again: the marks are A's, and they hold."""
    right = autograde(course, "plain", run=examiner_here.run).results[0].score
    hand_in(course, "half")
    half = autograde(course, "plain", run=examiner_here.run).results[0].score
    assert half < right

    def changed_meanwhile(jobs, *about):
        hand_in(course, "right")
        yield from examiner_here.run(jobs, *about)
        hand_in(course, "half")

    summary = autograde(course, "plain", force=True, run=changed_meanwhile)
    assert [graded.score for graded in summary.results] == [half]
    kept = Path(course.path("autograded", "ada", "plain"))
    assert (kept / "data.csv").read_bytes() == b"half"
    assert (kept / "timestamp.txt").read_bytes().startswith(b"2026-02-02")
    again = autograde(course, "plain", run=examiner_here.run)
    assert again.skipped == 1 and not again.results
    hand_in(course, "right")
    assert [graded.score for graded in autograde(course, "plain", run=examiner_here.run).results
            ] == [right]


def test_a_folder_is_opened_once(course, examiner_here, monkeypatch):
    from viva_examiner.gradebook import submissions

    opened, read = [], submissions.read_folder
    monkeypatch.setattr(submissions, "read_folder",
                        lambda folder: opened.append(folder) or read(folder))
    autograde(course, "plain", run=examiner_here.run)
    assert len(opened) == 1


def test_a_spool_gives_back_what_it_got_in_any_order(tmp_path, monkeypatch):
    monkeypatch.setattr("viva_examiner.autograde.spool.IN_MEMORY", 10)
    works = [Work(bytes([number]) * number, student=str(number)) for number in range(20)]
    with Spool(tmp_path) as spool:
        readers = [spool.keep(work.to_bytes()) for work in works]
        for number in (7, 3, 19, 3, 0):
            assert Work.from_bytes(readers[number]()) == works[number]
        assert not list(tmp_path.iterdir()), "a file without a name"
