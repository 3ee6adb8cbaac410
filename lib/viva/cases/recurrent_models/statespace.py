"""Public cases of section 5: a state-space model as a recurrence, and its kernel."""

import numpy as np

from viva.case import case, outcome

HALF = np.array([[0.5]]), np.array([1.0]), np.array([1.0])


def system(rng, n=3):
    """A (n, n) with spectral norm 0.9, B, C and D."""
    A = rng.normal(size=(n, n))
    B, C = rng.normal(size=n), rng.normal(size=n)
    return A * (0.9 / np.linalg.norm(A, 2)), B, C, float(rng.uniform(1, 2))


@case("ssm_kernel")
def half(rng, ssm_kernel):
    """A = 0.5, B = C = 1, D = 0, L = 5: 0, 1, 0.5, 0.25, 0.125"""
    return ssm_kernel(*HALF, 0.0, 5)


@case("ssm_kernel")
def random_kernel(rng, ssm_kernel):
    """a random system of three states, eight taps"""
    return ssm_kernel(*system(rng), 8)


@case("ssm_kernel")
def one_tap(rng, ssm_kernel):
    """L = 1: (D)"""
    return ssm_kernel(*system(rng), 1)


@case("ssm_kernel")
def no_tap(rng, ssm_kernel):
    """L = 0: ValueError"""
    return outcome(ssm_kernel, *system(rng), 0)


@case("ssm_kernel")
def impulse(rng, ssm_unroll):
    """the input 1, 0, 0, 0, 0 gives back the kernel of a random system"""
    return ssm_unroll(*system(rng), np.array([1.0, 0.0, 0.0, 0.0, 0.0]))


@case("ssm_kernel")
def random_input(rng, ssm_unroll):
    """a random system of four states, seven inputs"""
    return ssm_unroll(*system(rng, 4), rng.normal(size=7))


@case("ssm_kernel")
def empty_input(rng, ssm_unroll):
    """no input, no output: shape (0,)"""
    return ssm_unroll(*system(rng), np.empty(0))
