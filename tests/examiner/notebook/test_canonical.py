"""The canonical form: a fixed point, valid, and the same bytes nbformat would write."""
import json
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from viva_examiner.cli import format as command
from viva_examiner.course import Course
from viva_examiner.notebook.canonical import NotANotebook, canonical, dumps, format_file, formatted
from viva_examiner.notebook.textconv import readable


def used():
    """A notebook as JupyterLab leaves it after a staff member worked in it."""
    figure = new_output("display_data", data={"image/png": "AAAA"})
    return new_notebook(
        cells=[
            new_markdown_cell("# The Idea, in short!\nline break  \nhere\n\n", id="intro"),
            new_code_cell("x = 1   \n\nx\n", execution_count=3, outputs=[figure],
                          metadata={"collapsed": True, "scrolled": False, "tags": ["demo"],
                                    "execution": {"iopub.execute_input": "2026-11-16"}}),
            new_code_cell("pass", metadata={"nbgrader": {
                "grade_id": "linear_attention", "grade": False, "solution": True, "locked": False,
                "task": False, "schema_version": 3}}),
        ],
        metadata={"kernelspec": {"display_name": "my env", "language": "python", "name": "venv3"},
                  "language_info": {"name": "python", "version": "3.11.9"},
                  "widgets": {"state": {}}, "toc-autonumbering": True})


def test_traces_of_a_run_go_and_the_authors_words_stay():
    notebook = used()
    notebook.cells[1]["id"] = "intro"
    del notebook.cells[2]["id"]
    cells = canonical(notebook)["cells"]
    assert [cell["id"] for cell in cells] == ["intro", "the-idea-in-short", "linear_attention"]
    assert cells[0]["source"] == "# The Idea, in short!\nline break  \nhere"
    assert cells[1] == {"cell_type": "code", "execution_count": None, "id": "the-idea-in-short",
                        "metadata": {"tags": ["demo"]}, "outputs": [], "source": "x = 1\n\nx"}
    assert canonical(notebook)["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"}}


def test_it_is_what_nbformat_writes():
    notebook = canonical(used())
    nbformat.validate(nbformat.from_dict(notebook))
    assert dumps(notebook) == nbformat.writes(nbformat.from_dict(notebook)) + "\n"


texts = st.text(st.characters(codec="utf-8", exclude_characters="\r\x1c\x1d\x1e\x85\u2028\u2029"))
ids = st.sampled_from(["a", "b", "", "not valid!", None, 7])
cells = st.builds(
    lambda kind, source, id, extra: {"cell_type": kind, "source": source, "metadata": extra}
    | ({} if id is None else {"id": id})
    | ({"outputs": [], "execution_count": 1} if kind == "code" else {}),
    st.sampled_from(["code", "markdown", "raw"]), texts | st.lists(texts), ids,
    st.sampled_from([{}, {"collapsed": True}, {"nbgrader": {"grade_id": "a"}}]))


@settings(max_examples=200, deadline=None)
@given(st.lists(cells, max_size=6))
def test_it_is_a_fixed_point_with_unique_valid_ids(cells):
    once = canonical({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
    assert canonical(json.loads(dumps(once))) == once
    names = [cell["id"] for cell in once["cells"]]
    assert len(set(names)) == len(names)
    nbformat.validate(nbformat.from_dict(once))


def test_released_cells_are_signed_and_stay_as_they_are():
    cell = new_code_cell("# tests  \n", metadata={"nbgrader": {"checksum": "c0ffee"}})
    assert canonical(new_notebook(cells=[cell]))["cells"][0]["source"] == "# tests  \n"


@pytest.mark.parametrize("content", [
    "", "no json", "[]", '{"nbformat": 3}', '{"nbformat": 4}', '{"nbformat": 4, "cells": [{}]}'])
def test_what_is_no_notebook(tmp_path, content):
    path = tmp_path / "x.ipynb"
    path.write_text(content)
    with pytest.raises(NotANotebook):
        formatted(path)


def test_the_command(tmp_path, capsys):
    path = tmp_path / "source/hw/hw.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(used(), path)
    (tmp_path / "nbgrader_config.py").write_text("")
    before = path.read_text()

    def viva_format(*words):
        import argparse
        parser = argparse.ArgumentParser()
        command.arguments(parser)
        return command.run(parser.parse_args(words), Course(tmp_path)), capsys.readouterr()

    code, said = viva_format("--check")
    assert code == 1 and "hw.ipynb: not in canonical form; run make format" in said.err
    assert path.read_text() == before
    code, said = viva_format()
    assert code == 0 and said.out == f"{path}: formatted\n"
    assert viva_format("--check")[0] == 0 and not format_file(path)
    path.write_text("no json")
    code, said = viva_format()
    assert code == 1 and "not JSON" in said.err and path.read_text() == "no json"


def test_the_command_writes_the_points_of_the_exam(tmp_path):
    """The exam alone says what an exercise is worth; of other cells the points stay."""
    test = {"grade_id": "test_double", "grade": True, "solution": False, "locked": True,
            "task": False, "schema_version": 3, "points": 1}
    cells = [new_code_cell("pass", metadata={"nbgrader": test | {"grade_id": name}})
             for name in ("test_double", "test_half", "test_other")]
    path = tmp_path / "source/hw/hw.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), path)
    exams = {"double": SimpleNamespace(points=3.0), "half": SimpleNamespace(points=2.5)}
    course = SimpleNamespace(root=tmp_path, library=SimpleNamespace(exercises=lambda hw: exams))
    assert command.run(SimpleNamespace(notebook=[], check=False), course) == 0
    found = nbformat.read(path, as_version=4).cells
    assert [cell.metadata.nbgrader.points for cell in found] == [3, 2.5, 1]
    assert not format_file(path, points=command.points_in_exam(path, course))


def test_text_for_a_diff(tmp_path):
    assert readable(canonical(used())).splitlines()[:2] == [
        "# %% [markdown] intro", "# The Idea, in short!"]
    path = tmp_path / "x.ipynb"
    path.write_text("no json")
    run = subprocess.run([sys.executable, "-m", "viva_examiner.notebook.textconv", path],
                         capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "no json")
