"""Cases of effective_dof and lambda_for_dof."""
from viva.case import case, outcome, rule

from .common import EIGHT, with_singular_values


@case("effective_dof")
def eight_directions(rng, effective_dof):
    """the eight singular values at lam = 1, 2, 4: 3.75568, 3.35697, 2.99931"""
    X = with_singular_values(rng, EIGHT, 8, 10)
    return [effective_dof(X, lam) for lam in (1.0, 2.0, 4.0)]


@case("effective_dof")
def tall_directions(rng, effective_dof):
    """six channels, three samples"""
    return effective_dof(rng.normal(size=(6, 3)), float(rng.uniform(1.5, 3)))


@case("effective_dof", rtol=1e-6, atol=0, log=False)  # a search, told to stop at 1e-8
def three_directions(rng, lambda_for_dof):
    """the lam that leaves three directions of eight: 3.9945"""
    return lambda_for_dof(with_singular_values(rng, EIGHT, 8, 10), 3)


@rule("effective_dof", rtol=1e-6, atol=0)
def any_scale(rng, lambda_for_dof):
    """data a million times as large, and as small"""
    X = with_singular_values(rng, EIGHT, 8, 10)
    return [lambda_for_dof(1e6 * X, 2.5), lambda_for_dof(1e-6 * X, 2.5)]


@rule("effective_dof", rtol=1e-6, atol=0)
def unequal_directions(rng, lambda_for_dof):
    """directions of strength 1, 0.01 and 0.0001: lam is tiny, and halving it needs the logarithm"""
    return lambda_for_dof(with_singular_values(rng, [1, 1e-2, 1e-4], 3, 5), 2.5)


@rule("effective_dof")
def impossible(rng, lambda_for_dof):
    """a dof of 0, of the rank, 2 of four channels, and of 3: ValueError"""
    X = with_singular_values(rng, [3, 1], 4, 9)
    return [outcome(lambda_for_dof, X, dof) for dof in (0, 2, 3)]
