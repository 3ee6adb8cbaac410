"""Panels: the frame that the kit draws around ordinary axes."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.textpath import TextPath
from PIL import Image

from viva.figures import description
from viva.lettering import glyph, outline
from viva.panel import note, panel, plain


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    plt.close("all")


def picture(**options):
    """The current figure as Jupyter saves it: darkness (rows, columns), 0 where it is white."""
    file = io.BytesIO()
    plt.gcf().savefig(file, bbox_inches="tight", **options)
    return 255 - np.asarray(Image.open(file).convert("L"), dtype=int)


def two_curves(**options):
    axes = panel("the title", "the x label", "the y label", **options)
    axes.plot([1, 10, 100], [3, 1, 2], "C0o-", label="first")
    axes.plot([1, 10, 100], [1, 2, 3], "C1--", label="second")
    return axes


def test_the_alt_text_is_that_of_ordinary_axes():
    two_curves(key="upper right")
    assert description(plt.gcf()) == ("Figure with 1 panel: the title; the y label over "
                                      "the x label; showing first, second")


def test_all_that_is_written_is_inside_the_picture():
    two_curves(log="xy", xticks=[1, 10, 100], yticks=[1, 2, 3])
    dark = picture()
    for edge in (dark[:3], dark[-3:], dark[:, :3], dark[:, -3:]):
        assert not edge.any()
    rows = np.flatnonzero(dark.any(axis=1))
    assert rows[0] < 25 and rows[-1] > len(dark) - 25  # the title above, the label below


@pytest.mark.parametrize("change", [
    lambda axes: axes.set_title("another title"),
    lambda axes: axes.set_xlabel("another label"),
    lambda axes: axes.set_ylabel("another label"),
    lambda axes: axes.set_xticks([20, 60]),
    lambda axes: axes.set_xlim(0, 200),
    lambda axes: note(axes, 50, 2, "a note"),
])
def test_the_frame_follows_its_axes(change):
    two_curves()
    before = picture()
    plt.close("all")
    change(two_curves())
    after = picture()
    assert before.shape == after.shape and (before != after).any()


def test_ticks_outside_the_limits_are_not_drawn():
    two_curves(xticks=[20, 60], xlim=(0, 100))
    inside = picture()
    plt.close("all")
    two_curves(xticks=[-30, 20, 60, 500], xlim=(0, 100))
    np.testing.assert_array_equal(picture(), inside)


@pytest.mark.parametrize("place", ["upper right", "lower left", "center center", (0.3, 0.6)])
def test_a_key_shows_lines_bars_and_histograms(place):
    def draw(**options):
        axes = two_curves(**options)
        axes.bar([1, 2], [1, 2], label="bars", hatch="//")
        axes.hist([1, 2, 2], bins=2, histtype="step", label="counts")
        return picture()

    without = draw()
    plt.close("all")
    assert (draw(key=place) != without).any()


def test_panels_stand_in_a_row():
    left, right = two_curves(at=(1, 2), size=(8, 3)), two_curves(at=(2, 2))
    assert left.figure is right.figure and len(left.figure.axes) == 2
    assert left.get_position().x1 < right.get_position().x0
    assert description(left.figure).startswith("Figure with 2 panels")
    assert two_curves().figure is not left.figure


def test_other_formats_and_resolutions():
    two_curves(key="upper left")
    small, large = picture(dpi=50), picture(dpi=200)
    assert large.shape[0] == pytest.approx(4 * small.shape[0], rel=.02)
    for form in ("svg", "pdf"):
        plt.gcf().savefig(io.BytesIO(), format=form, bbox_inches="tight")


@pytest.mark.parametrize("value, text", [
    (0, "0"), (0.01, "0.01"), (-2, "−2"), (1000, "1000"), (1e-5, "10⁻⁵"), (1e12, "10¹²"),
    (3e6, "3·10⁶"), (-2.5e-7, "−2.5·10⁻⁷"), (0.1 + 0.2, "0.3")])
def test_numbers_are_written_plainly(value, text):
    assert plain(value) == text


@pytest.mark.parametrize("text", ["g", "σ", "²", "Qmᵀ", "10⁻⁵"])
def test_outlines_are_those_of_matplotlib(text):
    glyph.cache_clear()
    plt.figure().text(0, 0, text, fontsize=37)
    picture()  # matplotlib leaves its own size in the font that is shared
    vertices, _, width = outline(text)
    expected = TextPath((0, 0), text, size=1)  # begins at 0, stands on the line
    np.testing.assert_allclose(vertices + (width / 2, .36), expected.vertices, atol=.02)
