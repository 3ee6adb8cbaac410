"""The cubic Newton-Schulz iteration.

Functions take ndarrays or tensors (..., m, n), treat leading axes as a batch, keep the dtype, and
are differentiable for tensors. Only the small Gram matrix is ever formed.
"""

from .common import as_matrix, frobenius, iterate


def newton_schulz(G, steps=30):
    """Cubic iteration X <- (3 X - X X^T X) / 2 from X = G / ||G||_F, towards U V^T.

    G: (..., m, n), any scale and rank; zero singular values stay zero. Returns G's shape.
    """
    G = as_matrix(G)
    norm = frobenius(G)
    return iterate(G / (norm + (norm == 0)), steps, 1.5, -0.5, 0.0)


def ns_macs(d_out, d_in):
    """Multiply-adds of one cubic step, Gram matrix and product: 2 min^2 max."""
    small, large = sorted((d_out, d_in))
    return 2 * small**2 * large
