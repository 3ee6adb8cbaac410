"""What Part B states about the factor of a direction."""

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


def weak_factor(notebook, seed, by_svd):
    """The factor of a direction of 1e-9 beside one of 1, at lam = 1e-18: one half."""
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.normal(size=(size, 2)))[0] for size in (4, 6))
    X = (U * [1, 1e-9]) @ V.T
    W = (notebook.purifier_svd if by_svd else notebook.purifier)(X, 1e-18)
    return U[:, 1] @ W @ U[:, 1]


@claim(seeds=1)
def factors_by_hand(notebook, seed):
    lams = np.logspace(-6, 6, 13)
    halves = [notebook.shrink(np.sqrt([lam]), lam)[0] for lam in lams]
    return (holds(np.allclose(notebook.shrink(np.array([4.0, 2, 1]), 4.0), [0.8, 0.5, 0.2])),
            holds(np.allclose(halves, 0.5)))


@claim()
def svd_sees_weak_directions(notebook, seed):
    return (holds(1 + 1e-18 == 1), near(weak_factor(notebook, seed, by_svd=True), 0.5, within=1e-3))


@claim()
def closed_form_and_svd(notebook, seed):
    try:
        by_gram = weak_factor(notebook, seed, by_svd=False)
    except np.linalg.LinAlgError:
        by_gram = np.inf
    return (above(abs(by_gram - 0.5), 0.01),
            below(abs(weak_factor(notebook, seed, by_svd=True) - 0.5), 1e-3))


@claim(title="λ only shifts the filter: factor ½ where σ² = λ", seeds=1)
def one_shape(notebook, seed):
    sigma = np.logspace(-3, 3, 100)
    shifted = [notebook.shrink(sigma * np.sqrt(lam), lam) for lam in (0.01, 1, 4, 100)]
    tenth, nine = np.sqrt(0.1 / 0.9), np.sqrt(0.9 / 0.1)
    return (holds(np.allclose(shifted, shifted[0])), near(nine / tenth, 9, within=1e-9),
            near((nine / tenth) ** 2, 81, within=1e-9),
            holds(np.allclose(notebook.shrink(np.array([tenth, 1, nine]), 1), [0.1, 0.5, 0.9])))


@claim(seeds=1)
def three_markers_above(notebook, seed):
    factors = [notebook.shrink(notebook.eight_sigmas, lam) for lam in (1, 4)]
    return tuple(above(each[2] - each[3], 0.4) for each in factors)


@claim(seeds=1)
def interval_by_hand(notebook, seed):
    return holds(np.allclose(notebook.lambda_range([3, 1], 1, keep=0.75, kill=0.5), [1, 3]))


@claim(seeds=1)
def band_of_lambda(notebook, seed):
    lo, hi = notebook.lambda_range(notebook.eight_sigmas, 3)
    left, right = (notebook.shrink(notebook.eight_sigmas, lam) for lam in (1, 4))
    return (near(lo, 1, within=1e-9), near(hi, 4, within=1e-9), near(left[3], 0.5, within=1e-9),
            near(right[2], 0.8, within=1e-9), holds(min(left[:3]) > 0.8 > 0.5 > max(right[3:])))


@cause(control="eight singular values of which the fourth is 3.9", seeds=1)
def gap_makes_the_band(notebook, seed):
    lo, hi = notebook.lambda_range(notebook.eight_sigmas, 3)
    sigmas = notebook.eight_sigmas.copy()
    sigmas[3] = 3.9
    try:
        notebook.lambda_range(sigmas, 3)
    except ValueError:
        return above(hi / lo, 2), holds(True)
    return above(hi / lo, 2), holds(False)


@claim(seeds=1)
def bands_of_four_and_five(notebook, seed):
    four = notebook.lambda_range(notebook.eight_sigmas, 4)
    try:
        notebook.lambda_range(notebook.eight_sigmas, 5)
    except ValueError:
        return holds(np.allclose(four, 0.25))
    return holds(False)
