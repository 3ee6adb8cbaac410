"""The desk beside formgrader in JupyterLab, by the configuration with which `make lab` starts."""

import shutil

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
