"""The desk over HTTP: who gets in, what a browser may do, and what the first rooms say."""

import json
import re
from datetime import timedelta

import pytest
import requests
from nbgrader.api import Gradebook

import marked_course
from desk_server import desk
from viva.log import LOG_NAME, SCHEMA
from viva_examiner.course import Course
from viva_examiner.gradebook import class_roster, published
from viva_examiner.gradebook.ledger import Ledger
from viva_examiner.gradebook.results import Results

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def course(tmp_path_factory, empty_gradebook):
    """Homework one: ada final, bob's answer waits, cyd needs a look, dan nothing; eve was late."""
    course = marked_course.write_course(tmp_path_factory.mktemp("desk") / "course",
                                        empty_gradebook, ["dan", HOSTILE])
    marked_course.hand_in(course, "one", "ada", 6, 3)
    marked_course.hand_in(course, "one", "bob", 5)
    marked_course.hand_in(course, "one", "cyd", 2, 1, look=True)
    marked_course.hand_in(course, "one", "eve", 6, 4, late=timedelta(days=2))
    class_roster.change(course, lambda old: class_roster.Roster.of([
        *old.lines.values(), class_roster.RosterLine("eve", "one", group="the evening")]))
    (course.root / "submitted" / "flo" / "one").mkdir(parents=True)
    (course.root / "submitted" / "flo" / "one" / "one.ipynb").write_text(marked_course.notebook())
    return course


@pytest.fixture(scope="module")
def served(course):
    with desk(course, "--as", "tina") as served:
        yield served


def test_only_who_has_the_token_gets_in(served):
    for path in ("", "class/one", "student/ada", "student/ada/one", "math.css"):
        stranger = requests.get(served.at(*path.split("/")), allow_redirects=False)
        assert stranger.status_code in (302, 403) and "ada" not in stranger.text
    assert requests.get(f"{served.origin}/desk/?token=wrong",
                        allow_redirects=False).status_code in (302, 403)


def test_another_name_for_this_machine_is_refused(served):
    reply = served.browser.get(served.at("class", "one"), headers={"Host": "elsewhere.example"})
    assert reply.status_code == 403


def test_a_form_of_another_site_writes_nothing(served):
    reply = served.browser.post(served.at("student", "cyd", "one", "seen"), data={"note": "x"})
    assert reply.status_code == 403


def test_a_browser_runs_nothing_but_our_own_files(served):
    for path in (["class", "one"], ["student", "ada", "one"], ["student", "nobody"]):
        reply = served.get(*path)
        policy = reply.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "<script>" not in reply.text and " style=" not in reply.text
        assert reply.headers["X-Content-Type-Options"] == "nosniff"


def test_the_course_says_first_what_is_to_be_done(served):
    page = served.get("").text
    assert "Next:" in page and "autograde 1 submission" in page
    assert page.index("Next:") < page.index("<h1>")
    assert "look at 1 submission" in page and "grade the written answers of 1" in page


@pytest.mark.parametrize("only, expected", [
    ("look", {"cyd"}), ("written", {"bob"}), ("missing", {"dan", HOSTILE}), ("examine", {"flo"}),
    ("late", {"eve"}), ("final", {"ada", "eve"}), ("changed", set())])
def test_filters_of_the_class_are_links(served, only, expected):
    page = served.get("class", f"one?only={only}").text
    people = {"ada", "bob", "cyd", "dan", "eve", "flo"}
    shown = {name for name in people if f'/student/{name}/one"' in page}
    assert shown == expected & people
    assert (HOSTILE not in page) and ("&lt;img" in page) == (HOSTILE in expected)


def test_a_mark_that_changed_since_it_was_published_is_found(course, served):
    with Gradebook(course.db_url, "m") as book:
        result = next(each for each in Results(book, course).of("one")
                      if each.student.id == "ada")
        published.record(Ledger(book.db), [result], "tina")
        book.db.commit()
    assert "<b>0</b>" not in served.get("class", "one").text
    assert "/student/ada/one" not in served.get("class", "one?only=changed").text
    marked_course.hand_in(course, "one", "ada", 6, 1)
    assert "/student/ada/one" in served.get("class", "one?only=changed").text
    assert "says “9 of 10”" in served.get("student", "ada", "one").text
    marked_course.hand_in(course, "one", "ada", 6, 3)


def test_a_student_has_all_homeworks_and_the_story_of_one(served):
    everything = served.get("student", "ada").text
    assert "9</b> of 10" in everything and "not handed in" in everything
    one = served.get("student", "ada", "one").text
    for part in ("Where points were lost", "Marks by hand", "History", "The log", "notebook",
                 "Because."):
        assert part in one


def test_the_logs_story_says_when_which_check_turned_green(course, served):
    folder = course.root / "submitted" / "ada" / "one"
    folder.mkdir(parents=True, exist_ok=True)
    entry = {"status": "passed", "time": "2026-02-01T12:30:00Z", "source": "", "outputs": {},
             "digest": ""}
    turns = [["2026-02-01T11:00:00Z", "failed"], ["2026-02-01T12:00:00Z", "passed"]]
    log = {"schema": SCHEMA, "homework": "one", "student": "ada", "kit": "1", "exercises": {
        "new": entry | {"turns": turns}, "old": entry,
        "back": entry | {"status": "error", "turns": [*turns, ["2026-02-01T12:30:00Z", "error"]]}}}
    (folder / LOG_NAME).write_text(json.dumps(log))
    page = " ".join(re.sub("<[^>]*>", "", served.get("student", "ada", "one").text).split())
    (folder / LOG_NAME).unlink()
    for line in ("2026-02-01T11:00:00Z new: failed",
                 "2026-02-01T12:00:00Z new: turned green and so at the last check, "
                 "2026-02-01T12:30:00Z",
                 "2026-02-01T12:30:00Z old: green at the last check",
                 "2026-02-01T12:30:00Z back: error, after it was green"):
        assert line in page
    assert page.index("back: failed") < page.index("new: turned green") < page.index("old: green")


def test_no_address_leaves_the_course(served):
    for path in ("student/..%2f..%2fetc/one", "feedback/..%2f..%2f/one/one", "class/..%2f..",
                 "explained/..%2f..%2fada/one", "class/nothing", "student/nobody"):
        assert served.browser.get(f"{served.origin}/desk/{path}").status_code == 404


def test_a_look_makes_no_gradebook(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    (tmp_path / "source" / "one").mkdir(parents=True)
    (tmp_path / "source" / "one" / "one.ipynb").write_text(marked_course.notebook())
    with desk(Course(tmp_path)) as served:
        assert "Nothing is released yet" in served.get("").text
        assert "no gradebook yet" in served.get("class", "one").text
        for path in (["student", "ada"], ["written", "one"], ["requests", "one"],
                     ["run", "one"], ["lms"]):
            assert served.get(*path).status_code in (200, 400)
    assert not (tmp_path / "gradebook.db").exists()


def test_a_homework_that_is_not_released_says_so(course, served):
    folder = course.root / "source" / "three"
    folder.mkdir(exist_ok=True)
    (folder / "three.ipynb").write_text(marked_course.notebook())
    reply = served.get("class", "three")
    assert reply.status_code == 400 and "has not been released" in reply.text
