"""The fork server: a worker is forked early, a warm interpreter once all is imported."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from multiprocessing.connection import Connection

import pytest

from repository import ROOT
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.forks import ForkClient
from viva_examiner.sandbox.inside import frames

SLOW = """\
import pathlib, time
while not pathlib.Path({permission!r}).exists():
    time.sleep(0.01)
"""


@contextmanager
def server(folder, *preload):
    """The line to a fork server that finds modules in this folder too."""
    mine, theirs = socket.socketpair()
    command = (f"import sys; sys.path[:0] = {[str(ROOT / 'lib'), str(folder)]}; from "
               "viva_examiner.sandbox.inside import fork_server as f; "
               f"f.main({theirs.fileno()})")
    process = subprocess.Popen([sys.executable, "-c", command], pass_fds=[theirs.fileno()])
    theirs.close()
    frames.send_json(mine, {"preload": preload})
    try:
        yield ForkClient(mine)
    finally:
        mine.close()
        assert process.wait(60) in (0, 1)  # it ends when its owner hangs up


def fork(line, kind):
    """Ask for a process with a line and, as a worker has it, a file for its errors."""
    talk, theirs = socket.socketpair()
    with theirs, open(os.devnull, "wb") as errors:
        child = line.fork(kind, [theirs.fileno(), errors.fileno()][:2 if kind == "worker" else 1])
    return child, talk


@pytest.fixture
def permission(tmp_path):
    """The file that lets the module `slow` end."""
    path = tmp_path / "go on"
    (tmp_path / "slow.py").write_text(SLOW.format(permission=str(path)))
    yield path
    path.touch()


def test_a_worker_does_not_wait_for_imports_that_only_candidates_need(tmp_path, permission):
    (tmp_path / "second.py").write_text("import time; time.sleep(1)")  # for a request that is late
    with server(tmp_path, "numpy", "second", "slow") as line:
        worker, talk = fork(line, "worker")
        assert not worker.wait(0) and not permission.exists()
        permission.touch()
        worker.close()
        talk.close()


def test_nobody_is_forked_beside_a_thread(tmp_path):
    """matplotlib has one while it looks for fonts: a worker then waits, and nothing fails."""
    began, ended = tmp_path / "began", tmp_path / "ended"
    (tmp_path / "threaded.py").write_text(
        "import threading, pathlib, time\n"
        f"def work(): time.sleep(2); pathlib.Path({str(ended)!r}).touch()\n"
        "threading.Thread(target=work).start()\n"
        f"pathlib.Path({str(began)!r}).touch()\n")
    for name, seconds in (("while_it_works", 0.7), ("until_it_ended", 3)):
        (tmp_path / f"{name}.py").write_text(f"import time; time.sleep({seconds})")
    with server(tmp_path, "threaded", "while_it_works", "until_it_ended") as line:
        while not began.exists():
            time.sleep(0.01)
        worker, talk = fork(line, "worker")
        assert ended.exists() and not worker.wait(0)
        worker.close()
        talk.close()


def test_a_warm_interpreter_waits_until_all_is_imported(tmp_path, permission):
    born = []
    with server(tmp_path, "slow", "json") as line:
        asking = threading.Thread(target=lambda: born.append(fork(line, "warm")))
        asking.start()
        asking.join(1.0)
        assert not born  # it would be there in a fraction of this second
        permission.touch()
        asking.join(60)
        child, talk = born[0]
        assert not child.wait(0)
        child.close()
        talk.close()


def test_a_worker_that_was_forked_before_hears_it_too(tmp_path):
    (tmp_path / "second.py").write_text("import time; time.sleep(1)")  # for a request that is late
    (tmp_path / "broken.py").write_text("raise RuntimeError('not today')")
    (tmp_path / "asking.py").write_text(
        "from viva_examiner.sandbox.forks import ForkClient\n"
        "def main(talk, line):\n"
        "    try: ForkClient(line).fork('warm', [])\n"
        "    except Exception as error: talk.send_bytes(str(error).encode())\n")
    place = {"environment": dict(os.environ), "path": [str(tmp_path), *sys.path],
             "directory": str(tmp_path), "cores": sorted(os.sched_getaffinity(0)),
             "worker": "asking"}
    with server(tmp_path, "numpy", "second", "broken") as line:
        worker, talk = fork(line, "worker")
        with Connection(talk.detach()) as channel:
            channel.send_bytes(json.dumps(place).encode())
            assert channel.poll(60) and b"not today" in channel.recv_bytes()
        worker.close()


@pytest.mark.parametrize("kind", ("worker", "warm"))
def test_what_cannot_be_imported_is_told_to_whoever_asks_for_a_process(tmp_path, kind):
    (tmp_path / "broken.py").write_text("raise RuntimeError('not today')")
    with server(tmp_path, "broken") as line, pytest.raises(EngineError, match="not today"):
        for _ in range(100):  # workers may be forked before it is known
            child, talk = fork(line, kind)
            child.close()
            talk.close()
