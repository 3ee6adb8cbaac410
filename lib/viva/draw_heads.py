"""Pictures of attention heads: matrices with their values written in, two heads compared."""
import matplotlib.pyplot as plt
import numpy as np
import torch

from viva.heads import apply_head, one_hot


def heat_map(ax, M, title, rows=None, columns=None):
    """Draw a matrix with its values written in; blue is positive, red negative, white is zero.

    The colours of each panel span its own largest |entry|, so the range is printed below it.
    """
    M = np.atleast_2d(np.asarray(M, dtype=float))
    limit = max(np.abs(M).max(), 1e-12)
    ax.imshow(M, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto")
    for (i, j), value in np.ndenumerate(M):
        colour = "white" if abs(value) > .6 * limit else "black"
        size = 8 if M.shape[1] < 6 else 7 if M.shape[1] < 9 else 6
        ax.text(j, i, _short(value), ha="center", va="center", fontsize=size, color=colour)
    ax.set_title(title, fontsize=10)
    ax.set_xlabel(f"{_short(M.min())} to {_short(M.max())}", fontsize=8)
    for labels, set_ticks in ((rows, ax.set_yticks), (columns, ax.set_xticks)):
        set_ticks(*([range(len(labels)), list(labels)] if labels is not None else [[]]))
    ax.tick_params(length=0, labelsize=8)


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
    table = {} if pos is None else {"positions pos": (pos, range(len(pos)), inputs[n:])}
    return table | {
        "Km": (Km, inputs, None), "Qm": (Qm, inputs, None),
        "Qm Km$^T$": (Qm @ Km.T, inputs, inputs), "Vm": (Vm, inputs, letters),
        "keys K": (K, text, None), "queries Q": (Q, text, None),
        "values V": (Z @ Vm, text, letters),
        "scaled scores": (Q @ K.T / np.sqrt(Km.shape[1]), text, text),
        "attention": (attention, text, text),
        "output": (apply_head(X, Km, Qm, Vm, pos), text, letters),
    }


def draw_head(text, Km, Qm, Vm, pos=None, title="", labels=None):
    """Keys, queries, values, scores, attention and output of one head on one sequence.

    labels  names of the tokens of the sequence, where letters will not do
    """
    parts = head_parts(text, Km, Qm, Vm, pos)
    names = "keys K", "queries Q", "values V", "scaled scores", "attention", "output"
    wide = [1.6 if parts[name][0].shape[1] > 5 else 1 for name in names]
    figure, axes = plt.subplots(1, 6, figsize=(13, .35 * len(text) + 1.4), width_ratios=wide,
                                layout="constrained")
    for ax, name in zip(axes, names):
        M, *sides = parts[name]
        heat_map(ax, M, name, *(labels if labels and side == text else side for side in sides))
    axes[0].set_ylabel("tokens")
    figure.suptitle(title)
    return figure


def compare_heads(text, by_hand, learned, title=""):
    """Two heads, one above the other: their matrices, and what they do with one sequence.

    by_hand, learned  (Km, Qm, Vm) or (Km, Qm, Vm, pos)
    Below each learned panel stands the largest difference from the one by hand.
    """
    hand, other = (head_parts(text, *head) for head in (by_hand, learned))
    matrices = ["Km", "Qm", "Qm Km$^T$", "Vm", "positions pos"][:len(by_hand) + 1]
    actions = ["keys K", "queries Q", "values V", "attention", "output"]
    blocks = {"the matrices": matrices, f"what they do with {text}": actions}
    tall = .2 * len(by_hand[0]) + 1.2, .25 * len(text) + 1.2
    figure = plt.figure(figsize=(12, 2 * sum(tall) + .6), layout="constrained")
    for part, (name, names) in zip(figure.subfigures(2, 1, height_ratios=tall), blocks.items()):
        part.suptitle(name, x=.01, ha="left", fontsize=11, fontstyle="italic")
        wide = [1.6 if hand[each][0].shape[1] > 5 else 1 for each in names]
        axes = part.subplots(2, len(names), width_ratios=wide)
        for column, each in enumerate(names):
            for row, parts in enumerate((hand, other)):
                heat_map(axes[row, column], parts[each][0], each, *parts[each][1:])
            axes[1, column].set_xlabel(_verdict(hand[each][0], other[each][0]), fontsize=8)
        for row, label in enumerate(("by hand", "learned")):
            axes[row, 0].set_ylabel(label, fontsize=11, fontweight="bold")
    figure.suptitle(title, fontsize=13)
    return figure


def _verdict(a, b):
    span = f"{_short(b.min())} to {_short(b.max())}"
    if a.shape != b.shape:
        return f"{span}; another shape"
    gap = np.abs(a - b).max()
    return f"{span}; {'same within' if gap < .05 else 'differs by'} {gap:.2g}"


def _short(value):
    """A number in at most five characters, without a minus sign before zero."""
    text = f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"
    return "0" if float(text) == 0 else text.rstrip("0").rstrip(".") if "." in text else text
