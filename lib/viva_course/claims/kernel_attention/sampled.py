"""What part B states about random features."""

import functools

import numpy as np

from viva_course.claiming import above, below, between, cause, claim, near

COUNTS = (4, 16, 64, 256, 1024)


@claim(title="Four times as many frequencies halve the error")
def points_on_the_lines(notebook, seed):
    margins = []
    for dist2 in (0.5, 4.0):
        errors = np.array(notebook.kernel_errors(dist2, 2.0, COUNTS, seed=seed))
        formula = np.sqrt([notebook.rff_variance(dist2, 2.0, n) for n in COUNTS])
        margins += [near(value, 1, within=0.25) for value in errors / formula]
    return tuple(margins)


@claim()
def far_pair_higher(notebook, seed):
    near_pair, far_pair = (np.array(notebook.kernel_errors(dist2, 2.0, COUNTS, seed=seed))
                           for dist2 in (0.5, 4.0))
    limit = 1 / np.sqrt(2 * np.array(COUNTS))
    return above((far_pair / near_pair).min(), 2), between((far_pair / limit).mean(), 0.7, 1)


@claim()
def small_similarities_drown(notebook, seed):
    dist2, rng = -2 * np.log(0.01), np.random.default_rng(seed)
    estimates = np.cos(rng.normal(0, np.sqrt(dist2), (20_000, 64))).mean(axis=1)
    return (near(np.sqrt(notebook.rff_variance(dist2, 1.0, 64)), 0.09, within=0.005),
            between(np.mean(estimates < 0), 0.4, 0.5))


@claim(title="Small tokens: the error falls as it should")
def error_of_small_tokens(notebook, seed):
    few, many = (notebook.attention_error(n, seed=seed) for n in (16, 1024))
    return between(np.log(many / few) / np.log(64), -0.7, -0.4)


@claim(title="Large tokens: denominators of the wrong sign")
def negative_denominators(notebook, seed):
    small, large = (np.mean(notebook.denominators(std, seed=seed) <= 0) for std in (0.5, 1.5))
    return below(small, 0.02), above(large, 1 / 3)


@cause(control="the same tokens with 4,096 frequencies")
def noise_turns_the_sign(notebook, seed):
    few, many = (np.mean(notebook.denominators(1.5, n, 20, seed) <= 0) for n in (16, 4096))
    return above(few, 0.3), below(many, few / 2)


@functools.cache
def _errors(notebook, std, seed):
    """Errors of the four kinds with 32, 64 and 512 features: (4, 3)."""
    counts = np.array([32, 64, 512])
    return np.array([notebook.feature_errors(attend, draw, std, counts // per, seed=seed)
                     for attend, draw, _, _, per in notebook.KINDS])


@claim(title="Small tokens (std 0.5): orthogonal waves win")
def orthogonal_waves_win(notebook, seed):
    waves, orthogonal, *positive = _errors(notebook, 0.5, seed)[:, 2]
    return below(orthogonal, 0.75 * waves), below(orthogonal, min(positive))


@claim(title="Large tokens (std 1): positive features are safe")
def waves_fail_for_large_tokens(notebook, seed):
    waves, _, positive, _ = _errors(notebook, 1.0, seed)[:, :2]
    return tuple(above(value, 2) for value in waves / positive)


@claim()
def orthogonality_does_not_rescue(notebook, seed):
    _, orthogonal, _, positive = _errors(notebook, 1.0, seed)[:, :2]
    return tuple(above(value, 2) for value in orthogonal / positive)


@claim()
def alike_with_few_features(notebook, seed):
    waves, _, positive, _ = _errors(notebook, 0.5, seed)
    return (*(near(np.log(ratio), 0, within=np.log(1.6)) for ratio in (waves / positive)[:2]),
            below(waves[2], positive[2]))


@claim()
def positive_features_improve_slowly(notebook, seed):
    """From 32 to 512 features an error of slope -1/2 falls fourfold."""
    positive = _errors(notebook, 1.0, seed)[2:]
    return below(positive.max(), 0.5), below((positive[:, 0] / positive[:, 2]).max(), 3)
