"""Cases of sample_keys and multihead_experiment."""

import numpy as np

from viva.case import case, outcome
from viva.cases.attention_exploration.scores import fresh


@case("sample_keys")
def four_of_six(rng, sample_keys):
    """four keys in six dimensions, the third unreliable, alpha = 0.04"""
    return sample_keys(rng.normal(size=(4, 6)), 2, 0.04, fresh(rng))


@case("sample_keys")
def nearly_exact(rng, sample_keys):
    """alpha = 0: every key is its mean, but for the length of key 1"""
    return sample_keys(2 * np.eye(3), 1, 0.0, fresh(rng))


@case("sample_keys")
def one_head(rng, multihead_experiment):
    """mode "single", beta = 20, eight trials"""
    return multihead_experiment("single", 20.0, 8, int(rng.integers(2**31)))


@case("sample_keys")
def same_query(rng, multihead_experiment):
    """mode "same", beta = 15, eight trials"""
    return multihead_experiment("same", 15.0, 8, int(rng.integers(2**31)))


@case("sample_keys")
def two_queries(rng, multihead_experiment):
    """mode "split", beta = 10, eight trials"""
    return multihead_experiment("split", 10.0, 8, int(rng.integers(2**31)))


@case("sample_keys")
def new_keys(rng, multihead_experiment):
    """mode "independent", beta = 8, eight trials"""
    return multihead_experiment("independent", 8.0, 8, int(rng.integers(2**31)))


@case("sample_keys")
def own_keys(rng, multihead_experiment):
    """mode "own", beta = 6, two random key matrices, eight trials"""
    W = np.eye(6) + 0.5 * rng.normal(size=(2, 6, 6))
    return multihead_experiment("own", 6.0, 8, int(rng.integers(2**31)), W=W)


@case("sample_keys")
def matrices_ignored(rng, multihead_experiment):
    """key matrices are given, but the mode is "same" or "split": they have no effect"""
    W, seed = rng.normal(size=(2, 6, 6)), int(rng.integers(2**31))
    return [multihead_experiment(mode, 4.0, 4, seed, W=W) for mode in ("same", "split")]


@case("sample_keys")
def other_sizes(rng, multihead_experiment):
    """four keys, alpha = 0.01, beta = 3, modes "single" and "split", five trials"""
    seed = int(rng.integers(2**31))
    return [multihead_experiment(mode, 3.0, 5, seed, n=4, alpha=0.01)
            for mode in ("single", "split")]


@case("sample_keys")
def sharp_query(rng, multihead_experiment):
    """beta = 1000, modes "single" and "split": nothing overflows"""
    seed = int(rng.integers(2**31))
    return [multihead_experiment(mode, 1000.0, 4, seed) for mode in ("single", "split")]


@case("sample_keys")
def unknown_mode(rng, multihead_experiment):
    """mode "both"; mode "own" without key matrices: ValueError, twice"""
    return [outcome(multihead_experiment, mode, 5.0, 2, 0) for mode in ("both", "own")]
