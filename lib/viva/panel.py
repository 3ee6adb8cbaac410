"""Axes for a plot, with a plain frame: title, labels, a few ticks, a key to the curves.

`panel` returns ordinary matplotlib axes. Only their frame is drawn here, as one shape, because
matplotlib takes longer for the ticks, labels and legend of a plot than for all of its curves.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter
from matplotlib.transforms import Bbox, IdentityTransform

from viva.lettering import outline

LEFT, RIGHT, BOTTOM, TOP = .66, .12, .5, .28         # inches around the axes of a panel
SMALL, WORDS, TITLE = 9, 10, 11                      # points: ticks and key, labels, title


def panel(title="", x="", y="", xticks=None, yticks=None, log="", key="", at=(1, 1),
          size=(6, 3.5), **limits):
    """Axes with a title, a label and ticks on each axis, and a key to the labelled curves.

    xticks, yticks  where the ticks are; a dict gives their labels as well
    log             the axes that are logarithmic: "x", "y" or "xy"
    key             its place: "upper right", "center left", ... or (0.2, 0.7); or no key
    at              (2, 3) is the second of three panels in a row; (1, 1) is a figure of its own
    size            inches, of the whole figure
    limits          xlim and ylim
    """
    place, count = at
    figure = plt.figure(figsize=size) if place == 1 else plt.gcf()
    width, height = figure.get_size_inches()
    slot = width / count                                                    # inches
    axes = figure.add_axes((((place - 1) * slot + LEFT) / width, BOTTOM / height,
                            (slot - LEFT - RIGHT) / width, 1 - (TOP + BOTTOM) / height))
    axes.set(xlabel=x, ylabel=y, **{f"{name}scale": "log" for name in log}, **limits)
    axes.set_title(title, y=1, visible=False)        # the frame writes it
    for axis, ticks in ((axes.xaxis, xticks), (axes.yaxis, yticks)):
        axis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))
        if ticks is not None:
            axis.set_major_locator(FixedLocator(list(ticks)))
        if isinstance(ticks, dict):
            axis.set_major_formatter(FixedFormatter(list(ticks.values())))
    axes.set_axis_off()
    axes.add_artist(Frame(key)).set_clip_on(False)
    return axes


def note(axes, x, y, text):
    """Write a text into a panel, centred at the point (x, y) of the data, on white."""
    next(each for each in axes.artists if isinstance(each, Frame)).notes.append((x, y, text))


class Frame(Artist):
    """The box around axes and all that is written outside it, and the notes and the key inside."""

    zorder = 5

    def __init__(self, key):
        super().__init__()
        self.key, self.notes = key, []

    def get_tightbbox(self, renderer=None):
        """The margins are known: there is nothing to measure."""
        box, inch = self.axes.bbox, self.get_figure().dpi
        return Bbox.from_extents(box.x0 - LEFT * inch, box.y0 - BOTTOM * inch,
                                 box.x1 + RIGHT * inch, box.y1 + TOP * inch)

    def draw(self, renderer):
        axes, point = self.axes, renderer.points_to_pixels(1)
        left, bottom, right, top = axes.bbox.extents
        middle, half = (left + right) / 2, (bottom + top) / 2
        lines = [[(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]]
        texts = [(middle, top + 11 * point, axes.get_title(), TITLE, 0, False),
                 (middle, bottom - 28 * point, axes.get_xlabel(), WORDS, 0, False),
                 (left - 40 * point, half, axes.get_ylabel(), WORDS, 0, True)]
        for x, label in ticks_of(axes.xaxis, left, right, axes.get_xlim()):
            lines.append([(x, bottom), (x, bottom - 3.5 * point)])
            texts.append((x, bottom - 12 * point, label, SMALL, 0, False))
        for y, label in ticks_of(axes.yaxis, bottom, top, axes.get_ylim()):
            lines.append([(left, y), (left - 3.5 * point, y)])
            texts.append((left - 6 * point, y, label, SMALL, 1, False))
        draw_lines(renderer, lines, .8 * point)
        for x, y, text in self.notes:
            x, y = axes.transData.transform((x, y))
            w, h = point * (SMALL * outline(text)[2] / 2 + 1), 6 * point
            draw_lines(renderer, [[(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]],
                       0, fill=(1, 1, 1))
            texts.append((x, y, text, SMALL, 0, False))
        if self.key:
            texts += self.draw_key(renderer, point, *axes.get_legend_handles_labels())
        write(renderer, texts, point)

    def draw_key(self, renderer, point, handles, labels):
        """Draw a sample of each labelled curve; returns the texts beside them."""
        line, sample, gap = 14 * point, 24 * point, 6 * point
        width = sample + 3 * gap + SMALL * point * max(outline(label)[2] for label in labels)
        height = line * len(labels) + gap
        box, share = self.axes.bbox, self.key
        if isinstance(share, str):
            names = {"left": 0, "lower": 0, "center": .5, "right": 1, "upper": 1}
            share = [names[word] for word in reversed(share.split())]
        x = box.x0 + gap + share[0] * (box.width - width - 2 * gap)
        y = box.y0 + gap + share[1] * (box.height - height - 2 * gap)
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
        draw_lines(renderer, [corners], .8 * point, "lightgrey", (1, 1, 1), .8)
        texts = []
        for row, (handle, label) in enumerate(zip(handles, labels)):
            middle = y + height - gap / 2 - line * (row + .5)
            swatch = copy(handle, x + gap, middle, sample, .6 * line)
            swatch.set_figure(self.get_figure())
            swatch.draw(renderer)
            texts.append((x + sample + 2 * gap, middle, label, SMALL, -1, False))
        return texts


def ticks_of(axis, low, high, limits):
    """(pixel, label) of the ticks within the limits."""
    ticks = np.asarray(axis.get_majorticklocs(), dtype=float)
    labels = axis.get_major_formatter().format_ticks(ticks)
    start, end, *along = axis.get_transform().transform([*limits, *ticks])
    shares = (np.array(along) - start) / (end - start)
    return [(low + share * (high - low), label) for share, label in zip(shares, labels)
            if -1e-6 < share < 1 + 1e-6]


def copy(handle, x, y, width, height):
    """A small picture of a curve, or of a patch (bars, a histogram), in pixels."""
    if isinstance(handle, Line2D):
        swatch = Line2D([], [])
        swatch.update_from(handle)
        swatch.set(data=([x, x + width / 2, x + width], [y, y, y]), markevery=[1])
    else:
        swatch = Rectangle((x, y - height / 2), width, height)
        swatch.update_from(handle if isinstance(handle, Patch) else handle[0])
    swatch.set(transform=IdentityTransform(), clip_on=False)
    return swatch


def draw_lines(renderer, lines, width, colour="black", fill=None, alpha=1):
    """Draw polygons, each a list of points in pixels."""
    codes = [code for line in lines for code in [Path.MOVETO] + [Path.LINETO] * (len(line) - 1)]
    draw_shape(renderer, np.concatenate(lines), codes, width, colour, fill, alpha)


def write(renderer, texts, point):
    """Fill the outlines of texts (x, y, text, size, side, upwards), in pixels.

    side  0: centred at x; 1: ends at x; -1: begins at x
    """
    vertices, codes = [np.empty((0, 2))], []
    for x, y, text, size, side, upwards in texts:
        if text:
            shape, code, width = outline(text)
            shape = size * point * (shape - (side * width / 2, 0))
            vertices.append((shape[:, ::-1] * (-1, 1) if upwards else shape) + (x, y))
            codes.extend(code)
    draw_shape(renderer, np.concatenate(vertices), codes, 0, "black", (0, 0, 0), 1)


def draw_shape(renderer, vertices, codes, width, colour, fill, alpha):
    pen = renderer.new_gc()
    pen.set_linewidth(width)
    pen.set_foreground(colour)
    pen.set_alpha(alpha)
    pen.set_snap(width > 0)
    renderer.draw_path(pen, Path(vertices, codes), IdentityTransform(), fill)
    pen.restore()


def plain(value):
    """A number as one would write it by hand: 0.01, 1000, 10⁻⁵, 3·10⁶."""
    if value == 0 or 1e-4 < abs(value) < 1e5:
        return f"{value:g}".replace("-", "−")
    digits, power = f"{value:.3e}".split("e")
    digits = "" if float(digits) == 1 else f"{float(digits):g}·".replace("-", "−")
    return digits + "10" + str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
