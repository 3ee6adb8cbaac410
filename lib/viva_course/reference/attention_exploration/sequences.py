"""From one sequence to another, and what attention does not see of an order."""

import numpy as np


def cross_attention(dec, enc, mask=None, scale=None):
    """(context, weights): every decoder state reads the encoder states that the mask allows.

    dec (B, Td, d), enc (B, Te, d), mask (B, Te) with True for a real token. Scores are divided by
    scale, by default sqrt(d). Where all tokens are masked, context and weights are zero.
    """
    dec, enc = np.asarray(dec, float), np.asarray(enc, float)
    scale = np.sqrt(dec.shape[-1]) if scale is None else scale
    scores = dec @ enc.swapaxes(-1, -2) / scale  # (B, Td, Te)
    allowed = np.ones(scores.shape, bool)
    if mask is not None:
        allowed &= np.asarray(mask, bool)[:, None, :]
    top = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0.0)
    weights = np.exp(np.where(allowed, scores - top, -np.inf))
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total > 0, total, 1.0)
    return weights @ enc, weights


def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    """Whether f(X[p]) = f(X)[p], up to tol in every entry, for `trials` random permutations p."""
    out = np.asarray(f(X))  # (n, m)
    for _ in range(trials):
        order = rng.permutation(len(X))
        if not np.all(np.abs(np.asarray(f(X[order])) - out[order]) <= tol):
            return False
    return True
