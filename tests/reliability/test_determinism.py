"""The same course gives the same gradebook and the same notebooks, however it is graded."""

import json

import pytest

import courses
import servers
from viva_examiner.autograde.grading_run import autograde

pytestmark = pytest.mark.soak  # real faults on real runs: minutes, so in make soak


def notebooks(course) -> dict[str, dict]:
    """{student: autograded notebook} without what a clock put in."""
    found = {}
    for path in sorted((course.root / "autograded").glob("*/plain/plain.ipynb")):
        notebook = json.loads(path.read_text())
        notebook["metadata"]["viva"].pop("seconds")
        found[path.parts[-3]] = notebook
    return found


@pytest.fixture(scope="module")
def one_worker(released, tmp_path_factory):
    course = courses.copy_of(released, tmp_path_factory.mktemp("one") / "course")
    autograde(course, "plain", jobs=1)
    return courses.grades(course, "plain"), notebooks(course)


def test_four_workers(course, one_worker):
    autograde(course, "plain", jobs=4)
    assert (courses.grades(course, "plain"), notebooks(course)) == one_worker


def test_another_order_and_again(course, one_worker):
    students = sorted((p.name for p in (course.root / "submitted").iterdir()), reverse=True)
    for student in students[:3]:
        autograde(course, "plain", student=student)
    autograde(course, "plain", force=True)
    assert (courses.grades(course, "plain"), notebooks(course)) == one_worker


def test_cold_interpreters(course, start, one_worker):
    """Each submission in a run of its own, with nothing warm but what that run has made."""
    students = sorted(p.name for p in (course.root / "submitted").iterdir())[:3]
    for student in students:
        assert start(course, "--student", student).end() == 0
    warm = one_worker[1]
    assert notebooks(course) == {student: warm[student] for student in students}


def test_postgresql(released, tmp_path, one_worker):
    with servers.postgres() as (url, _):
        course = courses.copy_of(released, tmp_path / "course")
        config = course.root / "nbgrader_config.py"
        config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {url!r}\n")
        assert courses.nbgrader(course.root, "generate_assignment", "plain",
                                "--force").returncode == 0
        autograde(course, "plain")
        assert (courses.grades(course, "plain"), notebooks(course)) == one_worker
