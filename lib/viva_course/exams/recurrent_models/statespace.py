"""Exams of `ssm_kernel` with `ssm_unroll`, and of `causal_conv_fft`."""

import numpy as np

from viva.cases.recurrent_models.statespace import system
from viva_course.exams.recurrent_models.common import writes_out_the_sum
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise, unmodified

kernel = Exercise(
    "ssm_kernel", points=8, reference=(reference.ssm_kernel, reference.ssm_unroll),
    expects={
        "ssm_kernel": "the L outputs for the input 1, 0, 0, ..., (L,)",
        "ssm_unroll": "y_k = C z_k + D u_k with z_{k+1} = A z_k + B u_k from z_0 = 0, (L,)",
    },
    survivors={
        "ssm_kernel: K[k] = C @ state -> K[k] = state @ C":
            "the product of two vectors has no order",
        "ssm_unroll: y[k] = C @ z + D * u[k] -> y[k] = z @ C + D * u[k]":
            "the product of two vectors has no order",
    },
)

kernel.values(2, "Each tap is the output, that many steps after an impulse.",
              only=("half", "random_kernel"), name="kernel")
kernel.values(2, "First the output, then the next state, from z_0 = 0.",
              only=("impulse", "random_input"), name="recurrence")


@kernel.item("convolution", 2, "The recurrence must be the convolution of the input with the "
             "kernel.")
def _(exam, ssm_kernel, ssm_unroll):
    for n, L in ((3, 9), (5, 30)):
        given, u = system(exam.rng, n), exam.rng.normal(size=L)
        expected = np.convolve(reference.ssm_kernel(*given, L), u)[:L]
        exam.same(np.convolve(ssm_kernel(*given, L), u)[:L], expected)
        exam.same(ssm_unroll(*given, u), expected)


@kernel.item("edge cases", 1.5, "L = 1 gives (D), L < 1 raises ValueError, no input gives no "
             "output.")
def _(exam, ssm_kernel, ssm_unroll):
    given = system(exam.rng, 4)
    exam.same(ssm_kernel(*given, 1), np.array([given[3]]))
    exam.raises(ValueError, ssm_kernel, *given, 0)
    exam.raises(ValueError, ssm_kernel, *given, -2)
    exam.same(ssm_unroll(*given, np.ones(1)), np.array([given[3]]))
    exam.same(ssm_unroll(*given, np.empty(0)), np.empty(0))


kernel.item("arguments unchanged", 0.5, "Nothing may be written into the arguments.")(unmodified)

TURNED = ("A is transposed, or B and C are exchanged (it is the same): the input enters through "
          "B, A acts on the state from the left, C reads it.")


def refuse(L):
    if L < 1:
        raise ValueError


@kernel.mistake("no_delay", "K_0 holds CB already: an input reaches the state one step later, so "
                "CB stands at lag 1.")
def ssm_kernel(A, B, C, D, L):
    refuse(L)
    K = reference.ssm_kernel(A, B, C, 0.0, L + 1)[1:]
    K[0] += D
    return K


@kernel.mistake("D_forgotten", "D is missing: it lets the input through without delay.")
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A, B, C, 0.0, L)


@kernel.mistake("D_everywhere", "D belongs to lag 0 only.")
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A, B, C, 0.0, L) + D


@kernel.mistake("A_extra", "One factor A too many: at lag 1 the impulse has met B and C only.")
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A, A @ B, C, D, L)


@kernel.mistake("A_T", TURNED)
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A.T, B, C, D, L)


@kernel.mistake("BC_swapped", TURNED)
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A, C, B, D, L)


@kernel.mistake("length", "L taps, D among them.")
def ssm_kernel(A, B, C, D, L):
    refuse(L)
    return reference.ssm_kernel(A, B, C, D, L + 1)


@kernel.mistake("newest_first", "The taps stand in the order of their lags, D first.")
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A, B, C, D, L)[::-1].copy()


@kernel.mistake("elementwise_power", "A**k powers the entries; the state is multiplied by the "
                "matrix A again and again.")
def ssm_kernel(A, B, C, D, L):
    refuse(L)
    return np.array([D] + [C @ (A**k) @ B if k else C @ B for k in range(L - 1)])


@kernel.mistake("zero_length", "A kernel has at least one tap: L < 1 raises ValueError.")
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A, B, C, D, max(L, 1))[: max(L, 0)]


@kernel.mistake("unroll_no_delay", "The output y_k reads z_k, before u_k has entered the state.")
def ssm_unroll(A, B, C, D, u):
    y, x = np.empty(len(u)), np.zeros(len(B))
    for k, u_k in enumerate(u):
        x = A @ x + B * u_k
        y[k] = C @ x + D * u_k
    return y


@kernel.mistake("unroll_D_forgotten", "D u_k is missing from the output.")
def ssm_unroll(A, B, C, D, u):
    return reference.ssm_unroll(A, B, C, 0.0, u)


@kernel.mistake("unroll_D_constant", "D multiplies the input u_k; it is no bias.")
def ssm_unroll(A, B, C, D, u):
    return reference.ssm_unroll(A, B, C, 0.0, u) + D


@kernel.mistake("unroll_A_T", TURNED)
def ssm_unroll(A, B, C, D, u):
    return reference.ssm_unroll(A.T, B, C, D, u)


@kernel.mistake("unroll_starts_at_B", "The first state is zero: B enters only with the first "
                "input.")
def ssm_unroll(A, B, C, D, u):
    y, x = np.empty(len(u)), B.copy()
    for k, u_k in enumerate(u):
        y[k] = C @ x + D * u_k
        x = A @ x + B * u_k
    return y


@kernel.mistake("unroll_no_memory", "The new state keeps the old one: A z_k is missing.")
def ssm_unroll(A, B, C, D, u):
    return reference.ssm_unroll(0 * A, B, C, D, u)


@kernel.mistake("in_place", "B belongs to the caller: make a new array for the state.")
def ssm_kernel(A, B, C, D, L):
    found = reference.ssm_kernel(A, B, C, D, L)
    B[:] = A @ B
    return found


@kernel.variant("powers of A")
def ssm_kernel(A, B, C, D, L):
    if L < 1:
        raise ValueError("L")
    return np.array([float(D)] + [C @ np.linalg.matrix_power(A, k) @ B for k in range(L - 1)])


@kernel.variant("C from the left")
def ssm_kernel(A, B, C, D, L):
    if L <= 0:
        raise ValueError("L")
    taps, row = [float(D)], C
    while len(taps) < L:
        taps.append(float(row @ B))
        row = row @ A
    return np.asarray(taps)


@kernel.variant("a list of states")
def ssm_unroll(A, B, C, D, u):
    states = [np.zeros(A.shape[0])]
    for value in u:
        states.append(A.dot(states[-1]) + B * value)
    return np.array(states[:-1]).reshape(len(u), -1) @ C + D * u if len(u) else np.zeros(0)


conv = Exercise(
    "causal_conv_fft", points=8, reference=(reference.causal_conv_fft,),
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
            only=("short_kernel", "long_kernel"), name="other lengths")


@conv.item("causal", 1, "Nothing wraps around: zeros in, zeros out, until the first input.")
def _(exam, causal_conv_fft):
    for M, L in ((7, 7), (16, 9), (4, 11)):
        K, u = exam.rng.normal(size=M), np.zeros(L)
        u[-2:] = exam.rng.uniform(1, 2, size=2)
        exam.same(causal_conv_fft(K, u), np.convolve(K, u)[:L], rtol=1e-9, atol=1e-9)


@conv.item("cost", 1.5, "L log L, not L^2: by FFT, without an L x L matrix and without writing "
           "out the sum.")
def _(exam, causal_conv_fft):
    L = 5000  # an L x L matrix takes 200 MB, the transforms below 1 MB
    K, u = exam.rng.normal(size=L), exam.rng.normal(size=L)
    exam.same(causal_conv_fft(K[:50], u[:70]), np.convolve(K[:50], u[:70])[:70],
              rtol=1e-9, atol=1e-9)
    exam.true(not writes_out_the_sum(causal_conv_fft), "no Fourier transform is used")
    found = exam.within(40, causal_conv_fft, K, u)
    exam.same(found, np.convolve(K, u)[:L], rtol=1e-9, atol=1e-8)


@conv.item("refusals", 0.5, "An empty kernel or input raises ValueError.")
def _(exam, causal_conv_fft):
    exam.same(causal_conv_fft(np.array([2.0]), np.array([3.0])), np.array([6.0]))
    exam.raises(ValueError, causal_conv_fft, np.empty(0), np.ones(4))
    exam.raises(ValueError, causal_conv_fft, np.ones(4), np.empty(0))


conv.item("arguments unchanged", 0.5, "K and u must stay as they were.")(unmodified)


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


@conv.mistake("tail", "The causal part comes first: the first len(u) samples, not the last.")
def causal_conv_fft(K, u):
    return whole(K, u)[-len(u):]


@conv.mistake("full", "Only the first len(u) samples are asked for.")
def causal_conv_fft(K, u):
    return whole(K, u)


@conv.mistake("as_long_as_K", "As many outputs as inputs: len(u), not len(K).")
def causal_conv_fft(K, u):
    return whole(K, u)[: len(K)]


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


@conv.mistake("circular", "Without zeros at the end the convolution is circular: the end of the "
              "signal wraps around to its beginning.")
def causal_conv_fft(K, u):
    return product(K, u, len(u))


@conv.mistake("padding_off_by_one", "The padding is too short: the linear convolution has "
              "len(K) + len(u) - 1 samples.")
def causal_conv_fft(K, u):
    return product(K, u, len(u) + len(u) // 2)


@conv.mistake("assumes_equal", "Twice len(u) is too short for a kernel that is longer than the "
              "input.")
def causal_conv_fft(K, u):
    return product(K, u, 2 * len(u))


@conv.mistake("odd_length", "irfft assumes an even length unless it is told the length.")
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
