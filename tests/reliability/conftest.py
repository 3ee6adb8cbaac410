"""A course with many submissions under way, the undisturbed gradebook, and ways to strike."""

import os

import pytest

import courses
import plain_course
from harness import Run
from viva_examiner.autograde.grading_run import autograde

FEW, MANY = 10, 60  # submissions under way: in make test, and in make soak


@pytest.fixture(scope="session")
def count() -> int:
    return MANY if os.environ.get("VIVA_SOAK") else FEW


@pytest.fixture(scope="session")
def released(tmp_path_factory, count):
    """The course as it stands before grading: submissions handed in, nothing graded."""
    course = courses.make(tmp_path_factory.mktemp("released") / "course", "plain",
                          plain_course.source_notebook())
    kinds = list(plain_course.COHORT)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        courses.hand_in(course, "plain", f"s{number:03}-{kind}", plain_course.submission(kind))
    return course


@pytest.fixture(scope="session")
def undisturbed(released, tmp_path_factory):
    """{(student, cell): grade} of a run that nothing happened to."""
    course = courses.copy_of(released, tmp_path_factory.mktemp("undisturbed") / "course")
    autograde(course, "plain")
    return courses.grades(course, "plain")


@pytest.fixture()
def course(released, tmp_path):
    return courses.copy_of(released, tmp_path / "course")


@pytest.fixture()
def start():
    """Start runs; whatever is left of them is ended."""
    runs = []

    def begin(*args, **options) -> Run:
        runs.append(Run(*args, **options))
        return runs[-1]

    yield begin
    for run in runs:
        if run.process.poll() is None:
            run.process.kill()
            run.process.communicate()
