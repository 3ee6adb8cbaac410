"""Where the desk is served: beside formgrader as `make lab` starts it, and at a terminal."""

import os
import pty
import shutil
import signal
import subprocess
import sys

import requests

import marked_course
from lab import TOKEN, jupyter_lab
from repository import ROOT


def test_the_desk_is_served_beside_formgrader(tmp_path, empty_gradebook, monkeypatch):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    marked_course.hand_in(course, "one", "ada", 6)
    shutil.copy(ROOT / "jupyter_server_config.py", course.root)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(course.root))  # as the Makefile does
    with jupyter_lab(course.root, tmp_path) as address:
        stranger = requests.get(f"{address}/desk/", allow_redirects=False)
        assert stranger.status_code in (302, 403)
        page = requests.get(f"{address}/desk/", params={"token": TOKEN})
        assert page.status_code == 200 and "grade the written answers of 1" in page.text
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        assert requests.get(f"{address}/desk/class/one", params={"token": TOKEN}).ok
        assert requests.get(f"{address}/formgrader", params={"token": TOKEN}).ok


def test_ctrl_c_at_a_terminal_ends_the_desk_without_a_question(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    ours, its = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "viva_examiner.cli", "desk", "--no-browser"],
                          cwd=tmp_path, stdin=its, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as server:
        assert "/desk/" in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        try:
            server.wait(timeout=120)
        finally:
            server.kill()
    os.close(ours)
    os.close(its)
