"""Pictures of attention heads: matrices with their values written in, two heads compared."""
import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.collections import PolyCollection

from viva.kits.hand_design_transformer.heads import apply_head, one_hot

CELL, LINE, SLOT, MARGIN = .42, .24, .95, .35    # inches: a number, a row, a panel, its left edge
SMALL, WORDS, TITLE = 8, 10, 13                  # points: numbers, names of panels, the title


def head_parts(text, Km, Qm, Vm, pos=None):
    """Every matrix inside a head that reads one-hot tokens: {name: (matrix, rows, columns)}."""
    Km, Qm, Vm = (np.asarray(M, dtype=float) for M in (Km, Qm, Vm))
    n = len(Km) - (0 if pos is None else np.shape(pos)[1])
    X = one_hot(text, n)                                                    # (T, n)
    Z = X if pos is None else np.hstack([X, np.asarray(pos)[:len(X)]])      # (T, d)
    inputs = [chr(ord("A") + i) for i in range(n)] + [f"p{i}" for i in range(len(Km) - n)]
    K, Q = Z @ Km, Z @ Qm                                                   # (T, d_qk)
    # With the identity as values a head's output is its attention.
    attention = torch.nn.functional.scaled_dot_product_attention(
        torch.tensor(Q), torch.tensor(K), torch.eye(len(X), dtype=torch.float64)).numpy()
    letters = inputs[:Vm.shape[1]] if Vm.shape[1] == n else None
    used = Z[:, n:]                                      # a longer table has rows nobody reads
    table = {} if pos is None else {"positions pos": (used, range(len(X)), inputs[n:])}
    return table | {
        "Km": (Km, inputs, None), "Qm": (Qm, inputs, None),
        "Qm Kmᵀ": (Qm @ Km.T, inputs, inputs), "Vm": (Vm, inputs, letters),
        "keys K": (K, text, None), "queries Q": (Q, text, None),
        "values V": (Z @ Vm, text, letters),
        "scaled scores": (Q @ K.T / np.sqrt(Km.shape[1]), text, text),
        "attention": (attention, text, text),
        "output": (apply_head(X, Km, Qm, Vm, pos), text, letters),
    }


class Canvas:
    """Panels of numbers on one pair of axes in inches."""

    def __init__(self, width, height, title):
        self.figure = plt.figure(figsize=(width, height))
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        self.axes.axis("off")
        self.cells, self.colours, self.boxes = [], [], []
        self.figure.suptitle(title, visible=False)  # for the alt text
        self.write(width / 2, .2, title, TITLE)

    def write(self, x, y, text, size=SMALL, colour="black", upwards=False):
        """Write a text centred at (x, y)."""
        self.axes.text(x, y, text, fontsize=size, color=colour, ha="center", va="center",
                       rotation=90 if upwards else 0, in_layout=False)

    def heat_map(self, x, y, M, title, rows, columns, below="", cell=CELL):
        """Draw M with its upper left corner at (x, y): blue positive, red negative, white zero.

        The colours of a panel span its own largest |entry|, so its range is written below it.
        """
        height, width = M.shape
        limit = max(np.abs(M).max(), 1e-12)
        right, bottom = x + cell * width, y + LINE * height
        square = np.array([(0, 0), (cell, 0), (cell, LINE), (0, LINE)])
        self.boxes.append([(x, y), (right, y), (right, bottom), (x, bottom), (x, y)])
        # The label is for the alt text, which names what a figure shows.
        self.axes.plot([], [], label=f"{title} ({height} by {width}, {below or span(M)})")
        for (i, j), value in np.ndenumerate(M):
            corner, colour = (x + cell * j, y + LINE * i), "black"
            if abs(value) > .01 * limit:
                self.cells.append(square + corner)
                self.colours.append(.5 + .5 * value / limit)
                colour = "white" if abs(value) > .6 * limit else "black"
            self.write(corner[0] + cell / 2, corner[1] + LINE / 2, short(value), colour=colour)
        for i, label in enumerate(rows):
            self.write(x - .06 - .04 * len(str(label)), y + LINE * (i + .5), str(label))
        for j, label in enumerate(columns or ()):
            self.write(x + cell * (j + .5), y - .09, str(label))
        self.write((x + right) / 2, y - .3, title, WORDS)
        self.write((x + right) / 2, bottom + .14, below or span(M))

    def finish(self):
        """Draw the cells and their boxes; returns the figure."""
        colours = plt.colormaps["RdBu"](np.array(self.colours))
        # What lies inside the axes need not be measured to find out how large the figure is.
        self.axes.add_artist(PolyCollection(self.cells, facecolors=colours, in_layout=False))
        self.axes.add_artist(PolyCollection(self.boxes, facecolors="none", edgecolors="black",
                                            linewidths=.8, in_layout=False))
        return self.figure


def places(matrices, width):
    """Left edges of panels in a row, and the width of a number, so that all fit into `width`."""
    columns = [M.shape[1] for M in matrices]
    room = width - MARGIN * len(columns)
    cell = CELL
    while cell > .2 and sum(max(SLOT, cell * n) for n in columns) > room:
        cell -= .01
    slots = [max(SLOT, cell * n) + MARGIN for n in columns]
    edges = np.cumsum([0, *slots[:-1]]) + MARGIN
    return [edge + (slot - MARGIN - cell * n) / 2
            for edge, slot, n in zip(edges, slots, columns)], cell, sum(slots)


def draw_head(text, Km, Qm, Vm, pos=None, title="", labels=None):
    """Keys, queries, values, scores, attention and output of one head on one sequence.

    labels  names of the tokens of the sequence, where letters will not do
    """
    parts = head_parts(text, Km, Qm, Vm, pos)
    names = "keys K", "queries Q", "values V", "scaled scores", "attention", "output"
    edges, cell, width = places([parts[name][0] for name in names], 12.5)
    canvas = Canvas(width + .1, LINE * len(text) + 1.15, title)
    for x, name in zip(edges, names):
        M, *sides = parts[name]
        rows, columns = (labels if labels and side == text else side for side in sides)
        canvas.heat_map(x, .85, M, name, rows, columns, cell=cell)
    return canvas.finish()


def compare_heads(text, by_hand, learned, title=""):
    """Two heads, one above the other: their matrices, and where they look on one sequence.

    by_hand, learned  (Km, Qm, Vm) or (Km, Qm, Vm, pos)
    Below each learned panel stands the largest difference from the one by hand.
    """
    hand, other = (head_parts(text, *head) for head in (by_hand, learned))
    names = [name for name in ("positions pos", "Km", "Qm", "Qm Kmᵀ", "Vm", "attention", "output")
             if name in hand]
    wider = [max(hand[name][0], other[name][0], key=lambda M: M.shape[1]) for name in names]
    edges, cell, width = places(wider, 12.5)
    tall = LINE * len(by_hand[0]) + 1
    canvas = Canvas(width + .4, 2 * tall + .35, title)
    for row, (parts, label) in enumerate(((hand, "by hand"), (other, "learned"))):
        top = .85 + row * tall
        canvas.write(.15, top + (tall - 1) / 2, label, WORDS, upwards=True)
        for x, name in zip(edges, names):
            M, rows, columns = parts[name]
            below = verdict(hand[name][0], M) if row else ""
            canvas.heat_map(x + .3, top, np.asarray(M), name, rows, columns, below, cell)
    return canvas.finish()


def verdict(a, b):
    """Whether two panels agree, in words."""
    if np.shape(a) != np.shape(b):
        return "another shape"
    gap = np.abs(a - b).max()
    return f"{'same within' if gap < .05 else 'differs by'} {gap:.2g}"


def span(M):
    return f"{short(M.min())} to {short(M.max())}"


def short(value):
    """A number in at most five characters, without a minus sign before zero."""
    text = f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"
    return "0" if float(text) == 0 else text.rstrip("0").rstrip(".") if "." in text else text
