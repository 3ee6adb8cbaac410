"""What the opening and the first sections state."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, literature


@literature("Katharopoulos et al. (2020)", place="abstract")
def reported_speed():
    """Up to 4000 times faster on autoregressive prediction of very long sequences."""


@claim(seeds=1)
def numbers_of_features(notebook, seed):
    return holds([notebook.math.comb(64 + d, d) for d in (2, 3)] == [2145, 47905])


def _gap(notebook, sim, seed):
    """Root-mean-square distance of attention's curve from the true one."""
    _, _, grid, curve = notebook.regression(sim, seed)
    return float(np.sqrt(np.mean((curve - np.sin(2 * grid)) ** 2)))


@claim(title="Near keys count: attention draws a curve")
def gaussian_widths(notebook, seed):
    places, measured, grid, narrow = notebook.regression(notebook.gaussian(0.05), seed)
    nearest = measured[np.abs(grid - places.T).argmin(axis=1)]
    wide = notebook.regression(notebook.gaussian(2.0), seed)[3]
    return (above(np.mean(np.abs(narrow - nearest) < 0.1), 0.6), below(np.ptp(wide), 1),
            below(_gap(notebook, notebook.gaussian(0.3), seed), 0.35))


@claim(title="Large products count: the far ends win")
def products_miss_the_waves(notebook, seed):
    softmax, quadratic = (_gap(notebook, sim, seed)
                          for sim in (notebook.softmax_sim, notebook.poly2_sim))
    flat = np.ptp(notebook.regression(notebook.poly2_sim, seed)[3])
    return above(softmax, 0.5), above(quadratic, 0.5), below(flat, 1)
