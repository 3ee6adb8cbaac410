"""The door: whatever lies in a submission's folder, reading it ends soon and says what it left."""

import contextlib
import json
import os
import socket
import subprocess

import pytest

from viva_examiner.files import can_be_kept, regular_files, zipped
from viva_examiner.gradebook import handed_in
from viva_examiner.gradebook.handed_in import find_notebook, has_notebook, read_folder
from viva_examiner.notebook.whose_homework import Profile
from viva_examiner.records import Kind

PROFILES = [Profile("attention", "attention", ("one", "two"), ("one",)),
         Profile("kernels", "kernels", ("three", "four", "five"), ("three",))]


def notebook(*ids):
    cells = [{"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": each}}}
             for each in ids]
    return json.dumps({"cells": cells}).encode()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hw").mkdir()
    (tmp_path / "hw" / "attention.ipynb").write_bytes(b"{}")
    (tmp_path / "hw" / "data").mkdir()
    (tmp_path / "hw" / "data" / "x.csv").write_bytes(b"1,2")
    yield tmp_path / "hw"
    subprocess.run(["rm", "-rf", tmp_path / "hw"], check=True)  # deeper than Python would go


HONEST = {"attention.ipynb": b"{}", "data/x.csv": b"1,2"}


def test_ordinary_files_are_read_and_nothing_is_said(folder):
    found = read_folder(folder)
    assert found.files == HONEST and found.remarks == []


def link(folder):
    os.symlink("/etc/passwd", folder / "passwd")


def link_to_a_folder(folder):
    os.symlink("/etc", folder / "etc")


def fifo(folder):
    os.mkfifo(folder / "timestamp.txt")


def unix_socket(folder):
    with socket.socket(socket.AF_UNIX) as sock, contextlib.chdir(folder):
        sock.bind("s")


def sparse(folder):
    with (folder / "big.bin").open("wb") as file:
        file.truncate(200 << 30)


def not_utf8(folder):
    (folder / os.fsdecode(b"caf\xe9.txt")).write_bytes(b"")


def newline(folder):
    (folder / "a\nb.txt").write_bytes(b"")


def very_deep(folder):
    inside = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=inside)
        below = os.open("d", os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = below
    os.close(inside)


def very_many(folder):
    (folder / "z").mkdir()
    for number in range(3000):
        (folder / "z" / f"{number}").touch()


def long_path(folder):
    inside = os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("n" * 200, dir_fd=inside)
        below = os.open("n" * 200, os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = below
    os.close(inside)


def called_like_text(folder):
    (folder / os.fsdecode(b"\xed\xa0\x80.ipynb.txt")).write_bytes(b"")


TROUBLE = pytest.mark.parametrize("trouble", [
    link, link_to_a_folder, fifo, unix_socket, sparse, not_utf8, newline, very_deep, very_many,
    long_path, called_like_text], ids=lambda each: each.__name__)


@TROUBLE
def test_trouble_costs_neither_a_look_nor_a_backup_nor_the_persons_own_archive(
        tmp_path, folder, trouble):
    """Folders in folders ended every command of the class in a RecursionError."""
    (folder / "attention.ipynb").unlink()
    trouble(folder)
    assert not has_notebook(folder)
    (folder / "attention.ipynb").write_bytes(b"{}")
    assert has_notebook(folder)
    found = [path for path in regular_files(folder) if can_be_kept(path)]
    assert {folder / "attention.ipynb", folder / "data" / "x.csv"} <= set(found)
    assert zipped({str(path): path.read_bytes() for path in found})


@TROUBLE
def test_trouble_is_left_out_with_a_word_and_the_rest_is_read(folder, trouble):
    trouble(folder)
    found = read_folder(folder)
    assert {path: found.files.get(path) for path in HONEST} == HONEST
    assert found.remarks and all(line.text.isprintable() for line in found.remarks)
    assert len(found.files) <= handed_in.MAX_ENTRIES
    assert b"root:" not in b"".join(found.files.values())


@pytest.mark.skipif(os.getuid() == 0, reason="root reads every file")
def test_a_file_without_permission(folder):
    (folder / "secret").touch(mode=0)
    assert "permission denied" in read_folder(folder).remarks[0].text


def test_a_folder_named_like_the_notebook_is_no_notebook(tmp_path):
    (tmp_path / "attention.ipynb").mkdir()
    found = find_notebook(read_folder(tmp_path), "attention", "attention", lambda: PROFILES)
    assert found.data == b""


def test_remarks_are_bounded(tmp_path):
    for number in range(200):
        os.symlink("/", tmp_path / f"{number}")
    assert len(read_folder(tmp_path).remarks) == handed_in.MAX_REMARKS + 1


@pytest.mark.parametrize("path", ["attention (1).ipynb", "Attention.ipynb", "sub/attention.ipynb",
                                  "sub/attention-2.ipynb", "my final one.ipynb"])
def test_a_renamed_or_moved_notebook_is_taken_with_a_remark(tmp_path, path):
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_bytes(notebook("one", "two"))
    found = find_notebook(read_folder(tmp_path), "attention", "attention", lambda: PROFILES)
    assert found.data == notebook("one", "two") and path in found.remark.text


@pytest.mark.parametrize("name", ["hw.ipynb", "attention.ipynb", "attention (1).ipynb"])
def test_another_homework_is_named(tmp_path, name):
    (tmp_path / name).write_bytes(notebook("three", "four"))
    found = find_notebook(read_folder(tmp_path), "attention", "attention", lambda: PROFILES)
    assert (found.data, found.other) == (b"", "kernels")
    assert found.remark.kind == Kind.OTHER_HOMEWORK
    assert found.remark.text.startswith(f"{name} is the notebook of kernels, not of attention")


def test_a_notebook_with_cells_of_two_homeworks_is_the_one_that_was_asked_for(tmp_path):
    both = notebook("one", "two", "three", "four", "five")
    (tmp_path / "attention.ipynb").write_bytes(both)
    found = find_notebook(read_folder(tmp_path), "attention", "attention", lambda: PROFILES)
    assert (found.data, found.other, found.remark) == (both, "", None)


def test_what_is_no_notebook_is_named(tmp_path):
    (tmp_path / "work.pdf").write_bytes(b"%PDF")
    (tmp_path / "timestamp.txt").write_text("2026-10-12 17:05:09 UTC")
    found = find_notebook(read_folder(tmp_path), "attention", "attention", lambda: PROFILES)
    assert found.remark.text == "handed in, not a notebook: work.pdf"
