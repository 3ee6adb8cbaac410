"""The lam that keeps some directions and kills the others."""
import numpy as np


def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    """The interval (lo, hi) of lam that keeps the k largest directions and kills the others.

    shrink(s_k, lam) >= keep      <=>  lam <= s_k^2 (1 - keep) / keep         = hi
    shrink(s_{k+1}, lam) <= kill  <=>  lam >= s_{k+1}^2 (1 - kill) / kill     = lo

    sigmas: (r,), in any order. k = 0 leaves hi = inf, k = r leaves lo = 0. An empty interval
    raises ValueError; ends that differ by rounding only are a single point.
    """
    s = np.sort(np.asarray(sigmas, dtype=np.float64))[::-1]
    if not 0 <= k <= len(s):
        raise ValueError("k must be between 0 and the number of singular values")
    if not (0 < keep <= 1 and 0 < kill <= 1):
        raise ValueError("keep and kill are factors in (0, 1]")
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k > 0 else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo > hi * (1 + 1e-12):
        raise ValueError("no lam keeps the first k directions and kills the rest")
    return float(lo), float(hi)
