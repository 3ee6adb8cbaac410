"""Figures drawn in half the time, with the same pixels.

Jupyter saves a figure with bbox_inches="tight". Matplotlib then goes three times over everything in
it: a draw that draws nothing, the search for the bounding box, and the real draw; each time an axis
finds out five to seven times which ticks it has, and a text how large it is. None of that can
change the picture: the search makes all the preparations of the first draw itself, ticks stay as
they are while one Axes is drawn, and a text is as large for one renderer as for the next.
tests/examiner/sandbox/test_drawing.py compares the pictures, pixel by pixel, with matplotlib's own;
with a version of matplotlib that it never ran on, matplotlib draws as it always does.
"""

import functools
import struct
import zlib
from collections.abc import Callable
from typing import Any

import matplotlib
import numpy as np
from matplotlib import text
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure

COMPARED = ("3.11.2",)  # versions of matplotlib on which the pictures were compared
SETTLED: dict[Any, dict] = {}  # Axes that are being drawn -> what their axes have answered
PIXELS_PER_METRE = 1 / 0.0254  # of one dot per inch


def install() -> None:
    """From now on matplotlib draws this way, in this process and those forked from it."""
    if matplotlib.__version__ not in COMPARED:
        return
    for owner, name, change in (
            (Axes, "draw", settles), (Axes, "get_tightbbox", settles),
            (Axis, "_update_ticks", once), (Axis, "_get_ticklabel_bboxes", once),
            (Figure, "draw", not_in_vain), (FigureCanvasAgg, "print_png", light),
            (text, "_get_text_metrics_with_cache", measured_once)):
        setattr(owner, name, change(getattr(owner, name)))


def settles(method: Callable) -> Callable:
    """While this method runs, the ticks of its Axes stay as they are."""

    @functools.wraps(method)
    def run(axes: Axes, *args: Any, **kwargs: Any) -> Any:
        if axes in SETTLED or type(axes) is not Axes:
            return method(axes, *args, **kwargs)
        SETTLED[axes] = {}
        try:
            return method(axes, *args, **kwargs)
        finally:
            del SETTLED[axes]

    return run


def once(method: Callable) -> Callable:
    """An axis of settled Axes answers this question once."""

    @functools.wraps(method)
    def answer(axis: Any, *args: Any) -> Any:
        known = SETTLED.get(getattr(axis, "axes", None))
        if known is None:
            return method(axis, *args)
        key = (axis, method.__name__, *map(id, args))
        if key not in known:
            known[key] = (method(axis, *args), args)  # args: so that no other object gets their id
        return known[key][0]

    return answer


def not_in_vain(method: Callable) -> Callable:
    """A draw that draws nothing, only to have everything in its place, ends after the layout."""

    @functools.wraps(method)
    def draw(figure: Any, renderer: Any) -> None:
        disabled = "open_group" in vars(renderer)  # by RendererBase._draw_disabled
        if not disabled or figure.subfigs or any(type(axes) is not Axes for axes in figure.axes):
            return method(figure, renderer)
        figure._get_draw_artists(renderer)  # gives all Axes their aspect and position
        if figure.axes and figure.get_layout_engine() is not None:
            figure.get_layout_engine().execute(figure)

    return draw


def measured_once(method: Callable) -> Callable:
    """The size of a text is the same for all renderers of one kind and resolution."""
    sizes = {}

    @functools.wraps(method)
    def size(renderer: Any, words: str, font: Any, ismath: Any, dpi: float) -> Any:
        if type(renderer) is not RendererAgg:
            return method(renderer, words, font, ismath, dpi)
        settings: Any = matplotlib.rcParams
        key = (words, hash(font), ismath, dpi, *(settings[name] for name in SIZING))
        if key not in sizes:
            sizes[key] = method(renderer, words, font, ismath, dpi)
        return sizes[key]

    return size


SIZING = ("text.hinting", "text.kerning_factor", "mathtext.fontset", "text.usetex")


def light(method: Callable) -> Callable:
    """PNG without trying five filters on every row, for a fifth of the time and the same size."""

    @functools.wraps(method)
    def print_png(canvas: FigureCanvasAgg, filename_or_obj: Any, **settings: Any) -> None:
        if any(settings.values()) or not hasattr(filename_or_obj, "write"):
            return method(canvas, filename_or_obj, **settings)
        FigureCanvasAgg.draw(canvas)
        filename_or_obj.write(png(np.asarray(canvas.buffer_rgba()), canvas.figure.dpi))

    return print_png


def png(pixels: np.ndarray, dpi: float) -> bytes:
    """A PNG file of pixels (h, w, 4)."""
    h, w, _ = pixels.shape
    rows = np.zeros((h, 1 + 4 * w), np.uint8)  # each with the number of its filter, 0 for none
    rows[:, 1:] = pixels.reshape(h, -1)
    density = int(dpi * PIXELS_PER_METRE + 0.5)
    parts = ((b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 6, 0, 0, 0)),
             (b"pHYs", struct.pack(">IIB", density, density, 1)),
             (b"IDAT", zlib.compress(rows.data, 1)),
             (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts)
