"""Cases of `transfer_regret`."""

import numpy as np

from viva.case import case, outcome
from viva.cases.width_scaling.transfer import RATES, valley


def measured(rng, rows=4):
    """Losses (rows, 7) whose valleys lie at different rates."""
    return np.array([valley(rng, RATES) for _ in range(rows)])


@case("transfer_regret")
def by_hand(rng, transfer_regret):
    """[[3, 1, 2], [1, 2, 5], [4, 3, 3.5]]: the second rate costs 0, 1, 0"""
    return transfer_regret(np.array([[3.0, 1, 2], [1, 2, 5], [4, 3, 3.5]]))


@case("transfer_regret")
def tuned_elsewhere(rng, transfer_regret):
    """four widths, tuned at the first, the third and the last"""
    losses = measured(rng)
    return [transfer_regret(losses, tuned=row) for row in (0, 2, -1)]


@case("transfer_regret")
def equal_losses(rng, transfer_regret):
    """two equal lowest losses in the tuned row: the first chooses, the regrets are 0, 0 and 1"""
    return transfer_regret(np.array([[1.0, 1, 2], [1, 2, 5], [4, 3, 3.5]]))


@case("transfer_regret")
def with_divergence(rng, transfer_regret):
    """NaN and infinity: never the best; a transferred rate that diverges costs infinity"""
    losses = measured(rng)
    best = int(np.argmin(losses[0]))
    losses[:, 0], losses[:, -1] = np.nan, np.inf
    losses[2, best] = np.nan
    return transfer_regret(losses)


@case("transfer_regret")
def minus_infinity(rng, transfer_regret):
    """minus infinity means diverged as well: it is never the lowest"""
    losses = measured(rng)
    losses[0, 1] = losses[2, 5] = -np.inf
    return transfer_regret(losses)


@case("transfer_regret")
def no_loss_at_all(rng, transfer_regret):
    """a width at which everything diverged: ValueError; else none"""
    return [outcome(transfer_regret, np.array([[1.0, 2.0], row]))
            for row in ([np.nan, np.inf], [np.nan, 1.0])]
