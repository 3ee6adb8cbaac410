"""Public cases of section 4: a state-space model as a recurrence and as a convolution."""

import numpy as np

from viva.case import case, outcome

HALF = np.array([[0.5]]), np.array([1.0]), np.array([1.0])


def system(rng, n=3):
    """A (n, n) with spectral norm 0.9, B, C and D."""
    A = rng.normal(size=(n, n))
    B, C = rng.normal(size=n), rng.normal(size=n)
    return A * (0.9 / np.linalg.norm(A, 2)), B, C, float(rng.uniform(1, 2))


# ---- ssm_kernel, ssm_unroll

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


# ---- causal_conv_fft

FFT = {"rtol": 1e-9, "atol": 1e-9}  # an FFT is accurate relative to its largest value


@case("causal_conv_fft", **FFT)
def by_hand_conv(rng, causal_conv_fft):
    """K = (1, 10, 100), u = (1, 2, 3): 1, 12, 123"""
    return causal_conv_fft(np.array([1.0, 10.0, 100.0]), np.array([1.0, 2.0, 3.0]))


@case("causal_conv_fft", **FFT)
def many_lengths(rng, causal_conv_fft):
    """equal lengths 1, 2, 3, 8 and 15"""
    return [causal_conv_fft(rng.normal(size=L), rng.normal(size=L)) for L in (1, 2, 3, 8, 15)]


@case("causal_conv_fft", **FFT)
def short_kernel(rng, causal_conv_fft):
    """three taps, ten inputs"""
    return causal_conv_fft(rng.normal(size=3), rng.normal(size=10))


@case("causal_conv_fft", **FFT)
def long_kernel(rng, causal_conv_fft):
    """twelve taps, five inputs: five outputs"""
    return causal_conv_fft(rng.normal(size=12), rng.normal(size=5))


@case("causal_conv_fft", **FFT)
def last_only(rng, causal_conv_fft):
    """an input that is zero until its last value: zeros until then"""
    return causal_conv_fft(rng.normal(size=9), np.array([0.0] * 8 + [1.0]))


@case("causal_conv_fft")
def nothing(rng, causal_conv_fft):
    """an empty kernel, an empty input: ValueError"""
    some = np.ones(3)
    return [outcome(causal_conv_fft, np.empty(0), some),
            outcome(causal_conv_fft, some, np.empty(0))]
