"""Public cases of section 8: kernels of diagonal systems."""

import numpy as np

from viva.case import case, outcome


def rotation(rng, pairs=2):
    """Eigenvalues in conjugate pairs inside the unit circle, with B and C to match."""
    half = rng.uniform(0.5, 0.95, pairs) * np.exp(1j * rng.uniform(0.3, 2.8, pairs))
    B, C = (rng.normal(size=pairs) + 1j * rng.normal(size=pairs) for _ in range(2))
    return tuple(np.concatenate([z, z.conj()]) for z in (half, B, C))


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
