"""Pictures of attention heads: matrices with their values written in, two heads compared."""
import matplotlib.pyplot as plt
import numpy as np
import torch

from viva.kits.hand_design_transformer.heads import apply_head, one_hot, tokens
from viva.kits.hand_design_transformer.learning import distance

CELL, LINE, SLOT, MARGIN, AROUND = .42, .24, 1.2, .4, .9  # inches; AROUND: titles above and below
SMALL, WORDS, TITLE = 8, 9.5, 12                           # points
WEIGHTS = "pos", "Km", "Qm", "Qm Kmᵀ", "Vm"
VARIABLES = "keys K", "queries Q", "values V", "scaled scores", "attention", "output"


def head_parts(text, Km, Qm, Vm, pos=None, names=None):
    """Every matrix inside a head that reads one-hot tokens: {name: (matrix, rows, columns)}.

    text   letters A, B, C, ... of the tokens
    names  what to call the tokens instead
    """
    Km, Qm, Vm = (np.asarray(M, dtype=float) for M in (Km, Qm, Vm))
    n = len(Km) - (0 if pos is None else np.shape(pos)[1])
    X = one_hot(text, n)                                                    # (T, n)
    Z = X if pos is None else np.hstack([X, np.asarray(pos)[:len(X)]])      # (T, d)
    names = list(names or map(chr, range(ord("A"), ord("A") + n)))
    inputs = names + [f"p{i}" for i in range(len(Km) - n)]
    read = [names[i] for i in tokens(text)]
    K, Q = Z @ Km, Z @ Qm                                                   # (T, d_qk)
    # With the identity as values a head's output is its attention.
    attention = torch.nn.functional.scaled_dot_product_attention(
        torch.tensor(Q), torch.tensor(K), torch.eye(len(X), dtype=torch.float64)).numpy()
    letters = inputs[:Vm.shape[1]] if Vm.shape[1] == n else None
    used = Z[:, n:]                                      # a longer table has rows nobody reads
    table = {} if pos is None else {"pos": (used, range(len(X)), inputs[n:])}
    return table | {
        "Km": (Km, inputs, None), "Qm": (Qm, inputs, None),
        "Qm Kmᵀ": (Qm @ Km.T, inputs, inputs), "Vm": (Vm, inputs, letters),
        "keys K": (K, read, None), "queries Q": (Q, read, None),
        "values V": (Z @ Vm, read, letters),
        "scaled scores": (Q @ K.T / np.sqrt(Km.shape[1]), read, read),
        "attention": (attention, read, read),
        "output": (apply_head(X, Km, Qm, Vm, pos), read, letters),
    }


def heat_map(axes, M, title, rows, columns=None, below="", digits=2):
    """Draw M with its values written in: blue positive, red negative, white zero.

    The colours span the panel's own largest |entry|, so its range is written below it.
    """
    limit = max(np.abs(M).max(), 1e-12)
    axes.imshow(M, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto")
    for (i, j), value in np.ndenumerate(M):
        axes.text(j, i, short(value, digits), ha="center", va="center", fontsize=SMALL,
                  color="white" if abs(value) > .6 * limit else "black")
    axes.set_title(title, fontsize=WORDS, loc="center", pad=16 if columns else 5)
    axes.set_xlabel(below or span(M), fontsize=SMALL)
    axes.set_yticks(range(len(M)), rows)
    axes.set_xticks(range(M.shape[1]) if columns else [], columns or [])
    axes.tick_params(length=0, labelsize=SMALL, labeltop=True, labelbottom=False)
    axes.spines[["top", "right"]].set_visible(True)


def sheet(rows, title):
    """A figure with rows of heat maps; each row is a list of the arguments of `heat_map`."""
    columns = [sum(panel[0].shape[1] for panel in row) for row in rows]
    cell = min(CELL, *((12.6 - len(row) * (MARGIN + .3)) / n for row, n in zip(rows, columns)))
    widths = [[max(SLOT if len(row) < 8 else .9, cell * panel[0].shape[1]) for panel in row]
              for row in rows]
    heights = [LINE * max(len(panel[0]) for panel in row) + AROUND for row in rows]
    width, height = max(sum(row) + MARGIN * len(row) for row in widths) + .1, sum(heights) + .3
    figure = plt.figure(figsize=(width, height))
    figure.suptitle(title, x=.01, ha="left", y=1 - .1 / height, fontsize=TITLE)
    top = .85
    for row, sizes, tall in zip(rows, widths, heights):
        left = MARGIN
        for panel, size in zip(row, sizes):
            high = LINE * len(panel[0])
            place = left / width, 1 - (top + high) / height, size / width, high / height
            digits = 2 if size / panel[0].shape[1] > .35 else 1
            heat_map(figure.add_axes(place), *panel, digits=digits)
            left += size + MARGIN
        top += tall
    return figure


def draw_head(text, Km, Qm, Vm, pos=None, title="", names=None):
    """Keys, queries, values, scores, attention and output of one head on one sequence."""
    parts = head_parts(text, Km, Qm, Vm, pos, names)
    return sheet([[_panel(parts, name) for name in VARIABLES]], title)


def compare_heads(text, by_hand, learned, title="", names=None):
    """All matrices of two heads, and all that happens in them on one sequence.

    by_hand, learned  (Km, Qm, Vm) or (Km, Qm, Vm, pos)
    Below each learned panel stands the largest difference from the one by hand.
    """
    hand, other = (_parts(text, head, names) for head in (by_hand, learned))
    rows = []
    for group in (WEIGHTS, VARIABLES):
        shown = [name for name in group if name in hand]
        rows.append([_panel(hand, name) for name in shown])
        rows.append([_panel(other, name, f"{name}, learned",
                            verdict(hand[name][0], other[name][0])) for name in shown])
    return sheet(rows, title)


def _parts(text, head, names=None):
    Km, Qm, Vm, *pos = head
    return head_parts(text, Km, Qm, Vm, *pos or [None], names)


def _panel(parts, name, title=None, below=""):
    """The arguments of `heat_map` for one of a head's parts."""
    M, rows, columns = parts[name]
    return M, title or name, rows, columns, below


def differences(text, by_hand, learned):
    """{name: difference} of all variables of two heads, relative to their largest entries.

    Rows of scores are compared twice: as they are, and less their mean.
    """
    found = {}
    hand, other = (_parts(text, head) for head in (by_hand, learned))
    for name in (name for name in (*WEIGHTS, *VARIABLES) if name in hand):
        pair = hand[name][0], other[name][0]
        found[name] = distance(*pair)
        if name == "scaled scores":
            found["scores, rows centred"] = distance(*(S - S.mean(1, keepdims=True) for S in pair))
    return found


def verdict(a, b):
    """Whether two panels agree, in words: up to a twentieth of their largest entry."""
    if np.shape(a) != np.shape(b):
        return "another shape"
    gap = np.abs(a - b).max()
    if distance(a, b) < .05:
        return f"same within {gap:.1g}"
    return f"differs by {short(gap) if gap > .05 else f'{gap:.1g}'}"


def span(M):
    return f"{short(M.min())} to {short(M.max())}"


def short(value, digits=2):
    """A number in at most five characters, without a minus sign before zero."""
    text = f"{value:.{digits}f}" if abs(value) < 10 else f"{value:.0f}"
    return "0" if float(text) == 0 else text.rstrip("0").rstrip(".") if "." in text else text
