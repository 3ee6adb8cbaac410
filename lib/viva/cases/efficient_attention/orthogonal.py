"""Cases of orthogonal_gaussian: what every order of draws must give."""

import numpy as np

from viva.case import case
from viva.cases.efficient_attention.inputs import fresh


def cosines(W, d):
    """The largest |w_i . w_j| of two different rows of a block of d."""
    products = [W[start : start + d] @ W[start : start + d].T for start in range(0, len(W), d)]
    return max(float(np.abs(p - np.diag(np.diagonal(p))).max()) for p in products)


def portrait(W, d):
    """What can be seen of many blocks, as answers that chance does not change (5 to 8 errors)."""
    W = np.asarray(W, float)
    if W.ndim != 2 or W.shape[1] != d or len(W) % d:
        return {"shape": list(W.shape)}
    blocks = W.reshape(-1, d, d)
    N, lengths = len(blocks), (blocks**2).sum(axis=-1)  # (N, d), chi-square with d degrees
    spread = lengths.var() / (2 * d)
    pair = np.corrcoef(lengths[:, 0], lengths[:, 1])[0, 1] if spread > 1e-9 else 0.0
    follow = (blocks[:-1] * blocks[1:]).mean() / max((blocks**2).mean(), 1e-300)
    return {
        "mean of every entry is 0": bool(np.abs(blocks.mean(axis=0)).max() * np.sqrt(N) < 5.5),
        "variance of every entry is 1": bool(
            np.abs((blocks**2).mean(axis=0) - 1).max() * np.sqrt(N / 2) < 7),
        "variance of every column is 1": bool(
            np.abs((blocks**2).mean(axis=(0, 1)) - 1).max() * np.sqrt(N * d / 2) < 7),
        "mean squared length / d, to 0.25": _rounded(min(lengths.mean() / d, 3), 0.25),
        "all rows are equally long": bool(spread < 1e-9),
        "lengths vary as they should": bool(0.55 < spread < 1.6),
        "lengths of a block are independent": bool(abs(pair) * np.sqrt(N) < 7),
        "blocks are independent": bool(abs(follow) * np.sqrt((N - 1) * d * d) < 6),
        "largest mean of an entry, to 0.4": _rounded(np.abs(blocks.mean(axis=0)).max(), 0.4),
        "range of the columns' variances over their mean, to 0.5": _rounded(
            np.ptp((blocks**2).mean(axis=(0, 1))) / max((blocks**2).mean(), 1e-300), 0.5),
        "spread of the squared lengths, to 0.5": _rounded(min(spread, 3), 0.5),
        "correlation of lengths within a block, to 0.5": _rounded(pair, 0.5),
        "similarity of a block and the next, to 0.5": _rounded(follow, 0.5),
    }


def _rounded(value, step):
    """To the next multiple, without a sign at zero; chance does not reach half a step."""
    return float(np.round(value / step) * step + 0.0)


@case("orthogonal_gaussian")
def shapes(rng, orthogonal_gaussian):
    """shapes and dtype for m below d, at d, a multiple of d, and none"""
    found = [np.asarray(orthogonal_gaussian(m, 3, fresh(rng))) for m in (2, 3, 6, 7)]
    return [[list(W.shape), str(W.dtype)] for W in found]


@case("orthogonal_gaussian")
def orthogonal_blocks(rng, orthogonal_gaussian):
    """rows 0 .. 3, 4 .. 7 and 8 .. 9 of ten are orthogonal among themselves, none is zero"""
    W = np.asarray(orthogonal_gaussian(10, 4, fresh(rng)), float)
    return {"rows of a block are orthogonal": bool(cosines(W, 4) < 1e-10),
            "columns are orthogonal": bool(cosines(W.T, len(W)) < 1e-10),
            "no row is zero": bool((W != 0).any(axis=1).all())}


@case("orthogonal_gaussian")
def statistics(rng, orthogonal_gaussian):
    """1500 blocks of three rows: means, variances, lengths, independence"""
    return portrait(orthogonal_gaussian(4500, 3, fresh(rng)), 3)


@case("orthogonal_gaussian")
def generators(rng, orthogonal_gaussian):
    """the same seed gives the same rows, another seed gives others"""
    seed = int(rng.integers(2**32))
    first, same, other = (np.asarray(orthogonal_gaussian(5, 4, np.random.default_rng(s)))
                          for s in (seed, seed, seed + 1))
    return {"same seed": bool((first == same).all()), "other seed": bool((first == other).all())}
