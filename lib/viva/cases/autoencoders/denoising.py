"""Public cases of corrupted inputs and of the best linear denoiser."""

import numpy as np

from viva.case import case, outcome
from viva.cases.autoencoders import with_singular_values

DRAWS = {True: "the same draw", False: "another draw"}


def data(rng):
    """20,000 entries, none of them near zero."""
    return rng.uniform(1, 3, (80, 250)) * rng.choice([-1.0, 1.0], (80, 250))


def twice(corrupt, X, kind, level, seed):
    """With a generator, with another one, and with the first one again, each newly made."""
    return tuple(np.asarray(corrupt(X, kind, level, np.random.default_rng(each)), float)
                 for each in (seed, seed + 1, seed))


@case("corrupt", log=False)
def gaussian_noise(rng, corrupt):
    """noise of standard deviation 0.3 on 20,000 entries: facts, rounded to one place"""
    X = data(rng)
    first, second, again = twice(corrupt, X, "gaussian", 0.3, int(rng.integers(2**32)))
    noise = (first - X) / 0.3
    return {
        "shape": list(first.shape),
        "standard deviation / level": round(float(noise.std()), 1),
        "mean / level": round(abs(float(noise.mean())), 1),
        "fourth moment": round(float(np.mean(noise**4) / noise.var() ** 2)) if noise.any() else 0,
        "every entry has its own": bool(len(np.unique(noise)) > 19_000),
        "another generator gives": DRAWS[bool((first != second).mean() <= 0.9)],
        "the same generator gives": DRAWS[bool((first == again).all())],
    }


def _what_vanishes(rows, columns):
    """In a word, from the shares of zeros: whole rows, whole columns, or single entries."""
    whole = {"whole rows": rows, "whole columns": columns}
    return next((name for name, shares in whole.items() if np.isin(shares, (0, 1)).all()),
                "single entries")


@case("corrupt", log=False)
def masked(rng, corrupt):
    """20,000 entries, each set to zero with probability 0.3: facts, rounded to one place"""
    X = data(rng)
    first, second, again = twice(corrupt, X, "mask", 0.3, int(rng.integers(2**32)))
    zero, kept = first == 0, first != 0
    ratio = float(np.mean(first[kept] / X[kept])) if kept.any() else 0.0
    rows, columns = zero.mean(axis=1), zero.mean(axis=0)
    return {
        "shape": list(first.shape),
        "share of zeros": round(float(zero.mean()), 1),
        "kept entries / before": round(ratio, 1),
        "kept entries unchanged": bool((first[kept] == X[kept]).all()),
        "what vanishes": _what_vanishes(rows, columns),
        "as many in every row": bool(np.ptp(rows) < 0.5),
        "as many in every column": bool(np.ptp(columns) < 0.8),
        "another generator gives": DRAWS[bool((zero == (second == 0)).all())],
        "the same generator gives": DRAWS[bool((first == again).all())],
    }


@case("corrupt", log=False)
def count_varies(rng, corrupt):
    """masks of 500 entries by eight generators do not all have the same number of zeros"""
    X, seed = data(rng)[:20, :25], int(rng.integers(2**32))
    counts = {int(np.sum(np.asarray(corrupt(X, "mask", 0.3, np.random.default_rng(seed + i))) == 0))
              for i in range(8)}
    return len(counts) > 1  # eight equal counts by chance: less than 1e-9


@case("corrupt", rtol=0, atol=0)
def extremes(rng, corrupt):
    """level 0 of both kinds, and every entry masked"""
    X = rng.normal(size=(3, 4))
    return [corrupt(X, kind, level, np.random.default_rng(1)) + 0.0
            for kind, level in (("gaussian", 0.0), ("mask", 0.0), ("mask", 1.0))]


@case("corrupt")
def unknown_kind(rng, corrupt):
    """kind "salt": ValueError"""
    return outcome(corrupt, rng.normal(size=(2, 3)), "salt", 0.5, np.random.default_rng(0))


@case("corrupt")
def worked_denoiser(rng, denoising_linear_ae):
    """X = diag(2, 1), k = 1, noise 1: 2/3 in the first channel, nothing else"""
    return denoising_linear_ae(np.diag([2.0, 1.0]), 1, 1.0)


@case("corrupt")
def denoiser(rng, denoising_linear_ae):
    """five channels, k = 2, nine samples, two noises"""
    X = with_singular_values(rng, (5, 4, 3, 2, 1), 5, 9)
    return [denoising_linear_ae(X, 2, std) for std in (0.4, float(rng.uniform(1.2, 2)))]


@case("corrupt")
def no_noise(rng, denoising_linear_ae):
    """no noise: the projector onto the k strongest directions; six channels, four samples"""
    return denoising_linear_ae(with_singular_values(rng, (4, 3, 2, 1), 6, 4), 3, 0.0)
