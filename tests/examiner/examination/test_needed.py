"""What `viva autograde --marks` leaves out: staff's own cells on which no mark can depend."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from repository import ROOT
from viva_examiner.examination.as_handed_in import MARK, outputs_as_handed_in
from viva_examiner.examination.needed import left_out

SETUP = "import numpy as np\nfrom viva import begin, look\nbegin('hw')"
SOLUTION = "def f(x):\n    W = x + STEP\n    return W"
LOOK = "with look():\n    W = f(3)\n    print(W)"
FIGURE = "def draw(rows):\n    for x in rows:\n        print(f(x))\n\n\ndraw([1, 2])"


def cell(source, name=""):
    about = {"nbgrader": {"grade_id": name}} if name else {}
    return nbformat.from_dict({"cell_type": "code", "source": source, "metadata": about})


def out(*cells, ordinary=(SETUP, LOOK, FIGURE, "STEP = 1", "data = np.ones(3)", "print(data)")):
    """The sources that are left out of a notebook of (source, grade_id) or source."""
    made = [cell(*(each if isinstance(each, tuple) else (each,))) for each in cells]
    return [made[number].source for number in sorted(left_out(made, ordinary))]


GRADED = [(SOLUTION, "f"), ("examine('f', f)", "test_f")]


def test_looks_and_figures_are_left_out_and_what_graded_cells_use_is_not():
    assert out(SETUP, "STEP = 1", *GRADED, LOOK, FIGURE) == [LOOK, FIGURE]


def test_local_names_do_not_count_but_global_ones_do():
    """W is local in f; a solution that reads a global W needs the cell that binds it."""
    assert LOOK in out(SETUP, LOOK, *GRADED)
    assert LOOK not in out(SETUP, LOOK, ("def f(x): return W", "f"))


def test_what_a_student_wrote_or_changed_runs_and_so_does_what_it_uses():
    assert out(SETUP, LOOK + "  # mine", *GRADED) == []
    assert out(SETUP, LOOK, *GRADED, "print(W)") == []
    assert out(SETUP, LOOK, *GRADED, "def g(): return W") == []


def test_a_cell_that_shares_changeable_data_with_a_running_one_runs():
    shared = ("def f(x): return x + data", "f")
    assert out("data = np.ones(3)", shared, "print(data)") == []
    assert out("data = np.ones(3)", *GRADED, "print(data)") == ["data = np.ones(3)", "print(data)"]
    assert out("STEP = 1", *GRADED, "print(STEP)", ordinary=("STEP = 1", "print(STEP)")) == [
        "print(STEP)"]


@pytest.mark.parametrize("source", [
    "%matplotlib inline", "!ls", "import os", "np.random = 3", "plt.rcParams['a'] = 1",
    "f.cache = {}", "global x", "exec('f = 3')", "globals()['f'] = 3", "setattr(np, 'a', 1)",
    "torch.set_default_dtype(torch.float64)", "del f", "def broken(:"])
def test_a_cell_with_effects_elsewhere_runs(source):
    assert out(SETUP, *GRADED, source, ordinary=(SETUP, source)) == []


@pytest.mark.parametrize("path", sorted(ROOT.glob("source/*/*.ipynb")), ids=lambda p: p.stem)
def test_in_our_homeworks_only_the_first_cell_has_to_run(path):
    notebook = nbformat.read(path, as_version=4)
    ordinary = [c.source for c in notebook.cells
                if c.cell_type == "code" and "nbgrader" not in c.metadata]
    kept = len(ordinary) - len(left_out(notebook.cells, ordinary))
    assert kept <= 3


def submitted(*outputs, source=LOOK):
    cells = [{"cell_type": "code", "source": source.splitlines(keepends=True), "outputs": outputs}]
    return json.dumps({"cells": cells}).encode()


def test_handed_in_outputs_are_cleaned_like_those_of_a_run():
    hostile = {"output_type": "display_data", "metadata": {}, "data": {
        "text/html": ["<b>fine</b>", "<script>alert(1)</script>"], "image/svg+xml": "<svg/>",
        "text/plain": ["a", "b"]}}
    stream = {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]}
    found = outputs_as_handed_in(submitted(stream, hostile, 7, {"output_type": ["x"]}), [LOOK], 64)
    first, second = found[LOOK]
    assert first["text"] == "one\ntwo\n"
    assert second["data"]["text/plain"] == "ab" and "image/svg+xml" not in second["data"]
    assert "script" not in second["data"]["text/html"]


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"cells": 7}', b'{"cells": [7, {}]}'])
def test_what_is_no_notebook_has_no_outputs(data):
    assert outputs_as_handed_in(data, [LOOK], 64) == {}


def test_the_mark_says_that_it_was_not_run():
    assert "not run" in MARK


@pytest.mark.parametrize("looks", [
    "globals()['RATE']", "eval('RATE')", "getattr(sys.modules['__main__'], 'RATE')",
    "vars()['RATE']", "get_ipython().user_ns['RATE']"])
def test_where_it_cannot_be_known_what_a_cell_needs_every_cell_runs(looks):
    cells = [new_code_cell("RATE = 3"), new_code_cell("print('a figure')"),
             new_code_cell(f"import sys\ndef f():\n    return {looks}")]
    ordinary = [cells[0].source, cells[1].source]
    assert left_out(cells, ordinary) == frozenset()
    cells[2].source = "def f():\n    return RATE"
    assert left_out(cells, ordinary) == {1}
