"""Softmax in numpy."""
import numpy as np

from .common import floating


def stable_softmax(scores, axis=-1):
    r"""Softmax along `axis`, $e^{s_i-m} / \sum_j e^{s_j-m}$ with $m = \max_j s_j$.

    scores  (...) any shape; a floating dtype is kept, anything else becomes float64
    Returns the weights, (...) as `scores`. An entry -inf gets weight 0 and a slice that is
    -inf throughout becomes zeros. `scores` is not modified.
    """
    scores = floating(scores)
    top = scores.max(axis=axis, keepdims=True)
    # In a slice of -inf only, -inf - (-inf) would be NaN: shift such a slice by 0 instead.
    weights = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)
