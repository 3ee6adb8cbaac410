"""Many machines: a real Dask scheduler, and a real PostgreSQL gradebook."""

import subprocess
import sys

import pytest

import courses
import plain_course
import servers
from viva_examiner.autograde import cluster
from viva_examiner.autograde.run import autograde

STUDENTS = ("right", "half", "broken", "no_error")


def hand_all_in(course):
    for student in STUDENTS:
        for copy in range(2):
            name = f"{student}-{copy}"
            courses.hand_in(course, "plain", name, plain_course.submission(student))


@pytest.fixture(scope="module")
def graded_here(tmp_path_factory):
    """The grades of a run on this machine, to compare with."""
    course = courses.make(tmp_path_factory.mktemp("here"), "plain", plain_course.source_notebook())
    hand_all_in(course)
    autograde(course, "plain")
    return courses.grades(course, "plain")


def test_a_cluster_with_a_dying_worker_gives_the_same_grades(tmp_path, graded_here):
    course = courses.make(tmp_path / "course", "plain", plain_course.source_notebook())
    hand_all_in(course)
    with servers.dask_cluster(tmp_path) as (address, workers):

        def kill_one_after_two(event, **facts):
            if event == "done":
                finished.append(facts["graded"].student)
                if len(finished) == 2:
                    workers[0].kill()

        finished = []
        summary = autograde(course, "plain", tell=kill_one_after_two, run=cluster.runner(address))
    assert len(summary.results) == 2 * len(STUDENTS) and not summary.not_graded
    assert courses.grades(course, "plain") == graded_here


def test_a_cluster_by_its_address(tmp_path, graded_here):
    """`viva autograde HW --cluster ADDRESS`, from a terminal."""
    course = courses.make(tmp_path / "course", "plain", plain_course.source_notebook())
    hand_all_in(course)
    with servers.dask_cluster(tmp_path) as (address, _):
        done = subprocess.run([sys.executable, "-m", "viva_examiner.cli", "autograde", "plain",
                               "--cluster", address], cwd=course.root, capture_output=True,
                              text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert courses.grades(course, "plain") == graded_here


def test_a_gradebook_on_postgresql_holds_the_same_grades(tmp_path, graded_here):
    with servers.postgres() as (url, _):
        extra = f"c.CourseDirectory.db_url = {url!r}"
        course = courses.make(tmp_path / "course", "plain", plain_course.source_notebook(),
                              extra=extra)
        hand_all_in(course)
        autograde(course, "plain", jobs=2)
        assert courses.grades(course, "plain") == graded_here
        again = autograde(course, "plain")
        assert again.skipped == 2 * len(STUDENTS) and not again.results
