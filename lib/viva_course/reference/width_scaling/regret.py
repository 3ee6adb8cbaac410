"""What a transferred learning rate costs."""

import numpy as np


def transfer_regret(losses, tuned=0):
    """How much loss each width gives away by the rate that is best at the width `tuned`.

    losses (widths, rates), NaN or infinite where training diverged; returns (widths,): infinite
    where that rate diverges; a width at which every rate diverges raises ValueError
    """
    losses = np.asarray(losses, float)
    losses = np.where(np.isfinite(losses), losses, np.inf)
    best = losses.min(axis=1)
    if np.isinf(best).any():
        raise ValueError("a width without any loss")
    return losses[:, np.argmin(losses[tuned])] - best
