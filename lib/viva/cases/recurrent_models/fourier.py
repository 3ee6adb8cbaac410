"""Public cases of section 6: a causal convolution by Fourier transforms."""

import numpy as np

from viva.case import case, outcome

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
def very_long_kernel(rng, causal_conv_fft):
    """forty taps, three inputs: three outputs"""
    return causal_conv_fft(rng.normal(size=40), rng.normal(size=3))


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
