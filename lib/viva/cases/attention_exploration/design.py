"""Cases of design_kqv: what the three matrices do, not what they are."""

import numpy as np

from viva.case import case


def frame(rng, d, rho):
    """Four random orthogonal vectors of length rho in d dimensions."""
    return [rho * u for u in np.linalg.qr(rng.normal(size=(d, 4)))[0].T]


def contexts(design_kqv, ua, ub, uc, ud):
    """c_1 and c_2 in units of rho, and the largest score."""
    X = np.stack([ud + ub, ua, uc + ub])  # (3, d)
    K, Q, V = (np.asarray(W, float) for W in design_kqv(ua, ub, uc, ud))
    scores = (X @ Q.T) @ (X @ K.T).T  # (3, 3)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return (weights @ X @ V.T)[:2] / np.linalg.norm(ua), float(np.abs(scores).max())


@case("design_kqv")
def shapes(rng, design_kqv):
    """three matrices (7, 7)"""
    return [list(np.shape(W)) for W in design_kqv(*frame(rng, 7, 4.0))]


@case("design_kqv", rtol=0, atol=1e-3)  # softmax leaves a rest of exp(-rho^2) at the least
def along_the_axes(rng, design_kqv):
    """u's along the axes, rho = 4: c_1 and c_2 in units of rho"""
    return contexts(design_kqv, *(4 * np.eye(4)))[0]


@case("design_kqv", rtol=0, atol=1e-3)
def turned_frame(rng, design_kqv):
    """a random frame in seven dimensions, rho = 3.5"""
    return contexts(design_kqv, *frame(rng, 7, 3.5))[0]


@case("design_kqv", rtol=0, atol=1e-3)
def longer_frame(rng, design_kqv):
    """a random frame in five dimensions, rho = 5; and: no score above 700"""
    found, largest = contexts(design_kqv, *frame(rng, 5, 5.0))
    return found, bool(largest < 700)
