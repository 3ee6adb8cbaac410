"""Attention from a decoder to an encoder in parts: what the mistakes of `cross_attention` share.

And judges of a symmetry, for those of `is_permutation_equivariant`.
"""

import numpy as np


def root(dec):
    return np.sqrt(dec.shape[-1])


def scores_of(dec, enc, scale):
    return dec @ enc.swapaxes(-1, -2) / (root(dec) if scale is None else scale)


def shares(weights, axis=-1):
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total > 0, total, 1.0)


def softmax(scores, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True)
    return shares(np.exp(scores - np.where(np.isfinite(top), top, 0.0)), axis)


def hidden(scores, mask, value=-np.inf):
    return scores if mask is None else np.where(mask[:, None, :], scores, value)


def weighted(weights_of):
    """Attention with weights of its own: weights_of(scores, mask)."""
    def cross_attention(dec, enc, mask=None, scale=None):
        weights = weights_of(scores_of(dec, enc, scale), mask)
        return weights @ enc, weights

    return cross_attention


def lowered(penalty):
    """Attention that lowers the scores of padding by a constant; rows of padding are zero."""
    def weights_of(scores, mask):
        if mask is None:
            return softmax(scores)
        return softmax(scores - penalty * ~mask[:, None, :]) * mask.any(axis=1)[:, None, None]

    return weighted(weights_of)


def judge(agree):
    """A judge that asks agree(f, X, permutation, tol) in every trial."""
    return lambda f, X, rng, trials=5, tol=1e-8: all(
        agree(f, X, rng.permutation(len(X)), tol) for _ in range(trials))


def near(a, b, tol):
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tol))


def first(p, X):
    return np.argsort(p[: X.shape[1]])
