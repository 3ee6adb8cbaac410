"""Exam of `ssm_kernel` with `ssm_unroll`."""

import numpy as np

from viva.cases.recurrent_models.statespace import system
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

kernel = Exercise(
    "ssm_kernel",
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


@kernel.item(2, "The recurrence must be the convolution of the input with the kernel.")
def convolution(exam, ssm_kernel, ssm_unroll):
    for n, L in ((3, 9), (5, 30)):
        given, u = system(exam.rng, n), exam.rng.normal(size=L)
        expected = np.convolve(reference.ssm_kernel(*given, L), u)[:L]
        exam.same(np.convolve(ssm_kernel(*given, L), u)[:L], expected)
        exam.same(ssm_unroll(*given, u), expected)


@kernel.item(1.5, "L = 1 gives (D), L < 1 raises ValueError, no input gives no output.")
def edge_cases(exam, ssm_kernel, ssm_unroll):
    given = system(exam.rng, 4)
    exam.same(ssm_kernel(*given, 1), np.array([given[3]]))
    exam.raises(ValueError, ssm_kernel, *given, 0)
    exam.raises(ValueError, ssm_kernel, *given, -2)
    exam.same(ssm_unroll(*given, np.ones(1)), np.array([given[3]]))
    exam.same(ssm_unroll(*given, np.empty(0)), np.empty(0))


kernel.unmodified(0.5, "Nothing may be written into the arguments.")

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


kernel.mistakes_of(ssm_kernel={
    "D_forgotten": ("D is missing: it lets the input through without delay.",
                    lambda A, B, C, D, L: reference.ssm_kernel(A, B, C, 0.0, L)),
    "D_everywhere": ("D belongs to lag 0 only.",
                     lambda A, B, C, D, L: reference.ssm_kernel(A, B, C, 0.0, L) + D),
    "A_extra": ("One factor A too many: at lag 1 the impulse has met B and C only.",
                lambda A, B, C, D, L: reference.ssm_kernel(A, A @ B, C, D, L)),
    "powers_of_entries": (
        "A**k powers the entries; the state is multiplied by the matrix A again and again.",
        lambda A, B, C, D, L: refuse(L) or np.array([D] + [C @ A**k @ B for k in range(L - 1)])),
    "length": ("L taps, D among them.",
               lambda A, B, C, D, L: refuse(L) or reference.ssm_kernel(A, B, C, D, L + 1)),
    "newest_first": ("The taps stand in the order of their lags, D first.",
                     lambda A, B, C, D, L: reference.ssm_kernel(A, B, C, D, L)[::-1].copy()),
    "zero_length": ("A kernel has at least one tap: L < 1 raises ValueError.",
                    lambda A, B, C, D, L: reference.ssm_kernel(A, B, C, D, max(L, 1))[: max(L, 0)]),
})
kernel.mistakes_of(ssm_unroll={
    "unroll_D_forgotten": ("D u_k is missing from the output.",
                           lambda A, B, C, D, u: reference.ssm_unroll(A, B, C, 0.0, u)),
    "unroll_D_constant": ("D multiplies the input u_k; it is no bias.",
                          lambda A, B, C, D, u: reference.ssm_unroll(A, B, C, 0.0, u) + D),
    "unroll_D_once": ("D lets every input through, not the first one alone.",
                      lambda A, B, C, D, u: (
                          reference.ssm_unroll(A, B, C, 0.0, u) + D * np.append(u[:1], 0 * u[1:]))),
    "unroll_no_memory": ("The new state keeps the old one: A z_k is missing.",
                         lambda A, B, C, D, u: reference.ssm_unroll(0 * A, B, C, D, u)),
})


@kernel.mistake("A_T", TURNED)
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A.T, B, C, D, L)


@kernel.mistake("BC_swapped", TURNED)
def ssm_kernel(A, B, C, D, L):
    return reference.ssm_kernel(A, C, B, D, L)


@kernel.mistake("elementwise_power", "A**k powers the entries; the state is multiplied by the "
                "matrix A again and again.")
def ssm_kernel(A, B, C, D, L):
    refuse(L)
    return np.array([D] + [C @ (A**k) @ B if k else C @ B for k in range(L - 1)])


@kernel.mistake("unroll_no_delay", "The output y_k reads z_k, before u_k has entered the state.")
def ssm_unroll(A, B, C, D, u):
    y, x = np.empty(len(u)), np.zeros(len(B))
    for k, u_k in enumerate(u):
        x = A @ x + B * u_k
        y[k] = C @ x + D * u_k
    return y


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
