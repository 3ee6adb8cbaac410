"""Requests at the desk: read beside the mark, answered with words, once."""

import json
from datetime import UTC, datetime

import pytest
from nbgrader.api import Gradebook

import marked_course
from desk_server import desk
from viva_examiner.gradebook import request_book
from viva_examiner.gradebook.request_intake import RequestFile, take_in

HOSTILE = "because <script>alert(1)</script> & more"


@pytest.fixture
def course(tmp_path, empty_gradebook):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    said = {"because": HOSTILE, "time": "2026-02-03T07:00:00Z"}
    file = json.dumps({"schema": "viva-request/1", "kit": "3", "homeworks": {
        "one": {"student": "x", "requests": {"test_sum": said}}}}).encode()
    for student, test in (("ada", 2.0), ("bob", 3.0), ("cyd", 0.0)):
        marked_course.hand_in(course, "one", student, test, written=1.0)
        take_in(course, "one", {student: RequestFile(file, datetime(2026, 2, 3, 8, tzinfo=UTC))})
    return course


def mark(course, student):
    with Gradebook(course.db_url, "m") as book:
        return book.find_grade("test_sum", "one", "one", student).manual_score


def test_accept_correct_and_decline(course):
    with desk(course, "--as", "tina") as served:
        assert "answer 3 requests" in served.get("").text
        page = served.get("requests", "one").text
        assert "&lt;script&gt;" in page and "<script>alert" not in page
        assert "Now 2 of 6 points" in page and page.count("<article") == 3
        with request_book.opened(course, "one") as queue:
            number = {each.student: str(each.id) for each in queue.waiting()}
        shown = {"ada": "– 2", "bob": "– 3", "cyd": "– 0"}

        def answer(student, **told):
            return served.post("requests", "one", number[student],
                               data={"seen": shown[student]} | told)

        assert all(f'value="{each}"' in page for each in shown.values())
        assert answer("ada", verdict="accept", words="").status_code == 400  # no words
        assert answer("ada", verdict="correct", words="x", points="lots").status_code == 400
        assert answer("ada", verdict="correct", words="x", points="7").status_code == 400
        assert answer("ada", verdict="shrug", words="x").status_code == 400
        assert mark(course, "ada") is None
        assert answer("ada", verdict="accept", words="You are right.").status_code == 200
        assert answer("bob", verdict="correct", words="Half.", points="4.5").status_code == 200
        assert answer("cyd", verdict="decline", words="It is as the text says.").status_code == 200
        late = answer("ada", verdict="decline", words="No.")
        assert late.status_code == 409 and "accepted by tina" in late.text
        page = served.get("requests", "one").text
        assert "Nobody waits for an answer" in page and "It is as the text says." in page
        without = served.browser.post(served.at("requests", "one", number["cyd"]),
                                      data={"verdict": "accept", "words": "x"})
        assert without.status_code == 403
    assert (mark(course, "ada"), mark(course, "bob"), mark(course, "cyd")) == (6.0, 4.5, None)
