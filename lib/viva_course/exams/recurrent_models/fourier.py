"""Exam of `causal_conv_fft`."""

import math

import numpy as np

from viva_course.exams.recurrent_models.common import writes_out_the_sum
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

conv = Exercise(
    "causal_conv_fft",
    forbidden=("np.convolve", "scipy.signal.fftconvolve", "scipy.signal.oaconvolve",
               "scipy.linalg.toeplitz"),
    expects="y_k = sum over l of K_l u_{k-l}, the first len(u) of them, real",
    survivors={
        f"causal_conv_fft: n = len(K) + len(u) - 1 -> n = len(K) + len(u){more}":
            "more zeros than needed are allowed" for more in ("", " + 1", " - 0")
    },
)

conv.values(3, "The first len(u) samples of the linear convolution.",
            only=("by_hand_conv", "many_lengths"), name="equal lengths")
conv.values(1.5, "Kernel and input may differ in length; len(u) numbers come out.",
            only=("short_kernel", "long_kernel", "very_long_kernel"), name="other lengths")


@conv.item(1, "Nothing wraps around: zeros in, zeros out, until the first input.")
def causal(exam, causal_conv_fft):
    for M, L in ((7, 7), (16, 9), (4, 11), (70, 5)):
        K, u = exam.rng.normal(size=M), np.zeros(L)
        u[-2:] = exam.rng.uniform(1, 2, size=2)
        exam.same(causal_conv_fft(K, u), np.convolve(K, u)[:L], rtol=1e-9, atol=1e-9)


@conv.item(1.5, "L log L, not L^2: by FFT, without an L x L matrix and without writing out the "
           "sum.")
def cost(exam, causal_conv_fft):
    L = 5000  # an L x L matrix takes 200 MB, the transforms below 1 MB
    K, u = exam.rng.normal(size=L), exam.rng.normal(size=L)
    exam.same(causal_conv_fft(K[:50], u[:70]), np.convolve(K[:50], u[:70])[:70],
              rtol=1e-9, atol=1e-9)
    exam.true(not writes_out_the_sum(causal_conv_fft), "no Fourier transform is used")
    found = exam.within(40, causal_conv_fft, K, u)
    exam.same(found, np.convolve(K, u)[:L], rtol=1e-9, atol=1e-8)


@conv.item(0.5, "An empty kernel or input raises ValueError.")
def refusals(exam, causal_conv_fft):
    exam.same(causal_conv_fft(np.array([2.0]), np.array([3.0])), np.array([6.0]))
    exam.raises(ValueError, causal_conv_fft, np.empty(0), np.ones(4))
    exam.raises(ValueError, causal_conv_fft, np.ones(4), np.empty(0))


conv.unmodified(0.5, "K and u must stay as they were.")


EVEN = "irfft assumes an even length unless it is told the length."
SHORT = "The padding is too short: the linear convolution has len(K) + len(u) - 1 samples."


def refused(why):
    raise ValueError(why)


def product(K, u, n):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    return np.fft.irfft(np.fft.rfft(K, n) * np.fft.rfft(u, n), n)[: len(u)]


def whole(K, u):
    """All len(K) + len(u) - 1 samples."""
    return product(K, np.append(u, np.zeros(len(K) - 1)), len(K) + len(u)) if len(K) and len(
        u) else product(K, u, 1)


@conv.mistake("correlation", "This is a correlation: neither transform is conjugated.")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    n = len(K) + len(u) - 1
    return np.fft.irfft(np.conj(np.fft.rfft(K, n)) * np.fft.rfft(u, n), n)[: len(u)]


@conv.mistake("complex_out", "Real signals have a real convolution: return float64.")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    n = len(K) + len(u) - 1
    return np.fft.ifft(np.fft.fft(K, n) * np.fft.fft(u, n))[: len(u)]


@conv.mistake("absolute", "The modulus loses the sign; take the real part.")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    n = len(K) + len(u) - 1
    return np.abs(np.fft.ifft(np.fft.fft(K, n) * np.fft.fft(u, n)))[: len(u)]


conv.mistakes_of(causal_conv_fft={
    "tail": ("The causal part comes first: the first len(u) samples, not the last.",
             lambda K, u: whole(K, u)[-len(u):]),
    "full": ("Only the first len(u) samples are asked for.", lambda K, u: whole(K, u)),
    "as_long_as_K": ("As many outputs as inputs: len(u), not len(K).",
                     lambda K, u: whole(K, u)[: len(K)]),
    "as_long_as_the_longer": ("As many outputs as inputs: len(u), also where the kernel is longer.",
                              lambda K, u: whole(K, u)[: max(len(K), len(u))]),
    "circular": ("Without zeros at the end the convolution is circular: the end of the signal "
                 "wraps around to its beginning.",
                 lambda K, u: product(K, u, len(u))),
    "circular_max": ("Without zeros at the end the convolution is circular: the end of the signal "
                     "wraps around to its beginning.",
                     lambda K, u: product(K, u, max(len(K), len(u)))),
    "padding_off_by_one": (SHORT,
                           lambda K, u: product(K, u, len(u) + len(u) // 2)),
    "one_sample_short": (SHORT, lambda K, u: product(K, u, max(len(K) + len(u) - 2, 1))),
    "one_sample_short_crash": (SHORT, lambda K, u: product(K, u, len(K) + len(u) - 2)),
    "never_padded": (
        "Without zeros at the end the convolution is circular: the end of the signal "
        "wraps around to its beginning.",
        lambda K, u: product(K, u, len(u)) if len(K) == len(u) else refused("lengths differ")),
    "odd_length_crash": (
        EVEN,
        lambda K, u: np.fft.irfft(np.fft.rfft(K, n := len(K) + len(u) - 1) * np.fft.rfft(u, n))[
            : len(u)]),
    "power_of_two_of_the_input": (
        "Twice len(u) is too short for a kernel that is longer than the input.",
        lambda K, u: product(K, u, 2 ** math.ceil(math.log2(2 * len(u) or 1)))),
    "assumes_equal": ("Twice len(u) is too short for a kernel that is longer than the input.",
                      lambda K, u: product(K, u, 2 * len(u))),
})


@conv.mistake("direct", "This writes out the sum, L^2 products: multiply the Fourier transforms "
              "instead.", hidden_only="the numbers are right; only the cost is not")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    y = np.zeros(len(u))
    for lag in range(min(len(K), len(u))):
        y[lag:] += K[lag] * u[: len(u) - lag]
    return y


@conv.mistake("toeplitz", "An L x L matrix is as long as the sum: multiply the Fourier transforms "
              "instead.", hidden_only="the numbers are right; only the cost is not")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    matrix, padded = np.zeros((len(u), len(u))), np.zeros(len(u))
    padded[: len(K)] = K[: len(u)]
    for row in range(len(u)):
        matrix[row, : row + 1] = padded[row::-1]
    return np.asarray(matrix @ u + 0 * np.fft.fft(u[:1]).real)


@conv.mistake("odd_length", EVEN)
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    n = len(K) + len(u) - 1 if len(K) + len(u) > 2 else 2
    return np.fft.irfft(np.fft.rfft(K, n) * np.fft.rfft(u, n))[: len(u)]


@conv.mistake("multiplies_signals", "The transforms are multiplied, not the signals.")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    y = np.zeros(len(u))
    y[: len(K)] = K[: len(u)] * u[: len(K)]
    return y


@conv.mistake("empty_passes", "Nothing to convolve: an empty kernel or input raises ValueError.")
def causal_conv_fft(K, u):
    return reference.causal_conv_fft(K, u) if len(K) and len(u) else np.zeros(len(u))


@conv.mistake("in_place", "u belongs to the caller: pad a copy.")
def causal_conv_fft(K, u):
    y = reference.causal_conv_fft(K, u)
    u[:] = y
    return y


@conv.variant("complex transforms, a power of two")
def causal_conv_fft(K, u):
    if min(len(K), len(u)) < 1:
        raise ValueError("empty")
    n = 1
    while n < len(K) + len(u):
        n *= 2
    padded = np.zeros((2, n))
    padded[0, : len(K)], padded[1, : len(u)] = K, u
    return np.fft.ifft(np.prod(np.fft.fft(padded, axis=1), axis=0)).real[: len(u)]


@conv.variant("the kernel cut first")
def causal_conv_fft(K, u):
    if not len(K) or not len(u):
        raise ValueError("empty")
    L = len(u)
    spectrum = np.fft.rfft(K[:L], 2 * L) * np.fft.rfft(u, 2 * L)
    return np.fft.irfft(spectrum, 2 * L)[:L]
