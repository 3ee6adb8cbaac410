"""Exam of `diag_ssm_kernel`."""


import numpy as np

from viva.cases.recurrent_models.diagonal import rotation
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

diagonal = Exercise("diag_ssm_kernel", "the kernel of the state-space model with A = diag(lam), "
                    "(L,) float64")

diagonal.values(2, "The kernel of the same system with A = diag(lam).",
                only=("two_decays", "real_eigenvalues"), name="real eigenvalues")


@diagonal.item(1.5, "Conjugate pairs give the real kernel of a real system.")
def complex_eigenvalues(exam, diag_ssm_kernel):
    angle, r = float(exam.rng.uniform(0.3, 2.8)), float(exam.rng.uniform(0.6, 0.95))
    A = r * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    B, C = exam.rng.normal(size=2), exam.rng.normal(size=2)
    lam, P = np.linalg.eig(A)
    expected = reference.ssm_kernel(A, B, C, 0.7, 15)
    exam.same(diag_ssm_kernel(lam, np.linalg.solve(P, B), C @ P, 0.7, 15), expected)
    given = rotation(exam.rng, 3)
    exam.same(diag_ssm_kernel(*given, 0.2, 7), reference.diag_ssm_kernel(*given, 0.2, 7))


diagonal.values(1, "A zero eigenvalue still counts in CB, and negative ones are allowed.",
                only=("zero_eigenvalue",), name="zero eigenvalue")


@diagonal.item(1.5, "n L numbers at most, and no n x n matrix.")
def memory(exam, diag_ssm_kernel):
    n, L = 6000, 10  # n L complex numbers take 1 MB, n x n real ones 288 MB
    lam, B, C = exam.rng.uniform(0, 1, n), exam.rng.normal(size=n), exam.rng.normal(size=n)
    expected = reference.diag_ssm_kernel(lam, B, C, 1.0, L)
    found = exam.within(40, diag_ssm_kernel, lam, B, C, 1.0, L)
    exam.same(found, expected, rtol=1e-8, atol=1e-8)


@diagonal.item(0.5, "L = 1 gives (D); L < 1 raises ValueError.")
def edge_cases(exam, diag_ssm_kernel):
    lam, B, C = exam.rng.normal(size=(3, 2))
    exam.same(diag_ssm_kernel(lam, B, C, 2.5, 2), np.array([2.5, B @ C]))
    exam.same(diag_ssm_kernel(lam, B, C, 2.5, 1), np.array([2.5]))
    exam.raises(ValueError, diag_ssm_kernel, lam, B, C, 2.5, 0)


diagonal.unmodified(0.5, "Nothing may be written into the arguments.")


def taps(D, rest, L):
    if L < 1:
        raise ValueError
    with np.errstate(all="ignore"):
        return np.array([D, *rest(np.arange(L - 1))], float)


@diagonal.mistake("dense", "diag(lam) is an n x n matrix: keep the n eigenvalues as a vector.",
                  hidden_only="the numbers are right; only the memory is not")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError
    A, x, found = np.diag(lam), B, [D]
    for _ in range(L - 1):
        found.append((C @ x).real)
        x = A @ x
    return np.array(found, float)


LOG = "log has no value at zero, and none at negative real numbers: take powers of lam itself."


@diagonal.mistake("exp_log", LOG)
def diag_ssm_kernel(lam, B, C, D, L):
    with np.errstate(all="ignore"):
        return taps(D, lambda k: (np.exp(k[:, None] * np.log(lam)) @ (B * C)).real, L)


diagonal.mistakes_of(diag_ssm_kernel={
    "abs": (
        "The modulus loses sign and phase; the sum is real by itself.",
        lambda lam, B, C, D, L: taps(D, lambda k: np.abs(np.power(lam, k[:, None]) @ (B * C)), L)),
    "modulus_of_lam": (
        "The modulus loses sign and phase: take powers of lam itself.",
        lambda lam, B, C, D, L: reference.diag_ssm_kernel(np.abs(lam), B, C, D, L)),
    "real_first": (
        "The real part is taken at the end, of the sum; powers of the real parts are something "
        "else.",
        lambda lam, B, C, D, L: (
            reference.diag_ssm_kernel(np.real(lam), np.real(B), np.real(C), D, L))),
    "real_lam": (
        "The real part is taken at the end, of the sum; powers of the real parts are something "
        "else.",
        lambda lam, B, C, D, L: reference.diag_ssm_kernel(np.real(lam), B, C, D, L)),
    "complex_log": (
        LOG, lambda lam, B, C, D, L: taps(D, lambda k: (np.exp(
            k[:, None] * np.log(np.asarray(lam, complex))) @ (B * C)).real, L)),
    "conjugates": ("C is not conjugated: vdot and the inner product of complex vectors do that.",
                   lambda lam, B, C, D, L: reference.diag_ssm_kernel(lam, B, np.conj(C), D, L)),
    "one_power_more": ("At lag 1 lam has not acted yet: its power is zero there.",
                       lambda lam, B, C, D, L: reference.diag_ssm_kernel(lam, lam * B, C, D, L)),
    "B_forgotten": (
        "B is missing: each state is fed by its own B_i.",
        lambda lam, B, C, D, L: reference.diag_ssm_kernel(lam, np.ones_like(B), C, D, L)),
    "D_forgotten": ("D, the first tap, is missing.",
                    lambda lam, B, C, D, L: reference.diag_ssm_kernel(lam, B, C, 0.0, L)),
    "zero_to_the_zero": (
        "0^0 is 1 here: a state with eigenvalue 0 still answers once.",
        lambda lam, B, C, D, L: reference.diag_ssm_kernel(lam, np.where(lam == 0, 0, B), C, D, L)),
    "empty": (
        "L < 1 raises ValueError.",
        lambda lam, B, C, D, L: reference.diag_ssm_kernel(lam, B, C, D, max(L, 1))[: max(L, 0)]),
})


@diagonal.mistake("complex", "Conjugate pairs add up to real numbers: return float64.")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError
    return np.array([D, *(np.power(lam, np.arange(L - 1)[:, None]) @ (B * C))])


@diagonal.mistake("real_too_early", "Take the real part of the sum: the products of the parts are "
                  "complex, and their imaginary factors count.")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError
    powers = np.asarray(lam) ** np.arange(L - 1)[:, None]
    return np.append(float(D), powers.real @ (np.asarray(B) * C).real)


@diagonal.mistake("half_of_pairs", "The conjugates are given: do not add them once more.")
def diag_ssm_kernel(lam, B, C, D, L):
    found = reference.diag_ssm_kernel(lam, B, C, D, L)
    return np.append(found[0], 2 * found[1:]) if np.iscomplexobj(lam) else found


@diagonal.mistake("no_delay", "K_0 is D alone: CB stands at lag 1.")
def diag_ssm_kernel(lam, B, C, D, L):
    found = reference.diag_ssm_kernel(lam, B, C, 0.0, max(L, 0) + 1)[1:]
    if L < 1:
        raise ValueError
    found[0] += D
    return found


@diagonal.mistake("in_place", "B belongs to the caller: make a new array for the state.")
def diag_ssm_kernel(lam, B, C, D, L):
    found = reference.diag_ssm_kernel(lam, B, C, D, L)
    B *= lam
    return found


@diagonal.variant("a Vandermonde matrix")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError("L")
    V = np.vander(np.asarray(lam), L - 1, increasing=True)  # (n, L - 1)
    return np.concatenate([[float(D)], ((np.asarray(C) * B) @ V).real])


@diagonal.variant("powers as columns")
def diag_ssm_kernel(lam, B, C, D, L):
    if not L >= 1:
        raise ValueError("L")
    rest = np.power(lam[:, None], np.arange(L - 1)) * (B * C)[:, None]
    return np.append(D, np.real(rest.sum(axis=0))).astype(float)
