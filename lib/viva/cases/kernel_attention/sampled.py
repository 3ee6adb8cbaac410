"""Cases of sample_frequencies and rff_variance.

What depends on a student's own random draws is compared within their standard errors: any order
of drawing is right. What is computed from given frequencies is compared entry by entry.
"""
import numpy as np

from viva.case import case, rule


# Two estimates from n = 20000 frequencies each, of variance 1 / (2n) at most: their difference has
# a standard error of 1 / sqrt(n) = 0.0071 at most; five of them are allowed.
@case("sample_frequencies", rtol=0, atol=0.0354, log=False)
def gaussian_kernel(rng, sample_frequencies, rff_features):
    """20000 frequencies, sigma^2 = 2: close to exp(-|q - k|^2 / 4) on five pairs"""
    q = rng.normal(size=(5, 4))
    step = np.diag([1.2, 1.6, 2.0, 2.4])
    k = q + np.vstack([step, step.sum(axis=0, keepdims=True) / 2])
    W = sample_frequencies(4, 20000, np.sqrt(2), rng)
    return np.sum(rff_features(q, W) * rff_features(k, W), axis=-1)


@case("sample_frequencies")
def given_frequencies(rng, rff_features):
    """features of three points for four given frequencies, sines first"""
    return rff_features(rng.normal(size=(3, 2)), rng.normal(size=(4, 2)))


@case("sample_frequencies")
def unit_length(rng, rff_features):
    """phi(x) . phi(x) = 1 for any x and any W"""
    phi = rff_features(3 * rng.normal(size=(6, 3)), rng.normal(size=(5, 3)))
    return np.sum(phi**2, axis=-1)


@case("rff_variance")
def two_distances(rng, rff_variance):
    """dist2 = 0 and dist2 = 2, sigma2 = 1, n = 1"""
    return [rff_variance(0.0, 1.0, 1), rff_variance(2.0, 1.0, 1)]


@case("rff_variance")
def many_distances(rng, rff_variance):
    """an array of distances, other sigma2 and n"""
    return rff_variance(rng.uniform(0.2, 6, 5), rng.uniform(1.5, 3), int(rng.integers(2, 50)))


@rule("sample_frequencies")
def shape_of_draws(rng, sample_frequencies):
    """three frequencies in two dimensions: a row each"""
    return list(sample_frequencies(2, 3, 1.0, rng).shape)


@rule("sample_frequencies")
def own_generator(rng, sample_frequencies):
    """the generator that is given decides: the same one the same draws, another one others"""
    one, again, other = (sample_frequencies(2, 4, 1.5, np.random.default_rng(seed))
                         for seed in (1, 1, 2))
    different = len(np.unique(np.abs(np.round(one, 9))))
    return {"the same generator, the same draws": bool((one == again).all()),
            "another generator, other draws": not np.allclose(one, other),
            "every frequency drawn on its own": different == one.size}
