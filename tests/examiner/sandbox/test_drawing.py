"""The examiner's way to draw figures shows the same pixels as matplotlib's own."""

import io

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib import text
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from viva_examiner.sandbox.inside import drawing

matplotlib.use("agg")
X = np.linspace(0.01, 3, 40)
PATCHED = ((Axes, "draw"), (Axes, "get_tightbbox"), (Axis, "_update_ticks"),
           (Axis, "_get_ticklabel_bboxes"), (Figure, "draw"), (FigureCanvasAgg, "print_png"),
           (text, "_get_text_metrics_with_cache"))


def curves():
    figure, axes = plt.subplots()
    axes.plot(X, np.sin(X), label="sine")
    axes.plot(X, X**2 * 1e6, "o--", label="$x^2$")  # an offset text, and a legend that must move
    axes.set(xlabel="x", ylabel="value", title="Two curves")
    axes.legend()
    return figure


def logarithmic():
    figure, axes = plt.subplots(1, 2, figsize=(9, 3), sharey=True)
    axes[0].loglog(X, np.exp(X))
    axes[1].semilogy(X, np.exp(-X))
    axes[1].label_outer()
    axes[0].grid(True, which="both")
    figure.suptitle("Scales")
    return figure


def pictures():
    figure, axes = plt.subplots(2, 2, layout="constrained")
    for index, ax in enumerate(axes.flat):
        image = ax.imshow(np.arange(12.0).reshape(3, 4) + index, cmap="coolwarm")
        ax.set_title(f"panel {index}")
    figure.colorbar(image, ax=axes)
    return figure


def twins():
    figure, axes = plt.subplots()
    axes.bar(["a", "b", "long name"], [3, 1, 2])
    axes.tick_params(axis="x", rotation=30)
    other = axes.twinx()
    other.plot([0, 1, 2], [10, 20, 15], "r")
    other.set_ylabel("right")
    axes.set_title("left", loc="left")
    axes.xaxis.tick_top()
    return figure


def words():
    figure, axes = plt.subplots()
    axes.scatter(X, X, c=X)
    axes.annotate("far out", (1, 1), (4.5, 3), arrowprops={"arrowstyle": "->"})
    axes.text(-0.5, -0.5, "outside", rotation=45)
    axes.text(1, 2, "big\n$\\sqrt{x_1}$", fontsize=20)
    axes.inset_axes([0.6, 0.1, 0.3, 0.3]).plot(X, X)
    figure.text(0.5, -0.1, "below")
    figure.legend(["dots"], loc="outside upper right")
    return figure


def shapes():
    figure, axes = plt.subplots(2, 1)
    axes[0].contourf(np.outer(X, X))
    axes[0].set_aspect("equal")
    axes[1].fill_between(X, np.sin(X), 0.5, alpha=0.3)
    axes[1].secondary_xaxis("top", functions=(lambda x: 2 * x, lambda x: x / 2))
    axes[1].spines[["top", "right"]].set_visible(False)
    figure.align_ylabels()
    figure.tight_layout()
    return figure


def other_projections():
    figure = plt.figure()
    figure.add_subplot(121, projection="polar").plot(X, X)
    figure.add_subplot(122, projection="3d").plot(X, X, X)
    return figure


def parts():
    figure = plt.figure()
    left, right = figure.subfigures(1, 2)
    left.subplots().plot(X, X)
    right.subplots(2, 1)[0].set_title("right")
    return figure


def empty():
    return plt.figure()


def invisible():
    figure, axes = plt.subplots()
    axes.imshow(np.eye(3))
    axes.axis("off")
    axes.set_title("no axes")
    return figure


FIGURES = (curves, logarithmic, pictures, twins, words, shapes, other_projections, parts, empty,
           invisible)


def pixels(make, **settings):
    file = io.BytesIO()
    figure = make()
    figure.savefig(file, **settings)
    plt.close(figure)
    picture = Image.open(file)
    return np.asarray(picture.convert("RGBA")), picture.info["dpi"]


@pytest.fixture
def installed(monkeypatch):
    """What `install` changes is undone after the test."""

    def install():
        for owner, name in PATCHED:
            monkeypatch.setattr(owner, name, getattr(owner, name))
        drawing.install()

    return install


@pytest.mark.parametrize("settings", [{"bbox_inches": "tight"}, {}, {"dpi": 57}],
                         ids=["tight", "whole", "coarse"])
@pytest.mark.parametrize("make", FIGURES)
def test_same_pixels(make, settings, installed):
    expected, density = pixels(make, **settings)
    installed()
    for _ in range(2):  # the second time from what the first one remembers
        got, own_density = pixels(make, **settings)
        assert np.array_equal(got, expected)
        assert own_density == density


def test_a_figure_changed_between_two_draws_is_drawn_anew(installed):
    def grown(figure):
        pixels(lambda: figure, bbox_inches="tight")
        figure.axes[0].set(xlim=(0, 50), title="Another title")
        figure.axes[0].tick_params(labelsize=14)
        return figure

    expected = pixels(lambda: grown(curves()), bbox_inches="tight")
    installed()
    got = pixels(lambda: grown(curves()), bbox_inches="tight")
    assert np.array_equal(got[0], expected[0])
    assert not drawing.SETTLED  # nothing is remembered of Axes that are not being drawn


def test_other_formats_and_settings_go_to_matplotlib(installed, tmp_path):
    installed()
    curves().savefig(tmp_path / "a.svg")
    curves().savefig(tmp_path / "a.png", metadata={"Title": "kept"})
    assert "<svg" in (tmp_path / "a.svg").read_text()
    assert Image.open(tmp_path / "a.png").info["Title"] == "kept"
    plt.close("all")


def test_it_stands_aside_for_versions_it_was_never_compared_on(installed, monkeypatch):
    """And the version of the lock is one of those it was: else every figure would be slow."""
    assert matplotlib.__version__ in drawing.COMPARED
    before = [getattr(owner, name) for owner, name in PATCHED]
    monkeypatch.setattr(matplotlib, "__version__", "99.0")
    installed()
    assert [getattr(owner, name) for owner, name in PATCHED] == before
