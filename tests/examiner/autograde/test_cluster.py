"""Many machines: a real Dask scheduler, and a real PostgreSQL gradebook."""

import os
import shlex
import stat
import subprocess
import sys
from dataclasses import replace

import pytest

import courses
import page_commands
import plain_course
import servers
from repository import ROOT
from viva_examiner.autograde import cluster_pool
from viva_examiner.autograde.cluster_keys import (
    CERTIFICATE,
    FOLDER,
    KEY,
    NotProtected,
    make_keys,
    security,
)
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.examination.orders import order_of
from viva_examiner.failure import Failure
from viva_examiner.gradebook.released_rows import load

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
        summary = autograde(course, "plain", on_event=kill_one_after_two,
                            run=cluster_pool.runner(address, tmp_path))
    assert len(summary.results) == 2 * len(STUDENTS) and not summary.not_graded
    assert courses.grades(course, "plain") == graded_here


def test_a_cluster_by_its_address(tmp_path, graded_here):
    """`viva cluster keys`, `viva autograde HW --cluster tls://…`, from a terminal; and nobody who
    does not have the key is heard."""
    from dask.distributed import Client, Security

    def viva(*words):
        done = subprocess.run([sys.executable, "-m", "viva_examiner.cli", *words], text=True,
                              cwd=course.root, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr

    course = courses.make(tmp_path / "course", "plain", plain_course.source_notebook())
    hand_all_in(course)
    viva("cluster", "keys")
    keys, others = course.root / FOLDER, tmp_path / "others"
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in (keys, *keys.iterdir())} == {
        FOLDER: 0o700, KEY: 0o600, CERTIFICATE: 0o600}
    make_keys(others)
    with servers.dask_cluster(tmp_path, keys=keys) as (address, _):
        for known in (None, Security(tls_ca_file=str(keys / CERTIFICATE), require_encryption=True),
                      security(address, others)):
            with pytest.raises((OSError, RuntimeError, TypeError)):
                Client(address, timeout=3, set_as_default=False, security=known)
        viva("autograde", "plain", "--cluster", address)
    assert courses.grades(course, "plain") == graded_here


def test_a_cluster_by_the_lines_of_the_page(tmp_path):
    """docs/scale.md, as typed in the folder of the keys, on a free port of loopback."""
    from dask.distributed import Client

    keys = tmp_path / FOLDER
    make_keys(keys)
    address = f"tls://127.0.0.1:{servers.free_port()}"
    typed = [line.replace("tls://scheduler:8786", address) for line in page_commands.in_blocks(
        (ROOT / "docs/scale.md").read_text()) if line.startswith("dask ")]
    [scheduler, worker] = [shlex.split(line)[1:] for line in typed]
    here = ["--host", "127.0.0.1", "--no-dashboard"]  # what only a test on loopback needs
    with servers.processes() as start:
        start(sys.executable, "-m", "dask", *scheduler, *here, "--port", address.split(":")[-1],
              cwd=keys)
        start(sys.executable, "-m", "dask", *worker, *here, cwd=keys)
        with Client(address, timeout=60, set_as_default=False,
                    security=security(address, keys)) as client:
            client.wait_for_workers(1, timeout=120)
            assert client.submit(sum, [1, 2]).result(timeout=60) == 3


@pytest.mark.parametrize("address", [
    "tcp://192.0.2.1:8786", "192.0.2.1:8786", "scheduler:8786", "tcp://localhost.example.org:8786",
    "tls://192.0.2.1:8786", "tls://127.0.0.1:8786", "tcp://0.0.0.0:8786", "ws://192.0.2.1:8786",
    "tcp://127.0.0.1@192.0.2.1:8786", "tcp://[2001:db8::1]:8786"])
def test_a_cluster_that_takes_orders_from_anybody_is_refused(tmp_path, address):
    with pytest.raises(NotProtected, match="viva cluster keys"):
        cluster_pool.runner(address, tmp_path)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "localhost:8786", "tcp://[::1]:8786"])
def test_loopback_needs_no_keys(tmp_path, address):
    assert security(address, tmp_path) is None


def test_keys_are_never_replaced(tmp_path):
    make_keys(tmp_path)
    with pytest.raises(Failure, match="there already"):
        make_keys(tmp_path)


def test_a_workers_secret_comes_with_the_order(tmp_path, monkeypatch):
    monkeypatch.setenv("VIVA_SECRET", "the worker's own")
    course = courses.make(tmp_path / "course", "plain", plain_course.source_notebook())
    order = replace(order_of(course, load(course, "plain")), secret="the order's", answers="")
    engine = cluster_pool._engine(order.to_bytes())
    try:
        assert os.environ["VIVA_SECRET"] == "the order's" == engine.order.secret
    finally:
        engine.close()
        cluster_pool._engines.clear()


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
