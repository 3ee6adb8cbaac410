"""`request`: a student asks for a second look, in a notebook, in Colab and in plain Python."""

import json
import sys
import types

import pytest

import viva
from viva import desk, hosted, log, regrade


@pytest.fixture(autouse=True)
def begun(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("NBGRADER_EXECUTION", "VIVA_STUDENT", "JUPYTERHUB_USER", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(desk, "_now", {"homework": "", "student": ""})
    monkeypatch.setitem(log._place, "folder", tmp_path)
    viva.begin("kernel_attention", student="ada")
    capsys.readouterr()
    return tmp_path


def stored(folder) -> dict:
    return json.loads((folder / "regrade_request.json").read_text())["homeworks"]


def test_a_request_lies_beside_the_notebook_with_its_reason(begun, capsys):
    viva.request("test_linear_attention", "  Because line 3 is right. ")
    assert "regrade_request.json" in capsys.readouterr().out
    mine = stored(begun)["kernel_attention"]
    assert mine["student"] == "ada"
    assert mine["requests"]["test_linear_attention"]["because"] == "Because line 3 is right."
    viva.request("test_causal_linear_attention", "And this too.")
    assert len(stored(begun)["kernel_attention"]["requests"]) == 2
    viva.request("test_linear_attention", "In better words.")
    requests = stored(begun)["kernel_attention"]["requests"]
    assert requests["test_linear_attention"]["because"] == "In better words."
    assert not list(begun.glob(".regrade*")), "written whole, and nothing is left beside it"


def test_a_request_is_withdrawn(begun, capsys):
    viva.request("test_linear_attention", withdraw=True)
    assert "no request about" in capsys.readouterr().out
    viva.request("test_linear_attention", "x")
    viva.request("test_linear_attention", withdraw=True)
    assert "withdrawn" in capsys.readouterr().out
    assert stored(begun)["kernel_attention"]["requests"]["test_linear_attention"]["withdrawn"]


@pytest.mark.parametrize("test, because, says", [
    ("test_linear_atention", "x", "did you mean 'test_linear_attention'?"),
    ("linear_attention", "x", "did you mean 'test_linear_attention'?"),
    ("zzz", "x", "there are test_"),
    ("test_linear_attention", "  ", "say why"),
    ("test_linear_attention", 7, "say why"),
    ("test_linear_attention", "x" * 2001, "2001 characters, and 2000"),
])
def test_what_nobody_could_answer_is_refused_with_a_sentence(begun, capsys, test, because, says):
    viva.request(test, because)
    assert says in capsys.readouterr().out
    assert not (begun / "regrade_request.json").exists()


def test_before_begin_it_says_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr(desk, "_now", {"homework": "", "student": ""})
    viva.request("test_linear_attention", "x")
    assert "run the cell with begin" in capsys.readouterr().out


def test_written_questions_are_known_where_the_notebook_is(begun, capsys):
    viva.request("written_anything", "x")  # plain Python: no notebook could say
    assert "is written down" in capsys.readouterr().out
    about = {"grade_id": "written_memory", "grade": True, "solution": True}
    (begun / "kernel_attention.ipynb").write_text(json.dumps({"cells": [
        {"cell_type": "markdown", "metadata": {"nbgrader": about}, "source": ["x"]}]}))
    viva.request("written_memry", "x")
    assert "did you mean 'written_memory'?" in capsys.readouterr().out
    viva.request("written_memory", "x")
    assert "is written down" in capsys.readouterr().out


def test_there_is_room_for_twenty(begun, capsys):
    for number in range(25):
        viva.request(f"written_{number}", "x")
    assert len(stored(begun)["kernel_attention"]["requests"]) == regrade.MAX_REQUESTS
    assert "no more are read" in capsys.readouterr().out


def test_homeworks_share_a_folder_and_students_do_not_share_requests(begun):
    viva.request("test_linear_attention", "x")
    viva.begin("purification", student="ada")
    (name, *_) = viva.regrade.tables.exercises_of("purification")
    viva.request(f"test_{name}", "y")
    assert set(stored(begun)) == {"kernel_attention", "purification"}
    viva.begin("kernel_attention", student="bob")
    viva.request("test_causal_linear_attention", "z")
    mine = stored(begun)["kernel_attention"]
    assert mine["student"] == "bob" and list(mine["requests"]) == ["test_causal_linear_attention"]


@pytest.mark.parametrize("rubbish", ["", "rubbish", "[]", '{"schema": "viva-request/1"}',
                                     '{"schema": "viva-request/1", "homeworks": {"a": 7}}'])
def test_a_broken_file_is_replaced(begun, rubbish):
    (begun / "regrade_request.json").write_text(rubbish)
    viva.request("test_linear_attention", "x")
    assert list(stored(begun)["kernel_attention"]["requests"]) == ["test_linear_attention"]


def test_a_folder_that_cannot_be_written_is_told(begun, capsys, monkeypatch):
    def full(path, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(regrade, "write_whole", full)
    viva.request("test_linear_attention", "x")
    assert "could not be written (No space left on device)" in capsys.readouterr().out


def test_in_colab_the_browser_downloads_it(begun, monkeypatch):
    offered = []
    colab = types.ModuleType("google.colab")
    colab.files = types.SimpleNamespace(download=offered.append)
    monkeypatch.setitem(sys.modules, "google", types.ModuleType("google"))
    monkeypatch.setitem(sys.modules, "google.colab", colab)
    assert hosted.is_colab()
    viva.request("test_linear_attention", "x")
    assert offered == [str(begun / "regrade_request.json")]
