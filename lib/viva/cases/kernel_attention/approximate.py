"""Cases of rff_softmax_attention."""
import numpy as np
import torch
from torch.nn import functional as F

from viva.case import case, rule
from viva.cases.kernel_attention.memory import size_word, with_peak


@case("rff_softmax_attention", rtol=1e-8, atol=1e-8)  # a denominator of 64 terms of either sign
def exact_for_given_frequencies(rng, rff_softmax_attention):
    """six queries, seven keys, D = 9, 64 given frequencies"""
    Q, K = rng.normal(size=(6, 9)) / 3, rng.normal(size=(7, 9)) / 3
    W = rng.normal(size=(64, 9)) / 9**0.25
    return rff_softmax_attention(Q, K, rng.normal(size=(7, 3)), W)


@case("rff_softmax_attention", log=False)
def close_to_softmax(rng, rff_softmax_attention):
    """8192 frequencies, keys of length 0.2 to 2: error below 0.05"""
    Q, K, V = (rng.normal(size=shape) / 2 for shape in ((4, 4), (8, 4), (8, 1)))
    K *= np.linspace(0.2, 2, 8)[:, None] / np.linalg.norm(K, axis=-1, keepdims=True)
    V = np.linspace(0, 2, 8)[:, None] + 0.1 * V  # long keys are those with large values
    W = rng.normal(size=(8192, 4)) / 4**0.25
    softmax = F.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V))).numpy()
    error = np.asarray(rff_softmax_attention(Q, K, V, W), float) - softmax
    return bool(np.abs(error).max() < 0.05)


@rule("rff_softmax_attention", rtol=1e-8, atol=1e-8)
def batch(rng, rff_softmax_attention):
    """two sequences at once, the keys of the second eighty times as long"""
    Q, K = rng.normal(size=(2, 4, 4)) / 2, rng.normal(size=(2, 5, 4)) / 2
    K[1] *= 80
    return rff_softmax_attention(Q, K, rng.normal(size=(2, 5, 3)), rng.normal(size=(32, 4)))


def _keys(rng, *lengths):
    """A key of each of these lengths, in four dimensions."""
    K = rng.normal(size=(len(lengths), 4))
    return K * np.array(lengths)[:, None] / np.linalg.norm(K, axis=-1, keepdims=True)


@rule("rff_softmax_attention", rtol=1e-8, atol=1e-8)
def long_keys(rng, rff_softmax_attention):
    """keys of length 60 to 62, whose exponentials overflow"""
    Q, K = rng.normal(size=(3, 4)), _keys(rng, 60, 60.1, 60.2, 61, 62)
    return rff_softmax_attention(Q, K, rng.normal(size=(5, 2)), rng.normal(size=(16, 4)))


@rule("rff_softmax_attention", rtol=1e-8, atol=1e-8)
def one_long_key(rng, rff_softmax_attention):
    """four short keys and one of length 80"""
    Q, K = rng.normal(size=(3, 4)), _keys(rng, 1, 2, 3, 4, 80)
    return rff_softmax_attention(Q, K, rng.normal(size=(5, 2)), rng.normal(size=(16, 4)))


@rule("rff_softmax_attention", rtol=1e-6, atol=1e-6)  # some denominators nearly cancel
def any_denominator(rng, rff_softmax_attention):
    """two frequencies: denominators of either sign"""
    Q, K = 2 * rng.normal(size=(12, 4)), 2 * rng.normal(size=(5, 4))
    return rff_softmax_attention(Q, K, rng.normal(size=(5, 1)), rng.normal(size=(2, 4)))


@rule("rff_softmax_attention", rtol=1e-7, atol=1e-7)  # sums over 3000 features of either sign
def never_N_x_N(rng, rff_softmax_attention):
    """3000 tokens: the last row, and no array of N x N numbers (72 MB)"""
    Q, K = 0.4 * rng.normal(size=(2, 3000, 4))
    V, W = rng.normal(size=(3000, 3)), rng.normal(size=(8, 4)) / 4**0.25
    out, peak = with_peak(rff_softmax_attention, Q, K, V, W)
    return {"last row": out[-1], "less than 12 MB of memory": peak < 12,
            "the largest moment has": size_word(peak, 72, "an N x N array")}
