"""How to find an induction head: a score and an ablation."""

import numpy as np


def induction_score(P, tokens):
    """The mean weight on the places right after earlier occurrences of the token that reads.

    P (n, n): a causal pattern; tokens: n integers; ValueError if no token occurs twice
    """
    tokens = np.asarray(tokens)
    earlier = np.tril(tokens[:, None] == tokens, -1)  # [t, s]: s < t holds the same token
    asked = earlier.any(axis=1)
    if not asked.any():
        raise ValueError("no token occurs twice")
    after = np.roll(earlier, 1, axis=1)  # the last column of `earlier` is empty
    return float((P * after).sum(axis=1)[asked].mean())


def ablate(X0, layers, removed):
    """The final stream (d_model, n) of a model without some of its heads.

    layers: lists of heads, functions from the stream to what they add; the heads of a layer read
        the same stream, and later layers read what is left
    removed: pairs (layer, head), counted from zero; ValueError for one that is not there
    """
    removed = set(removed)
    if not removed <= {(i, h) for i, layer in enumerate(layers) for h in range(len(layer))}:
        raise ValueError("no such head")
    X = X0
    for i, layer in enumerate(layers):
        X = X + sum((head(X) for h, head in enumerate(layer) if (i, h) not in removed), 0 * X)
    return X
