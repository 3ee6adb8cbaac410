"""Public cases of section 6: diagonal matrices, and the identity plus a rank-one matrix."""

import numpy as np

from viva.case import case, outcome


def rotation(rng, pairs=2):
    """Eigenvalues in conjugate pairs inside the unit circle, with B and C to match."""
    half = rng.uniform(0.5, 0.95, pairs) * np.exp(1j * rng.uniform(0.3, 2.8, pairs))
    B, C = (rng.normal(size=pairs) + 1j * rng.normal(size=pairs) for _ in range(2))
    return tuple(np.concatenate([z, z.conj()]) for z in (half, B, C))


# ---- diag_ssm_kernel

@case("diag_ssm_kernel")
def two_decays(rng, diag_ssm_kernel):
    """lam = (0.5, 1), B = (1, 2), C = (4, 3), D = 7, L = 4: 7, 10, 8, 7"""
    return diag_ssm_kernel(np.array([0.5, 1.0]), np.array([1.0, 2.0]), np.array([4.0, 3.0]), 7.0, 4)


@case("diag_ssm_kernel")
def real_eigenvalues(rng, diag_ssm_kernel):
    """five eigenvalues between -1 and 1, twelve taps"""
    lam, B, C = rng.uniform(-1, 1, size=5), rng.normal(size=5), rng.normal(size=5)
    return diag_ssm_kernel(lam, B, C, 0.5, 12)


@case("diag_ssm_kernel")
def conjugate_pairs(rng, diag_ssm_kernel):
    """two pairs of complex eigenvalues, nine taps: real numbers"""
    return diag_ssm_kernel(*rotation(rng), 0.5, 9)


@case("diag_ssm_kernel")
def zero_eigenvalue(rng, diag_ssm_kernel):
    """lam = (0, -0.5), L = 4: the zero counts once, in CB"""
    return diag_ssm_kernel(np.array([0.0, -0.5]), rng.normal(size=2), rng.normal(size=2), 1.5, 4)


@case("diag_ssm_kernel")
def one_tap_of_diag(rng, diag_ssm_kernel):
    """L = 1: (D)"""
    return diag_ssm_kernel(rng.uniform(size=3), rng.normal(size=3), rng.normal(size=3), 2.5, 1)


@case("diag_ssm_kernel")
def no_tap_of_diag(rng, diag_ssm_kernel):
    """L = 0: ValueError"""
    return outcome(diag_ssm_kernel, np.ones(2), np.ones(2), np.ones(2), 1.0, 0)


# ---- rank1_power_coef, rank1_power_apply

@case("rank1_power_coef")
def forty_three(rng, rank1_power_coef):
    """s = 5, L = 3: 43"""
    return rank1_power_coef(5.0, 3)


@case("rank1_power_coef")
def small_powers(rng, rank1_power_coef):
    """L = 0 to 8 for one random s"""
    s = float(rng.uniform(0.5, 2))
    return [rank1_power_coef(s, L) for L in range(9)]


@case("rank1_power_coef")
def zero_length(rng, rank1_power_coef):
    """s = 0, L = 7: 7"""
    return rank1_power_coef(0.0, 7)


@case("rank1_power_coef", rtol=1e-12)
def tiny_length(rng, rank1_power_coef):
    """s = 1e-14, L = 1000: 1000.000000005"""
    return rank1_power_coef(1e-14, 1000)


@case("rank1_power_coef")
def long_and_small(rng, rank1_power_coef):
    """s = 1e-9, L = 1,000,000"""
    return rank1_power_coef(1e-9, 1_000_000)


@case("rank1_power_coef")
def negative(rng, rank1_power_coef):
    """s = -1, then L = -1: ValueError"""
    return [outcome(rank1_power_coef, -1.0, 3), outcome(rank1_power_coef, 1.0, -1)]


@case("rank1_power_coef")
def one_two(rng, rank1_power_apply):
    """p = (1, 2), L = 3, x = (1, 0): (44, 86)"""
    return rank1_power_apply(np.array([1.0, 2.0]), 3, np.array([1.0, 0.0]))


@case("rank1_power_coef")
def random_vector(rng, rank1_power_apply):
    """a random p and x of five entries, L = 4"""
    return rank1_power_apply(rng.normal(size=5), 4, rng.normal(size=5))


@case("rank1_power_coef")
def zero_vector(rng, rank1_power_apply):
    """p = 0: x itself"""
    return rank1_power_apply(np.zeros(3), 5, rng.normal(size=3))


@case("rank1_power_coef")
def power_zero(rng, rank1_power_apply):
    """L = 0: x itself; L = -1: ValueError"""
    p, x = rng.normal(size=3), rng.normal(size=3)
    return [rank1_power_apply(p, 0, x), outcome(rank1_power_apply, p, -1, x)]
