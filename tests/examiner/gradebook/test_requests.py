"""Requests for a second look: taken in, bounded, answered through the ledger, on both databases."""

import json
import threading
from datetime import UTC, datetime, timedelta

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import text

from marked_course import hand_in, write_course
from viva_examiner.cli import main
from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import dump, ledger, request_book
from viva_examiner.gradebook.backups import back_up, restore
from viva_examiner.gradebook.own_data import _about
from viva_examiner.gradebook.request_book import (
    ACCEPTED,
    CORRECTED,
    DECLINED,
    OPEN,
    REFUSED,
    WITHDRAWN,
    Answered,
)
from viva_examiner.gradebook.request_file import MAX_BYTES, UnreadableRequests, asked
from viva_examiner.gradebook.request_intake import RequestFile, closing_time, take_in


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    course = write_course(tmp_path / "course", empty_gradebook)
    for student, test in (("ada", 2.0), ("bob", 6.0), ("cyd", 0.0)):
        hand_in(course, "one", student, test, written=1.0)
    monkeypatch.chdir(course.root)
    monkeypatch.setenv("VIVA_GRADER", "tina")
    return course


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request, course, tmp_path):
    """The same class on each database in turn."""
    if request.param == "sqlite":
        return course
    back_up(course, tmp_path / "class.zip")
    there = tmp_path / "there"
    there.mkdir()
    url = request.getfixturevalue("postgresql")
    (there / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'm'\nc.CourseDirectory.db_url = {url!r}")
    moved = Course(there)
    restore(moved, tmp_path / "class.zip", replace=True)
    return moved


def configure(course, line: str) -> Course:
    config = course.root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}\n{line}\n")
    return Course(course.root)


def wrote(at: int = 0, homework: str = "one", **because) -> bytes:
    """A file as the kit writes it; a reason of None withdraws. at: minutes after seven"""
    moment = f"2026-02-03T07:{at:02}:00Z"
    said = {name: {"withdrawn": True, "time": moment} if each is None
            else {"because": each, "time": moment} for name, each in because.items()}
    return json.dumps({"schema": "viva-request/1", "kit": "3", "homeworks": {
        homework: {"student": "x", "requests": said}}}).encode()


def take(course, student: str, data: bytes, when: datetime | None = None) -> list[str]:
    return take_in(course, "one", {student: RequestFile(data, when)})


def states(course, student: str | None = None) -> list[tuple[str, str]]:
    with request_book.opened(course, "one") as queue:
        return [(each.cell, each.state) for each in queue.all(student=student)]


def mark(course, student: str, cell: str = "test_sum") -> tuple:
    with Gradebook(course.db_url, "m") as book:
        grade = book.find_grade(cell, "one", "one", student)
        return grade.auto_score, grade.manual_score, bool(grade.needs_manual_grade)


def test_a_request_waits_with_the_mark_that_it_is_about(either):
    when = datetime(2026, 2, 3, 8, tzinfo=UTC)
    assert take(either, "ada", wrote(test_sum="It is right.\nLook at line 3."), when) == [
        "ada asks about test_sum"]
    with request_book.opened(either, "one") as queue:
        [each] = queue.waiting()
        assert (each.student, each.submitter, each.cell) == ("ada", "ada", "test_sum")
        assert (each.because, each.score) == ("It is right.\nLook at line 3.", 2.0)
        assert each.at == when and each.state == OPEN and not queue.is_outdated(each)
        assert queue.standing(each).automatic == 2.0 and queue.points(queue.standing(each)) == 6.0
    assert take(either, "ada", wrote(test_sum="It is right.\nLook at line 3."), when) == []
    assert len(states(either)) == 1, "the same file changes nothing"


def test_accept_correct_and_decline_are_entries_and_marks_go_through_the_ledger(either):
    take(either, "ada", wrote(test_sum="a", written_why="b"))
    take(either, "cyd", wrote(test_sum="c"))
    with request_book.opened(either, "one") as queue:
        first, second, third = (each.id for each in queue.waiting())
        queue.accept(first, "You are right.", "tina")
        queue.correct(second, 2.5, "Half of it.", "tom")
        queue.decline(third, "The text says so.", "tina")
    assert [state for _, state in states(either)] == [ACCEPTED, CORRECTED, DECLINED]
    assert mark(either, "ada") == (2.0, 6.0, False)
    assert mark(either, "ada", "written_why")[1] == 2.5
    assert mark(either, "cyd") == (0.0, None, False)
    with ledger.opened(either) as book:
        answers = book.entries(ledger.ANSWERED)
        assert [(each.author, each.payload["verdict"], each.payload["words"]) for each in answers] \
            == [("tina", ACCEPTED, "You are right."), ("tom", CORRECTED, "Half of it."),
                ("tina", DECLINED, "The text says so.")]
        given = book.last(ledger.MARK, student="ada", cell="test_sum")
        assert (given.author, given.payload["score"]) == ("tina", 6.0)
        assert given.payload["why"] == f"request {first}"
        assert given.payload["before"] == {"score": None, "comment": ""}


def test_an_answer_needs_words_a_possible_mark_and_comes_once(course):
    take(course, "ada", wrote(test_sum="a"))
    with request_book.opened(course, "one") as queue:
        number = queue.waiting()[0].id
        for act in (lambda: queue.decline(number, "  "), lambda: queue.correct(number, 7, "no"),
                    lambda: queue.correct(number, float("nan"), "no"),
                    lambda: queue.decline(number, "x" * 5000), lambda: queue.get(99)):
            with pytest.raises(Failure):
                act()
        queue.decline(number, "No.")
        with pytest.raises(Answered, match="declined by tina"):
            queue.accept(number, "Yes.")
    assert mark(course, "ada") == (2.0, None, False)


def test_of_two_tas_at_once_one_answers_and_the_other_is_told(either):
    take(either, "ada", wrote(test_sum="a"))
    with request_book.opened(either, "one") as queue:
        number = queue.waiting()[0].id
    ready, told = threading.Barrier(4), []

    def answer(points):
        with request_book.opened(either, "one") as queue:
            queue.get(number)
            ready.wait()
            try:
                queue.correct(number, points, f"{points}", f"ta{points}")
                told.append(points)
            except Failure as late:
                told.append(str(late))

    threads = [threading.Thread(target=answer, args=(points,)) for points in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    [winner] = [each for each in told if isinstance(each, int)]
    assert len(told) == 4 and mark(either, "ada")[1] == winner
    with ledger.opened(either) as book:
        assert len(book.entries(ledger.ANSWERED)) == len(book.entries(ledger.MARK)) == 1
    assert states(either) == [("test_sum", CORRECTED)]


def test_a_request_can_be_reworded_and_withdrawn_until_it_is_answered(course):
    take(course, "ada", wrote(1, test_sum="first"))
    assert take(course, "ada", wrote(2, test_sum="better")) == [
        "ada has reworded the request about test_sum"]
    assert take(course, "ada", wrote(1, test_sum="first")) == [], "an old file says nothing new"
    with request_book.opened(course, "one") as queue:
        assert queue.waiting()[0].because == "better"
    assert take(course, "ada", wrote(3, test_sum=None)) == [
        "ada withdraws the request about test_sum"]
    assert states(course) == [("test_sum", WITHDRAWN)]
    take(course, "ada", wrote(4, test_sum="again"))
    with request_book.opened(course, "one") as queue:
        queue.decline(queue.waiting()[0].id, "No.")
    take(course, "ada", wrote(5, test_sum=None))
    assert [state for _, state in states(course)] == [WITHDRAWN, DECLINED]


def test_requests_are_bounded_per_student_and_answered_once(course):
    course = configure(course, "c.Examiner.requests_per_homework = 1")
    take(course, "ada", wrote(1, test_sum="a", written_why="b"))
    assert states(course, "ada") == [("test_sum", OPEN), ("written_why", REFUSED)]
    take(course, "bob", wrote(1, test_sum="a"))
    assert states(course, "bob") == [("test_sum", OPEN)], "the bound is each student's own"
    with request_book.opened(course, "one") as queue:
        assert queue.all(REFUSED)[0].answer == "1 request about a homework can be made."
        queue.decline(queue.all(student="ada")[0].id, "No.")
    said = take(course, "ada", wrote(2, test_sum="once more"))
    assert "answered once" in said[0] and states(course, "ada")[-1] == ("test_sum", REFUSED)
    for minute in range(3, 60):
        take(course, "ada", wrote(minute, test_sum="and more", written_why="more"))
    assert len(states(course, "ada")) == 60, "not even refusals are without end"


def test_requests_close_at_a_date(course):
    course = configure(course, "c.Examiner.requests_until = {'one': '2026-02-03', '*': 'soon'}")
    assert closing_time(course, "one") == datetime(2026, 2, 3, 23, 59, 59, tzinfo=UTC)
    with pytest.raises(Failure, match="write a date"):
        closing_time(course, "two")
    take(course, "ada", wrote(test_sum="in time"), datetime(2026, 2, 3, 20, tzinfo=UTC))
    take(course, "bob", wrote(test_sum="late"), datetime(2026, 2, 4, 1, tzinfo=UTC))
    take(course, "cyd", wrote(test_sum="nobody knows when"))
    assert states(course) == [("test_sum", OPEN), ("test_sum", REFUSED), ("test_sum", REFUSED)]
    with request_book.opened(course, "one") as queue:
        assert "until 2026-02-03 23:59 UTC" in queue.all(REFUSED)[0].answer


def test_a_request_is_about_the_attempt_that_was_graded_when_it_came(course):
    take(course, "ada", wrote(1, test_sum="a"))
    hand_in(course, "one", "ada", 1.0, written=1.0, answer="Another answer.")
    with request_book.opened(course, "one") as queue:
        [old] = queue.waiting()
        assert queue.is_outdated(old)
        with pytest.raises(Failure, match="earlier attempt"):
            queue.accept(old.id, "Yes.")
    assert mark(course, "ada") == (1.0, None, False)
    take(course, "ada", wrote(2, test_sum="about the new one"))
    with request_book.opened(course, "one") as queue:
        new = queue.waiting()[0]
        assert queue.get(old.id).state == WITHDRAWN and new.score == 1.0
        queue.accept(new.id, "Yes.")
    assert mark(course, "ada")[1] == 6.0


def test_a_request_before_anything_is_graded_waits_for_the_first_mark(course):
    assert take(course, "zoe", wrote(test_sum="early")) == ["zoe asks about test_sum"]
    with request_book.opened(course, "one") as queue:
        number = queue.waiting()[0].id
        with pytest.raises(Failure, match="nothing of zoe is graded"):
            queue.accept(number, "Yes.")
    hand_in(course, "one", "zoe", 3.0)
    take(course, "bob", wrote(test_sum="another"))
    with request_book.opened(course, "one") as queue:
        assert (queue.get(number).submitter, queue.get(number).score) == ("zoe", 3.0)


def test_a_member_of_a_group_asks_about_the_work_of_another(course):
    (course.root / "roster.csv").write_text(
        "student,homework,group\nada,one,red\ndan,one,red\n")
    with Gradebook(course.db_url, "m") as book:
        book.add_student("dan")
    take(course, "dan", wrote(test_sum="ours"))
    with request_book.opened(course, "one") as queue:
        [each] = queue.waiting()
        assert (each.student, each.submitter, each.score) == ("dan", "ada", 2.0)
        queue.accept(each.id, "Yes.")
    assert mark(course, "ada")[1] == 6.0
    assert not (course.root / "submitted").exists(), "no submission appears out of a request"


def test_a_file_that_an_exchange_put_beside_the_homework_is_found(course, capsys):
    folder = course.root / "submitted" / "ada" / "one"
    folder.mkdir(parents=True)
    (folder / "one.ipynb").write_text("{}")
    (folder / "regrade_request.json").write_bytes(wrote(test_sum="by the exchange"))
    (folder / "timestamp.txt").write_text("2026-02-03 09:00:00 UTC")
    assert main(["requests", "one"]) == 0
    said = capsys.readouterr().out
    assert "ada asks about test_sum" in said and "by the exchange" in said
    assert "2026-02-03 09:00" in said


HOSTILE = {
    "no JSON": b"\x00rubbish", "empty": b"", "a list": b"[]", "a bomb": b"[" * 100_000,
    "another version": b'{"schema": "x", "homeworks": {}}',
    "too large": b" " * (MAX_BYTES + 1),
    "no reason": wrote(test_sum=""),
    "a number for a reason": wrote(test_sum=None).replace(b'"withdrawn": true', b'"because": 7'),
    "too many": wrote(**{f"test_{n}": "x" for n in range(21)}),
    "a name that moves the cursor": wrote(**{"test_\x1b[2J": "x"}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_the_kit_did_not_write_is_told_and_nothing_is_taken(course, name):
    with pytest.raises(UnreadableRequests):
        asked(HOSTILE[name], "one")
    [said] = take(course, "ada", HOSTILE[name])
    assert said.startswith("ada: regrade_request.json") and said.isprintable()
    assert states(course) == []


def test_a_request_about_no_test_of_the_homework_is_told(course):
    [said] = take(course, "ada", wrote(test_nothing="x"))
    assert said == "ada asks about test_nothing, which one does not have: not taken"
    assert take(course, "ada", wrote(homework="two", test_sum="x")) == []


def test_hostile_words_are_kept_as_words(course, capsys):
    words = "<script>alert(1)</script>\x1b[2J\x07\ud800 '; DROP TABLE student; --\r\n{{7*7}}\u202e"
    data = wrote(test_sum=words)
    take(course, "ada", data)
    with request_book.opened(course, "one") as queue:
        kept = queue.waiting()[0].because
        assert "\x1b" not in kept and "\u202e" not in kept and "<script>" in kept
        kept.encode()
        queue.decline(queue.waiting()[0].id, "No \x1b[31m red")
    assert main(["requests", "one", "--all"]) == 0
    assert main(["requests", "one", "1"]) == 0
    assert main(["history", "one", "ada"]) == 0
    said = capsys.readouterr().out
    assert all(line.isprintable() for line in said.splitlines())
    assert "request 1 declined: No" in said


def test_a_long_reason_is_cut(course):
    take(course, "ada", wrote(test_sum="x" * 5000))
    with request_book.opened(course, "one") as queue:
        assert len(queue.waiting()[0].because) == 2000


def test_the_terminal_lists_and_answers(course, capsys):
    assert main(["requests", "one"]) == 0
    assert "Nobody asks" in capsys.readouterr().out
    take(course, "ada", wrote(test_sum="It is right."))
    assert main(["requests", "one"]) == 0
    said = capsys.readouterr().out
    assert "ada  test_sum: 2 points of 6" in said and "It is right." in said
    assert main(["requests", "one", "--accept"]) == 2
    assert main(["requests", "one", "1", "--accept"]) == 2, "without words"
    assert main(["requests", "one", "1", "--correct", "3.5", "--words", "You are right."]) == 0
    assert "corrected, tina" in capsys.readouterr().out
    assert mark(course, "ada") == (2.0, 3.5, False)
    assert main(["requests", "one", "1", "--decline", "--words", "No."]) == 2
    assert main(["requests", "one"]) == 0 and "Nobody asks" in capsys.readouterr().out
    assert main(["requests", "one", "--all"]) == 0 and "corrected" in capsys.readouterr().out


def test_requests_are_in_backup_own_data_and_forgotten(either, tmp_path, capsys, monkeypatch):
    (either.root / "roster.csv").write_text("student,homework,group\nada,one,red\ndan,one,red\n")
    with Gradebook(either.db_url, "m") as book:
        book.update_or_create_student("dan")
    take(either, "ada", wrote(test_sum="mine"))
    take(either, "dan", wrote(test_sum="ours"))
    assert _about(either, ["ada"])["requests"][0]["because"] == "mine"
    back_up(either, tmp_path / "kept.zip")
    there = tmp_path / "elsewhere"
    there.mkdir()
    (there / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'm'\n")
    restore(Course(there), tmp_path / "kept.zip")
    assert len(states(Course(there))) == 2
    monkeypatch.chdir(either.root)
    assert main(["forget", "ada", "--yes", "--anyway"]) == 0
    assert "requests: 1" in capsys.readouterr().out
    assert '"ada' not in "".join(dump.dumped(either).values())
    assert states(either) == [("test_sum", OPEN)]


def test_a_gradebook_from_before_requests_gets_their_table(course):
    with ledger.opened(course) as book:
        book.db.execute(text("DROP TABLE viva_requests"))
        book.db.execute(text("DELETE FROM viva_form WHERE version > 1"))
    take(course, "ada", wrote(test_sum="x"))
    assert states(course) == [("test_sum", OPEN)]


def test_a_time_in_the_future_or_before_the_request_is_not_believed(course):
    before = datetime.now(UTC)
    take(course, "ada", wrote(test_sum="x"), before + timedelta(days=3))
    take(course, "bob", wrote(test_sum="x"), datetime(2026, 2, 1, tzinfo=UTC))
    with request_book.opened(course, "one") as queue:
        assert all(before <= each.at <= datetime.now(UTC) for each in queue.waiting())


def test_the_answer_stands_in_the_feedback_and_a_students_words_stay_words(course):
    take(course, "ada", wrote(1, test_sum="<script>alert(1)</script>\nline two", written_why="w"))
    take(course, "bob", wrote(1, test_sum="still open"))
    with request_book.opened(course, "one") as queue:
        number = queue.waiting()[0].id
        queue.correct(number, 5, "You are right,\n<b>thank you</b>.", "tina")
    assert main(["feedback", "one"]) == 0
    page = (course.root / "feedback" / "ada" / "one" / "one.html").read_text()
    assert "<script>" not in page and "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "the mark was corrected on" in page and "&lt;b&gt;thank you&lt;/b&gt;" in page
    assert "5 of 6 points" in page and "not answered yet" in page
    other = (course.root / "feedback" / "bob" / "one" / "one.html").read_text()
    assert "still open" in other and "thank you" not in other
    assert main(["requests", "one", str(number), "--decline", "--words", "x"]) == 2


def test_feedback_of_another_attempt_says_nothing_of_the_old_request(course):
    take(course, "ada", wrote(1, test_sum="about the first"))
    hand_in(course, "one", "ada", 1.0, written=1.0, answer="Another answer.")
    assert main(["feedback", "one"]) == 0
    page = (course.root / "feedback" / "ada" / "one" / "one.html").read_text()
    assert "about the first" not in page
