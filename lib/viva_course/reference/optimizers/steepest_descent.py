"""Steepest descent under a norm."""

from .common import as_array, precision, sign, svd


def _largest_coordinate(g):
    """g with everything but its (first) largest coordinate set to zero."""
    flat = g.reshape(-1)
    i = int(abs(flat).argmax())
    out = 0 * flat
    out[i] = flat[i]
    return out.reshape(g.shape)


def _spectral(G):
    """||G||_* U V^T over the non-zero singular values of each matrix (..., m, n)."""
    if G.ndim < 2:
        raise ValueError(f"the spectral norm needs a matrix, got shape {tuple(G.shape)}")
    U, s, Vt = svd(G)  # (..., m, r), (..., r), (..., r, n)
    kept = s > s[..., :1] * max(G.shape[-2:]) * precision(G)  # (..., r)
    return (U * kept[..., None, :] @ Vt) * s.sum(-1)[..., None, None]


SOLUTIONS = {
    "l2": lambda g: g,
    "frobenius": lambda g: g,
    "linf": lambda g: abs(g).sum() * sign(g),
    "l1": _largest_coordinate,
    "spectral": _spectral,
}


def steepest(g, norm, alpha=1.0):
    """argmin over D of <g, D> + ||D||^2 / alpha; its value is -(alpha/4) ||g||_dual^2.

    g: array or tensor; l1, l2, linf see it as one vector, spectral as (a batch of) matrices.
    norm: "l2", "frobenius", "linf", "l1" or "spectral". Returns D of g's shape.
    """
    if norm not in SOLUTIONS:
        raise ValueError(f"norm must be one of {sorted(SOLUTIONS)}, got {norm!r}")
    return -alpha / 2 * SOLUTIONS[norm](as_array(g))
