"""Exam of `ssm_forward_unrolled` with `ssm_forward_conv`."""

import numpy as np

from viva.cases.recurrent_models.layers import layer
from viva_course.exams.recurrent_models.common import writes_out_the_sum
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

forward = Exercise(
    "ssm_forward_unrolled",
    expects={
        "ssm_forward_unrolled": "h_1 .. h_T of h_{t+1} = W h_t + U x_t + b, h_0 = 0, (N, T, n)",
        "ssm_forward_conv": "the same states as a convolution by FFT along time, (N, T, n)",
    },
    survivors={
        "ssm_forward_conv: return np.fft.irfft(product[..., 0], 2 * T, axis=1)[:, :T] -> "
        "return np.fft.irfft(product[..., -1], 2 * T, axis=1)[:, :T]": "there is one column only",
        "ssm_forward_conv: kernel[t] = W @ kernel[t - 1] -> kernel[t] = kernel[t - 1] @ W":
            "powers of one matrix commute",
    },
)

FFT = {"rtol": 1e-9, "atol": 1e-9}
forward.values(2, "h_{t+1} = W h_t + U x_t + b from h_0 = 0, the states h_1 .. h_T.",
               only=("unrolled", "unrolled_first"), name="unrolled")
forward.values(2.5, "The same states, from a convolution along time.",
               only=("convolved", "convolved_eleven", "convolved_first"), name="convolution")


@forward.item(1, "Under a constant input the state settles at (I - W)^{-1} (U x + b).")
def steady_state(exam, ssm_forward_unrolled, ssm_forward_conv):
    W, U, b, x = layer(exam.rng, 2, 300, 3, 2)
    W, x = 0.8 * W, np.repeat(x[:, :1], 300, axis=1)
    expected = np.linalg.solve(np.eye(3) - W, (x[:, 0] @ U.T + b).T).T
    exam.same(ssm_forward_unrolled(W, U, b, x)[:, -1], expected, rtol=1e-8, atol=1e-8)
    exam.same(ssm_forward_conv(W, U, b, x)[:, -1], expected, rtol=1e-8, atol=1e-8)


@forward.item(1, "What happens at step 5 changes no state before it.")
def causal(exam, ssm_forward_unrolled, ssm_forward_conv):
    W, U, b, x = layer(exam.rng, 2, 9, 3, 4)
    other = x.copy()
    other[:, 5:] = exam.rng.normal(size=other[:, 5:].shape)
    expected = reference.ssm_forward_unrolled(W, U, b, x)
    exam.same(ssm_forward_conv(W, U, b, x), expected, **FFT)
    exam.same(ssm_forward_conv(W, U, b, other)[:, :5], expected[:, :5], **FFT)
    exam.same(ssm_forward_unrolled(W, U, b, other)[:, :5], expected[:, :5])


@forward.item(1, "ssm_forward_conv multiplies Fourier transforms; it is no loop over states.")
def by_FFT(exam, ssm_forward_unrolled, ssm_forward_conv):
    given = layer(exam.rng, 1, 6, 2, 3)
    exam.same(ssm_forward_conv(*given), reference.ssm_forward_unrolled(*given), **FFT)
    loops = writes_out_the_sum(ssm_forward_conv, known=("ssm_forward_unrolled",))
    exam.true(not loops, "no Fourier transform is used")


forward.unmodified(0.5, "Nothing may be written into the arguments.")


def convolved(W, U, b, x, n=None, kernel=None):
    T = x.shape[1]
    n, drive = n or 2 * T, x @ U.T + b
    if kernel is None:
        kernel = reference.matrix_powers(W, T)
    K, V = np.fft.rfft(kernel, n, axis=0), np.fft.rfft(drive, n, axis=1)
    return np.fft.irfft(np.einsum("fij,nfj->nfi", K, V), n, axis=1)[:, :T]


EVEN = "irfft assumes an even length unless it is told the length."


def even_length(W, U, b, x, n):
    """The convolution with transforms of length n, and an irfft that is not told so."""
    T = x.shape[1]
    K, V = np.fft.rfft(reference.matrix_powers(W, T), n, axis=0), np.fft.rfft(
        x @ U.T + b, n, axis=1)
    return np.fft.irfft(np.einsum("fij,nfj->nfi", K, V), axis=1)[:, :T]


def first_only(b, x):
    """A drive that is b at the first step and 0 afterwards, (N, T, n)."""
    first = np.zeros((*x.shape[:2], len(b)))
    first[:, 0] = b
    return first


forward.mistakes_of(ssm_forward_unrolled={
    "W_T_unrolled": ("W is transposed: with states as rows, multiply by W.T from the right.",
                     lambda W, U, b, x: reference.ssm_forward_unrolled(W.T, U, b, x)),
    "bias_once_unrolled": ("The bias enters the state at every step; here it is only added to what "
                           "is returned.",
                           lambda W, U, b, x: reference.ssm_forward_unrolled(W, U, 0 * b, x) + b),
    "bias_at_first_unrolled": (
        "The bias enters at every step; here it enters at the first step only.",
        lambda W, U, b, x: reference.ssm_forward_unrolled(W, U, 0 * b, x) + (
            reference.ssm_forward_unrolled(W, np.eye(len(b)), 0 * b, first_only(b, x)))),
    "bias_as_the_start": (
        "The bias enters at every step, and h_0 is zero; here b is only the state at the start.",
        lambda W, U, b, x: reference.ssm_forward_unrolled(W, U, 0 * b, x) + (
            reference.ssm_forward_unrolled(W, W, 0 * b, first_only(b, x)))),
    "no_bias": ("The bias is missing.",
                lambda W, U, b, x: reference.ssm_forward_unrolled(W, U, 0 * b, x)),
    "tanh": ("The state-space model is linear: no tanh.",
             lambda W, U, b, x: (
                 np.array([reference.rnn_postact(W, U, b, each, 0 * b, np.tanh) for each in x]))),
    "time_first": ("The axes are (N, T, n): the sequences first, then time.",
                   lambda W, U, b, x: reference.ssm_forward_unrolled(W, U, b, x).swapaxes(0, 1)),
})
forward.mistakes_of(ssm_forward_conv={
    "kernel_flipped": (
        "The kernel runs backwards: a convolution pairs the newest input with I.",
        lambda W, U, b, x: (
            convolved(W, U, b, x, kernel=reference.matrix_powers(W, x.shape[1])[::-1]))),
    "bias_once": ("The bias is a part of the drive at every step; it goes through the kernel, too.",
                  lambda W, U, b, x: convolved(W, U, 0 * b, x) + b),
    "W_T": ("The powers are those of W, not of W^T.", lambda W, U, b, x: convolved(W.T, U, b, x)),
    "complex": ("Real inputs have real states: return float64.",
                lambda W, U, b, x: convolved(W, U, b, x).astype(complex)),
})


@forward.mistake("bias_at_the_first_step", "The bias enters at every step; here it enters at the "
                 "first step only.")
def ssm_forward_conv(W, U, b, x):
    return convolved(W, U, 0 * b, x) + convolved(W, np.eye(len(b)), 0 * b, first_only(b, x))


@forward.mistake("odd_length", EVEN)
def ssm_forward_conv(W, U, b, x):
    return even_length(W, U, b, x, 2 * x.shape[1] - 1)


@forward.mistake("odd_length_of_one", EVEN)
def ssm_forward_conv(W, U, b, x):
    return even_length(W, U, b, x, max(2 * x.shape[1] - 1, 2))


@forward.mistake("delayed_unrolled", "The states are h_1 .. h_T: h_0 = 0 is not returned.")
def ssm_forward_unrolled(W, U, b, x):
    found = reference.ssm_forward_unrolled(W, U, b, x)
    return np.concatenate([np.zeros_like(found[:, :1]), found[:, :-1]], axis=1)


@forward.mistake("with_h0", "T states are asked for: h_0 = 0 is not one of them.")
def ssm_forward_unrolled(W, U, b, x):
    found = reference.ssm_forward_unrolled(W, U, b, x)
    return np.concatenate([np.zeros_like(found[:, :1]), found], axis=1)


@forward.mistake("shared_state", "Every sequence starts from zero: the state of one is not carried "
                 "over to the next.")
def ssm_forward_unrolled(W, U, b, x):
    N, T, D = x.shape
    return reference.ssm_forward_unrolled(W, U, b, x.reshape(1, N * T, D)).reshape(N, T, -1)


@forward.mistake("circular", "Without zeros at the end the convolution wraps around.")
def ssm_forward_conv(W, U, b, x):
    T = x.shape[1]
    kernel = reference.matrix_powers(W, T)
    K, V = np.fft.fft(kernel, axis=0), np.fft.fft(x @ U.T + b, axis=1)
    return np.fft.ifft(np.einsum("fij,nfj->nfi", K, V), axis=1).real


@forward.mistake("delayed", "The first output is h_1 = U x_0 + b: the kernel starts with I, "
                 "without a delay.")
def ssm_forward_conv(W, U, b, x):
    found = convolved(W, U, b, x)
    return np.concatenate([np.zeros_like(found[:, :1]), found[:, :-1]], axis=1)


@forward.mistake("starts_at_W", "The kernel starts with the identity: x_t enters h_{t+1} through U "
                 "alone.")
def ssm_forward_conv(W, U, b, x):
    T = x.shape[1]
    return convolved(W, U, b, x, kernel=reference.matrix_powers(W, T + 1)[1:])


@forward.mistake("elementwise_kernel", "The taps are matrices: at each frequency multiply a matrix "
                 "by a vector.")
def ssm_forward_conv(W, U, b, x):
    T, H = x.shape[1], len(b)
    kernel = np.einsum("tii->ti", reference.matrix_powers(W, T))
    K, V = np.fft.rfft(kernel, 2 * T, axis=0), np.fft.rfft(x @ U.T + b, 2 * T, axis=1)
    return np.fft.irfft(K[None] * V, 2 * T, axis=1)[:, :T, :H]


@forward.mistake("copy_of_the_loop", "This is the recurrence once more; the exercise is the "
                 "convolution, by Fourier transforms.",
                 hidden_only="the numbers are right; only the way is not")
def ssm_forward_conv(W, U, b, x):
    states, h = np.empty((*x.shape[:2], len(b))), np.zeros((len(x), len(b)))
    for t in range(x.shape[1]):
        h = h @ W.T + x[:, t] @ U.T + b
        states[:, t] = h
    return states


@forward.mistake("in_place", "x belongs to the caller: make a new array for the drive.")
def ssm_forward_conv(W, U, b, x):
    found = convolved(W, U, b, x)
    x -= x.mean()
    return found


@forward.variant("one sequence after the other")
def ssm_forward_unrolled(W, U, b, x):
    N, T, _ = x.shape
    out = np.zeros((N, T, W.shape[0]))
    for i in range(N):
        for t in range(T):
            out[i, t] = U @ x[i, t] + b + (W @ out[i, t - 1] if t else 0)
    return out


@forward.variant("complex transforms, a product of matrices")
def ssm_forward_conv(W, U, b, x):
    T = x.shape[1]
    n = 3 * T
    powers = np.array([np.linalg.matrix_power(W, t) for t in range(T)])
    K = np.fft.fft(powers, n, axis=0)  # (n, H, H)
    V = np.fft.fft(np.einsum("hd,ntd->nth", U, x) + b, n, axis=1)[..., None]  # (N, n, H, 1)
    return np.real(np.fft.ifft(K[None] @ V, axis=1)[:, :T, :, 0])
