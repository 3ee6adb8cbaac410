"""Text as outlines: many short texts drawn as one shape cost little more than one."""

import functools

import numpy as np
from matplotlib.font_manager import FontProperties, findfont, get_font

LARGE = 1000  # the size at which outlines are read: hinting moves a point by a thousandth at most


def outline(text):
    """Vertices (n, 2), codes (n,) and width of a text of size 1; centred at 0, y points up."""
    shapes = [glyph(letter) for letter in text]
    widths = [width for _, _, width in shapes]
    starts = np.cumsum([-sum(widths) / 2, *widths[:-1]])
    vertices = [vertices + (x, -.36) for (vertices, _, _), x in zip(shapes, starts)]
    return np.concatenate(vertices), np.concatenate([codes for _, codes, _ in shapes]), sum(widths)


@functools.cache
def glyph(letter):
    """A letter's outline, its codes and its width for size 1."""
    font = get_font(findfont(FontProperties()))
    font.set_size(LARGE, 72)  # matplotlib shares the font, and sets its own size
    width = font.load_char(ord(letter)).linearHoriAdvance / 65536
    vertices, codes = font.get_path()
    return np.reshape(vertices, (-1, 2)) / LARGE, np.asarray(codes, np.uint8), width / LARGE
