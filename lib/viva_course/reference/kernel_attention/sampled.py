"""Random features of the Gaussian and of the exponential kernel, numpy form.

All draws come from the generator that is passed in.
"""
import numpy as np

from .common import as_float


def sample_frequencies(D, n, sigma, rng):
    """n independent frequencies w ~ N(0, I / sigma^2): (n, D)."""
    return rng.standard_normal((n, D)) / sigma


def orthogonal_frequencies(D, n, sigma, rng):
    """n frequencies, each with the law of `sample_frequencies`, orthogonal in blocks of D.

    Directions: rows of a Haar-distributed orthogonal matrix per block; lengths: those of
    independent Gaussian vectors. Every w keeps its marginal law, so estimates stay
    unbiased; dependence between the w of a block lowers their variance. -> (n, D)
    """
    blocks = -(-n // D)
    gaussian = rng.standard_normal((blocks, D, D))
    Q, R = np.linalg.qr(gaussian)
    # QR alone is not Haar: fix the signs that LAPACK chooses.
    Q = Q * np.sign(np.diagonal(R, axis1=-2, axis2=-1))[:, None, :]
    lengths = np.linalg.norm(rng.standard_normal((blocks * D, D)), axis=-1, keepdims=True)
    return (Q.reshape(blocks * D, D) * lengths)[:n] / sigma


def rff_features(X, W):
    """[sin(w_1 x), .., sin(w_n x), cos(w_1 x), .., cos(w_n x)] / sqrt(n).

    E phi(q) . phi(k) = exp(-|q - k|^2 / (2 sigma^2)) for w ~ N(0, I / sigma^2), and
    phi(x) . phi(x) = 1 for every W. X (..., D), W (n, D) -> (..., 2n)
    """
    X, W = as_float(X), as_float(W)
    angles = X @ W.T  # (..., n)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1) / np.sqrt(len(W))


def positive_features(X, W, sigma2=None, shift=0.0):
    """exp(w . x - |x|^2 / (2 sigma2) - shift) / sqrt(n), all positive.

    E phi(q) . phi(k) = exp(q . k / sigma2) for w ~ N(0, I / sigma2); sigma2 is sqrt(D)
    unless given, which makes it the softmax kernel. A shift common to all keys (or to
    one query) cancels in attention: pass the largest exponent to rule out overflow.
    X (..., D), W (n, D) -> (..., n)
    """
    X, W = as_float(X), as_float(W)
    sigma2 = np.sqrt(X.shape[-1]) if sigma2 is None else sigma2
    half = np.sum(X * X, axis=-1, keepdims=True) / (2 * sigma2)  # (..., 1)
    return np.exp(X @ W.T - half - shift) / np.sqrt(len(W))


def rff_variance(dist2, sigma2, n):
    """Var[phi(q) . phi(k)] = (1 - kappa^2)^2 / (2n), kappa = exp(-|q - k|^2 / (2 sigma2)).

    dist2 = |q - k|^2, any shape; returns that shape (a float for a number).
    """
    kappa2 = np.exp(-as_float(dist2) / sigma2)
    variance = (1 - kappa2) ** 2 / (2 * n)
    return float(variance) if np.ndim(variance) == 0 else variance
