"""The effective number of directions."""
import numpy as np

from .common import as_data, as_weight, singular
from .filters import shrink


def effective_dof(X, lam):
    """Effective number of directions, tr What = sum_i s_i^2 / (s_i^2 + lam), of the batch shape."""
    lam = as_weight(lam)
    _, s = singular(as_data(X))
    return shrink(s, lam[..., None]).sum(axis=-1)


def lambda_for_dof(X, dof):
    """The lam with effective_dof(X, lam) = dof, by bisection on log lam; X (m, n).

    With rank r, r - dof = sum lam / (s^2 + lam) <= lam sum 1/s^2 and dof <= sum s^2 / lam enclose
    lam. dof outside the open interval (0, r) raises ValueError.
    """
    _, s = singular(as_data(X))
    s = s[s > 0]
    if not 0 < dof < len(s):
        raise ValueError("dof must be between 0 and the rank of X, both excluded")
    lo, hi = np.log((len(s) - dof) / (s**-2).sum()), np.log((s**2).sum() / dof)
    while True:
        middle = (lo + hi) / 2
        if not lo < middle < hi:  # the interval is one rounding error wide
            return float(np.exp(middle))
        if shrink(s, np.exp(middle)).sum() > dof:
            lo = middle
        else:
            hi = middle
