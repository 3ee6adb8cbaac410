"""The gradebook's database fails in mid-run: the server is killed, or its disk is full."""

import os
import shutil
import socket
import sqlite3
from pathlib import Path

import pytest

import courses
import servers

pytestmark = pytest.mark.soak  # real faults on real runs: minutes, so in make soak


def revive(start, server) -> None:
    """The same PostgreSQL server on the same data, after a kill -9."""
    folder = Path(server.args[server.args.index("-D") + 1]).parent
    address = "127.0.0.1", int(server.args[server.args.index("-p") + 1])
    owner = folder.stat()
    who = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    running = None

    def accepts() -> bool:
        nonlocal running
        if running is None or running.poll() is not None:  # old backends may not have ended yet
            running = start(*server.args, cwd=folder, **(who if os.getuid() == 0 else {}))
        with socket.socket() as probe:
            return probe.connect_ex(address) == 0

    servers.wait_for(accepts)


def test_a_killed_postgresql_is_waited_for_and_loses_nothing(
        released, tmp_path, start, undisturbed):
    with servers.postgres() as (url, server), servers.processes() as again:
        course = courses.copy_of(released, tmp_path / "course")
        config = course.root / "nbgrader_config.py"
        config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {url!r}\n")
        done = courses.nbgrader(course.root, "generate_assignment", "plain", "--force")
        assert done.returncode == 0, done.stderr

        run = start(course)
        run.until("done", 3)
        server.kill()
        server.wait()
        revive(again, server)
        assert run.end() == 0, run.errors
        assert courses.grades(course, "plain") == undisturbed


def test_without_its_server_a_run_says_so(released, tmp_path, start):
    course = courses.copy_of(released, tmp_path / "course")
    url = f"postgresql+psycopg://viva@127.0.0.1:{servers.free_port()}/postgres"
    config = course.root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {url!r}\n")
    run = start(course)
    assert run.end() == 2
    assert "the gradebook cannot be used" in run.errors and "Traceback" not in run.errors


FULL = """
mount -t tmpfs -o size={size} none {folder} || exit 99
cp {kept} {folder}/gradebook.db || exit 98
"$@"
status=$?
cp {folder}/gradebook.db {kept}
exit $status
"""


@pytest.mark.skipif(os.getuid() != 0, reason="limiting a disk needs root")
def test_a_full_disk_for_the_gradebook_ends_the_run_with_a_word_and_loses_nothing(
        released, tmp_path, start, undisturbed):
    course = courses.copy_of(released, tmp_path / "course")
    database, kept, folder = course.root / "gradebook.db", tmp_path / "kept.db", tmp_path / "small"
    folder.mkdir()
    shutil.move(database, kept)
    database.symlink_to(folder / "gradebook.db")
    size = kept.stat().st_size // 4096 * 4096 + 6 * 4096  # room for a journal, not for the grades
    script = FULL.format(size=size, folder=folder, kept=kept)
    run = start(course, wrapper=("unshare", "--mount", "sh", "-c", script, "sh"))
    assert run.end() == 2, run.errors
    assert "full" in run.errors and "Traceback" not in run.errors

    database.unlink()
    shutil.move(kept, database)
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert start(course).end() == 0
    assert courses.grades(course, "plain") == undisturbed
