"""Figures say in words what they show: while a student works, and on a TA's page."""

from types import SimpleNamespace

import IPython
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.core.pylabtools import print_figure
from matplotlib import pyplot
from matplotlib.figure import Figure

from viva.figures import describe_figures, description
from viva_examiner.sandbox.outputs import Collector


@pytest.fixture()
def figure():
    figure = Figure()
    curves, image = figure.subplots(1, 2)
    curves.plot([3, 1], label="adam")
    curves.plot([3, 2], label='"sgd" <b>')
    curves.set(xlabel="step", ylabel="loss")
    curves.legend()
    figure.colorbar(image.imshow(np.eye(3)))
    image.set_title("weights")
    return figure


@pytest.fixture()
def shown(monkeypatch):
    """The formatters of a notebook whose figures are drawn inline as png."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    formatter = DisplayFormatter()
    formatter.formatters["image/png"].for_type(Figure, lambda figure: print_figure(figure))
    shell = SimpleNamespace(display_formatter=formatter)
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    monkeypatch.setattr(pyplot, "get_backend", lambda: "inline")
    return formatter.format


def test_the_description_names_panels_axes_curves_and_images(figure):
    assert description(figure) == (
        'Figure with 2 panels: loss over step; showing adam, "sgd" <b>. weights; image of 3 by 3')


def test_while_a_student_works_the_image_has_an_alt_text(figure, shown):
    describe_figures()
    describe_figures()  # the first cell, run again
    data, _ = shown(figure)
    assert set(data) == {"text/plain", "text/html"}
    assert data["text/plain"] == description(figure)
    assert data["text/html"].startswith('<img alt="Figure with 2 panels: loss over step; ')
    assert "&quot;sgd&quot; &lt;b&gt;" in data["text/html"]
    assert 'src="data:image/png;base64,iVBOR' in data["text/html"]


def test_under_grading_it_stays_a_png_with_a_description(figure, shown, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    describe_figures()
    data, metadata = shown(figure)
    assert set(data) == {"text/plain", "image/png"}
    assert metadata["image/png"]["alt"] == description(figure)
    collected = Collector(1024)
    collected.add({"o": "display", "data": data, "metadata": metadata})
    [output] = collected.outputs
    assert output["metadata"]["image/png"]["alt"].startswith("Figure with 2 panels: loss over step")
    assert not set("<>\"'&") & set(output["metadata"]["image/png"]["alt"])


@pytest.mark.parametrize("metadata", [None, 3, {"image/png": 1}, {"image/png": {"alt": ["x"]}}])
def test_metadata_that_is_no_description_is_dropped(figure, metadata):
    collected = Collector(1024)
    data = {"image/png": print_figure(figure)}
    collected.add({"o": "display", "data": data, "metadata": metadata})
    assert collected.outputs[0]["metadata"] == {}
