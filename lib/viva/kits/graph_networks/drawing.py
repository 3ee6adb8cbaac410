"""A graph as dots and lines, in plain matplotlib."""

import numpy as np


def draw_graph(ax, A, places, values=None, names=None, size=180, **style):
    """Draw the graph A (n, n) with node i at places[i]; returns the dots (for a colour bar).

    values (n,): a number per node, shown as its colour; names: a text per node
    style: passed on to ax.scatter (cmap, vmin, vmax, ...)
    """
    places = np.asarray(places, float)
    for i, j in zip(*np.nonzero(np.triu(A, 1)), strict=True):
        ax.plot(*places[[i, j]].T, color="0.75", lw=0.8, zorder=1)
    values = np.zeros(len(places)) if values is None else values
    dots = ax.scatter(*places.T, c=values, s=size, edgecolors="black", linewidths=0.6, zorder=2,
                      **style)
    for node, (x, y) in enumerate(places):
        text = str(node) if names is None else names[node]
        ax.text(x, y, text, ha="center", va="center", fontsize=7, zorder=3)
    ax.set_axis_off()
    return dots
