"""Cases of linear_attention."""
import numpy as np

from viva.case import case, rule
from viva.cases.kernel_attention.memory import size_word, with_peak


@case("linear_attention")
def positive_features(rng, linear_attention):
    """five queries, four keys, three positive features"""
    phiQ, phiK = rng.uniform(0.1, 1, (5, 3)), rng.uniform(0.1, 1, (4, 3))
    return linear_attention(phiQ, phiK, rng.normal(size=(4, 2)))


@case("linear_attention")
def quadratic_similarity(rng, linear_attention):
    """features of the quadratic similarity, tokens of dimension 1"""
    phi = [np.hstack([x**0, np.sqrt(2) * x, x**2]) for x in rng.normal(size=(2, 6, 1))]
    return linear_attention(*phi, rng.normal(size=(6, 2)))


@rule("linear_attention")
def batch(rng, linear_attention):
    """two axes of a batch"""
    phiQ, phiK = (rng.uniform(0.1, 1, (2, 3, n, 3)) for n in (5, 4))
    return linear_attention(phiQ, phiK, rng.normal(size=(2, 3, 4, 2)))


@rule("linear_attention")
def any_sign(rng, linear_attention):
    """features whose denominators are all negative"""
    phiQ, phiK = rng.uniform(0.1, 1, (5, 3)), -rng.uniform(0.1, 1, (4, 3))
    return linear_attention(phiQ, phiK, rng.normal(size=(4, 2)))


@rule("linear_attention")
def never_N_x_N(rng, linear_attention):
    """3000 tokens: the last row, and no array of N x N numbers (72 MB)"""
    phiQ, phiK = rng.uniform(0.1, 1, (2, 3000, 6))
    out, peak = with_peak(linear_attention, phiQ, phiK, rng.normal(size=(3000, 3)))
    return {"last row": out[-1], "less than 12 MB of memory": peak < 12,
            "the largest moment has": size_word(peak, 72, "an N x N array")}
