"""Attention from a decoder to an encoder in parts: what the mistakes of `cross_attention` share."""

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
