"""Newton-Schulz iterations, cubic and tuned quintic, and the Muon step built on them.

All functions take ndarrays or tensors (..., m, n), treat leading axes as a batch, keep the
dtype, and are differentiable for tensors. Only the small Gram matrix is ever formed.
"""
import numpy as np

from .arrays import as_array, frobenius

MUON_COEFFS = (3.4445, -4.7750, 2.0315)


def _matrix(G):
    G = as_array(G)
    if G.ndim < 2:
        raise ValueError(f"needs a matrix, got shape {tuple(G.shape)}")
    return G


def _iterate(X, steps, a, b, c):
    """X <- a X + (b A + c A^2) X with A = X X^T: singular values s -> a s + b s^3 + c s^5."""
    tall = X.shape[-2] > X.shape[-1]
    X = X.mT if tall else X  # (..., small, large)
    for _ in range(steps):
        A = X @ X.mT  # (..., small, small)
        X = a * X + ((b * A + c * (A @ A)) if c else b * A) @ X
    return X.mT if tall else X


def newton_schulz(G, steps=30):
    """Cubic iteration X <- (3 X - X X^T X) / 2 from X = G / ||G||_F, towards U V^T.

    G: (..., m, n), any scale and rank; zero singular values stay zero. Returns G's shape.
    """
    G = _matrix(G)
    norm = frobenius(G)
    return _iterate(G / (norm + (norm == 0)), steps, 1.5, -0.5, 0.0)


def ns_macs(d_out, d_in):
    """Multiply-adds of one cubic step, Gram matrix and product: 2 min^2 max."""
    small, large = sorted((d_out, d_in))
    return 2 * small**2 * large


def muon_orthogonalize(G, steps=5, coeffs=MUON_COEFFS, eps=1e-7):
    """Tuned quintic iteration X <- a X + (b A + c A^2) X, A = X X^T, from G / (||G||_F + eps).

    Five steps bring singular values of G / ||G||_F above 0.02 into about [0.68, 1.13].
    """
    G = _matrix(G)
    return _iterate(G / (frobenius(G) + eps), steps, *coeffs)


def muon_step(W, G, buf, lr, momentum=0.95, orthogonalize=newton_schulz):
    """Muon: buf <- momentum buf + G, W <- W - lr sqrt(d_out / d_in) orthogonalize(buf).

    W, G, buf: (..., d_out, d_in). The update's RMS -> RMS norm is lr. Returns (W, buf).
    """
    W = _matrix(W)
    buf = momentum * as_array(buf) + as_array(G)
    d_out, d_in = W.shape[-2:]
    return W - lr * float(np.sqrt(d_out / d_in)) * orthogonalize(buf), buf
