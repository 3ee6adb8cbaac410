"""Public cases of critical points and of the ways out of them."""

import numpy as np

from viva.case import case
from viva.cases.autoencoders import loss, with_singular_values

SIGMAS = (5, 4, 3, 2, 1)
SUBSETS = ([0, 1], [1, 3], [4, 0, 2], [3])  # one out of order


@case("subset_critical_point")
def reconstruction(rng, subset_critical_point):
    """the products W2 W1 for the subsets (0, 1), (1, 3), (4, 0, 2) and (3)"""
    X = with_singular_values(rng, SIGMAS, 6, 9)
    pairs = [subset_critical_point(X, idx) for idx in SUBSETS]
    return [np.asarray(W2) @ np.asarray(W1) for W1, W2 in pairs]


@case("subset_critical_point")
def outside(rng, subset_critical_point):
    """the loss is the sum of the squared singular values outside the subset"""
    X = with_singular_values(rng, SIGMAS, 5, 7)
    return [loss(*subset_critical_point(X, idx), X) for idx in SUBSETS]


@case("subset_critical_point", rtol=0, atol=1e-8)
def in_order(rng, subset_critical_point):
    """row i of W1 and column i of W2 are the direction idx[i], up to its sign"""
    X = with_singular_values(rng, SIGMAS, 6, 8)
    U = np.linalg.svd(X)[0]
    W1, W2 = subset_critical_point(X, [4, 0, 2])
    chosen = U[:, [4, 0, 2]]
    return np.abs(np.asarray(W1, float) @ chosen), np.abs(chosen.T @ np.asarray(W2, float))


def effect(taken, written, weaker, falls):
    """What a small step does to the loss, in words; if it does not lower it, what may be why.

    taken, written (k,)  how much of the missing direction each channel reads and writes
    weaker (k,)          whether the channel holds a direction that is weaker than the missing one
    """
    if falls:
        return "lowers the loss"
    reads, writes = np.abs(taken) > 1e-6, np.abs(written) > 1e-6
    used = reads | writes
    if not used.any():
        return "does not take up the missing direction"
    if not reads.any() or not writes.any():
        return f"raises the loss: only the {'encoder' if reads.any() else 'decoder'} takes it up"
    if (used & ~weaker).any():
        others = "also " if (used & weaker).any() else ""
        return f"raises the loss: it joins {others}a stronger direction"
    if not (taken * written > 0).any():
        return "raises the loss: the halves have opposite signs"
    return "does not lower the loss"


def facts(escape_direction, X, idx, missing):
    """What a step of 0.05 does, and whether both halves of the direction hold the missing one."""
    U = np.linalg.svd(X)[0]
    W1, W2 = U[:, idx].T, U[:, idx]
    D1, D2 = (np.asarray(part, float) for part in escape_direction(X, idx, missing))
    if (D1.shape, D2.shape) != (W1.shape, W2.shape):
        return {"shapes": [list(D1.shape), list(D2.shape)]}
    here = loss(W1, W2, X)
    ahead = [loss(W1 + step * D1, W2 + step * D2, X) for step in (0.05, 0.01)]
    falls = max(ahead) < here - 1e-9
    weaker = np.array(idx) > missing  # (k,)
    return {
        "shapes": [list(D1.shape), list(D2.shape)],
        "there is a direction": bool(np.abs(D1).max() + np.abs(D2).max() > 1e-9),
        "the encoder sees the missing direction": bool(np.abs(D1 @ U[:, missing]).max() > 1e-6),
        "the decoder writes the missing direction": bool(np.abs(U[:, missing] @ D2).max() > 1e-6),
        "a small step": effect(D1 @ U[:, missing], U[:, missing] @ D2, weaker, falls),
        "a step of 0.05 lowers the loss": ahead[0] < here - 1e-9,
        "a step of 0.01 lowers the loss": ahead[1] < here - 1e-9,
    }


@case("subset_critical_point")
def way_out(rng, escape_direction):
    """out of (1, 3) with direction 0: facts about the loss after a small step"""
    return facts(escape_direction, with_singular_values(rng, SIGMAS, 6, 9), [1, 3], 0)


@case("subset_critical_point")
def way_out_between(rng, escape_direction):
    """out of (0, 3) with direction 1, weaker than one kept direction and stronger than another"""
    return facts(escape_direction, with_singular_values(rng, SIGMAS, 5, 7), [0, 3], 1)


@case("subset_critical_point")
def way_out_unordered(rng, escape_direction):
    """out of (4, 1, 0) with direction 2: the weakest kept direction comes first"""
    return facts(escape_direction, with_singular_values(rng, SIGMAS, 6, 8), [4, 1, 0], 2)
