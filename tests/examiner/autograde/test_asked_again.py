"""The same work that comes again with a request keeps its time, and marks hold for their code."""

import json
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

import courses
import plain_course
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.cli import main
from viva_examiner.gradebook import ledger, request_book
from viva_examiner.gradebook.standing import LOOK, of_submission

ASKS = json.dumps({"schema": "viva-request/1", "homeworks": {"plain": {"requests": {
    "test_squares": {"because": "It is right.", "time": "2026-02-03T07:00:00Z"}}}}})


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    return courses.make(root, "plain", plain_course.source_notebook())


@pytest.fixture
def course(released, tmp_path, monkeypatch):
    course = courses.copy_of(released, tmp_path / "course")
    monkeypatch.chdir(course.root)
    return course


def hand_in(course, which: str, time: str, asks: bool = False) -> Path:
    courses.hand_in(course, "plain", "ada", plain_course.submission(which))
    folder = Path(course.path("submitted", "ada", "plain"))
    (folder / "timestamp.txt").write_text(time)
    if asks:
        (folder / "regrade_request.json").write_text(ASKS)
    return folder


def found(course) -> tuple:
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        submission = gradebook.find_submission("plain", "ada")
        cells = {cell.name: cell for cell in of_submission(submission).cells}
        return str(submission.timestamp)[:10], cells["test_squares"]


def test_asking_makes_nobody_late_and_other_work_does(course, capsys):
    hand_in(course, "half", "2026-02-01 12:00:00 UTC")
    assert main(["autograde", "plain"]) == 0
    folder = hand_in(course, "half", "2026-02-04 12:00:00 UTC", asks=True)
    (folder / "submission_log.json").write_text('{"schema": "viva-log/1"}')  # examined again
    capsys.readouterr()
    assert main(["autograde", "plain"]) == 0
    assert "1 request waits for a second look" in capsys.readouterr().out
    assert found(course)[0] == "2026-02-01"
    with request_book.opened(course, "plain") as queue:
        [each] = queue.waiting()
        assert f"{each.at:%Y-%m-%d}" == "2026-02-04" and not queue.is_outdated(each)
    beside = Path(course.path("autograded", "ada", "plain"))
    assert not (beside / "regrade_request.json").exists(), "no code of the student meets it"
    hand_in(course, "right", "2026-02-05 12:00:00 UTC", asks=True)
    assert main(["autograde", "plain"]) == 0
    assert found(course)[0] == "2026-02-05"
    with request_book.opened(course, "plain") as queue:
        assert queue.is_outdated(queue.waiting()[0])


def rewritten(which: str, comment: str) -> bytes:
    """The same code but for a comment in one function: the same marks by other text."""
    notebook = json.loads(plain_course.submission(which))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "squares":
            cell["source"] += f"\n# {comment}"
    return json.dumps(notebook).encode()


def test_a_mark_by_hand_on_a_test_holds_for_the_code_it_was_given_for(course):
    courses.hand_in(course, "plain", "ada", rewritten("half", "the first"))
    autograde(course, "plain")
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:  # as formgrader does
        grade = gradebook.find_grade("test_squares", "plain", "plain", "ada")
        grade.manual_score, automatic = 2.5, grade.auto_score
        gradebook.db.commit()
    autograde(course, "plain", force=True)
    assert (found(course)[1].score, found(course)[1].waits) == (2.5, ""), "the same code"
    courses.hand_in(course, "plain", "ada", rewritten("half", "the second"))
    autograde(course, "plain")
    assert (found(course)[1].score, found(course)[1].waits) == (2.5, LOOK), "somebody has to look"
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        assert gradebook.find_grade("test_squares", "plain", "plain", "ada").auto_score == automatic
    with ledger.opened(course) as book:
        mark, changed = book.entries(student="ada", cell="test_squares")
    assert "the first" in mark.payload["answer"] and changed.kind == ledger.CHANGED


def test_a_request_goes_through_nbgraders_exchange_with_the_homework(tmp_path, monkeypatch,
                                                                     capsys):
    """What a hub does, by nbgrader's own commands: release, fetch, submit, collect, twice."""
    exchange, student = tmp_path / "exchange", tmp_path / "student"
    for folder in (exchange, student):
        folder.mkdir()
    exchange.chmod(0o777)
    line = f"c.Exchange.root = {str(exchange)!r}\nc.CourseDirectory.course_id = 'plain'"
    course = courses.make(tmp_path / "course", "plain", plain_course.source_notebook(), extra=line)
    (student / "nbgrader_config.py").write_text(f"c = get_config()\n{line}\n")

    def run(folder, *words):
        done = courses.nbgrader(folder, *words)
        assert done.returncode == 0, done.stderr

    run(course.root, "release_assignment", "plain")
    run(student, "fetch_assignment", "plain")
    (student / "plain" / "plain.ipynb").write_bytes(plain_course.submission("half"))
    run(student, "submit", "plain")
    run(course.root, "collect", "plain")
    monkeypatch.chdir(course.root)
    assert main(["autograde", "plain"]) == 0
    [name] = [path.name for path in (course.root / "submitted").iterdir()]
    stamp = course.root / "submitted" / name / "plain" / "timestamp.txt"
    first = stamp.read_text()
    asks = ASKS.replace("2026-02-03", "2020-02-03")  # before the exchange's time
    (student / "plain" / "regrade_request.json").write_text(asks)
    run(student, "submit", "plain")
    run(course.root, "collect", "plain", "--update")
    assert stamp.read_text() != first
    assert main(["autograde", "plain"]) == 0
    with request_book.opened(course, "plain") as queue:
        assert [(each.student, each.cell) for each in queue.waiting()] == [(name, "test_squares")]
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        stands = gradebook.find_submission("plain", name).timestamp
    assert str(stands)[:19] == first[:19], "the same work keeps its time"
    way_back = "submission_secret.txt"  # by which nbgrader releases feedback of the last submission
    assert (course.root / "autograded" / name / "plain" / way_back).read_text() == (
        stamp.with_name(way_back).read_text())
