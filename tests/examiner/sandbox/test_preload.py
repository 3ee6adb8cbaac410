"""A course pays for the libraries that its notebooks name, and a student may import any other."""

import importlib.util
import json

import pytest

from viva_examiner.limits import Limits
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.preload import CODEC, MOST_BYTES, PRELOAD, wanted

LIGHT = ("numpy", "IPython", CODEC)


@pytest.fixture
def course(tmp_path):
    """A function that gives a course whose one notebook has this code."""
    def make(code: str, name: str = "ps1.ipynb"):
        folder = tmp_path / "source" / "ps1"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps({"cells": [{"source": [code]}]}))
        return tmp_path
    return make


@pytest.mark.parametrize(("code", "loaded"), (
    ("x = 1", ()),
    ("import torch", ("torch",)),
    ("from torchvision import io", ("torch",)),
    ("import pandas\nt.plot()", ("matplotlib.pyplot",)),
    ("%matplotlib inline", ("matplotlib.pyplot",)),
    ("from viva import check", ("viva",)),
))
def test_what_is_heavy_is_loaded_if_a_notebook_names_it(course, code, loaded):
    found = wanted(course(code))
    assert set(found) - set(LIGHT) == set(loaded)
    assert {"numpy", "IPython"} < set(found)
    assert (CODEC in found) == ("viva" not in loaded)  # the codec comes with the kit


def test_a_module_beside_the_notebook_counts(course):
    course("import helper")
    assert "torch" in wanted(course("import torch", "helper.py"))


def test_without_notebooks_to_read_everything_is_loaded(tmp_path, course, monkeypatch):
    assert wanted(None) == PRELOAD == wanted(tmp_path)
    monkeypatch.setattr("viva_examiner.sandbox.preload.MOST_BYTES", 10)
    assert wanted(course("x = 1")) == PRELOAD
    assert MOST_BYTES > 1 << 20


@pytest.fixture(scope="module")
def light():
    with WarmInterpreter(LIGHT, Limits(cell_seconds=60, question_seconds=60)) as warm:
        yield warm


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="no torch here")
def test_torch_imported_by_a_candidate_works(light):
    """Threads, gradients in both directions, an optimiser: as if it had been there before."""
    import torch

    with light.fork() as session:
        before = session.run_cell("import sys\nassert 'torch' not in sys.modules", 60)
        assert not before.outputs, before.outputs
        cell = session.run_cell(
            "import torch\n"
            "def half_square(x):\n    return (x * x).sum() / 2\n"
            "def slope(f, x):\n    x = x.clone().requires_grad_(True)\n"
            "    return torch.autograd.grad(f(x), x)[0]\n"
            "layer = torch.nn.Linear(300, 300)\n"
            "steps = torch.optim.Adam(layer.parameters())\n"
            "(layer(torch.ones(500, 300)) ** 2).sum().backward()\nsteps.step()\n"
            "threads = torch.get_num_threads()", 60)
        assert "error" not in {each["output_type"] for each in cell.outputs}, cell.outputs
        assert session.look_up("threads") == {"threads": 1}
        half_square = session.look_up("half_square")["half_square"]
        x = torch.arange(3.0, requires_grad=True)
        half_square(x).backward()
        assert x.grad.tolist() == [0, 1, 2]
        slope = session.look_up("slope")["slope"]
        assert slope(lambda t: 3 * t.sum(), torch.zeros(2)).tolist() == [3, 3]


def test_figures_of_a_candidate_that_imports_matplotlib_itself(light):
    with light.fork() as session:
        cell = session.run_cell("import matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
                                "plt.title('late');", 60)
    assert "error" not in {each["output_type"] for each in cell.outputs}, cell.outputs
    assert any("image/png" in output.get("data", {}) for output in cell.outputs)
