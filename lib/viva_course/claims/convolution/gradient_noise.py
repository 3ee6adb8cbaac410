"""What the section on the noise of a shared weight states."""

import functools

import numpy as np

from viva_course.claiming import above, claim, near

SIDES = (9, 21, 48)


@functools.cache
def ratios(notebook, real, correlated, seed):
    """The measured standard deviation over the formula's, by the side of the image."""
    return np.array([notebook.measured_std(n, real, correlated, seed=seed)
                     / notebook.grad_w_std(n, 3, 1, 1) for n in SIDES])


@claim(title="One independent factor is enough for the formula")
def one_factor_is_enough(notebook, seed):
    found = [ratios(notebook, real, False, seed) for real in (False, True)]
    return (*(near(ratio, 1, within=0.35) for each in found for ratio in each),
            above(ratios(notebook, True, True, seed)[-1], 2))


@claim()
def smooth_grows_faster(notebook, seed):
    found = ratios(notebook, True, True, seed) * [n - 2 for n in SIDES]
    slope = np.log(found[-1] / found[0]) / np.log((SIDES[-1] - 2) / (SIDES[0] - 2))
    return near(slope, 2, within=0.4)


@claim()
def noise_grows_with_the_side(notebook, seed):
    found = ratios(notebook, False, False, seed) * [n - 2 for n in SIDES]
    slope = np.log(found[-1] / found[0]) / np.log((SIDES[-1] - 2) / (SIDES[0] - 2))
    return near(slope, 1, within=0.15)
