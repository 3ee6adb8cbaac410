"""Exam of `power_norm` and `spectral_step`."""

import numpy as np

from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

power = Exercise(
    "power_norm",
    expects={
        "power_norm": "|A v| after so many steps of the power iteration, as a number",
        "spectral_step": "the multiple of D whose RMS norm is lr",
    },
)

power.values(4, "Each step multiplies v by A, then by its transpose, and makes its length 1.",
             only=("one_step_by_hand", "few_steps", "converged", "extremes"), name="iteration")
power.values(2, "The update is a multiple of D, and its RMS norm is lr.",
             only=("scaled_updates", "no_direction"), name="update")


@power.item(1.5, "A^T A is never formed: for a matrix of 3 x 4000 it would take 128 MB.")
def no_large_matrix(exam, power_norm, spectral_step):
    A, v = exam.rng.normal(size=(3, 4000)), exam.rng.normal(size=4000)
    exam.same(exam.within(40, power_norm, A, v, 2), reference.power_norm(A, v, 2))


@power.item(1, "Twice the update costs twice the rate; the size of D does not matter.")
def any_scale(exam, power_norm, spectral_step):
    D = exam.rng.normal(size=(4, 7))
    step = spectral_step(D, 0.3)
    exam.same(step, reference.spectral_step(D, 0.3))
    exam.same(spectral_step(1e4 * D, 0.3), step)
    exam.same(spectral_step(D, 0.6), 2 * step)
    exam.same(float(np.linalg.norm(step, 2)), 0.3 * np.sqrt(4 / 7))


power.unmodified(0.5, "A, v and D must stay as they were.")


def _iterate(A, v, steps, move=None, normalise=True, read=None):
    move = move or (lambda v: A.T @ (A @ v))
    v = v / np.linalg.norm(v)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            v = move(v)
            if not v.any():
                return 0.0
            v = v / np.linalg.norm(v) if normalise else v
        return float((read or (lambda v: np.linalg.norm(A @ v)))(v))


power.mistakes_of(power_norm={
    "eigenvalue": ("This is the square of the singular value: return |A v|.",
                   lambda A, v, steps=100: (
                       _iterate(A, v, steps, read=lambda v: np.linalg.norm(A.T @ (A @ v))))),
    "root_of_the_divisor": ("This is the root of the length that v was divided by last; |A v| for "
                            "the new v is asked for.",
                            lambda A, v, steps=100: (
                                _iterate(A, v, steps - 1, read=lambda v: (
                                    np.linalg.norm(A.T @ (A @ v)) ** 0.5))
                                if steps else _iterate(A, v, 0))),
    "one_step_more": ("`steps` counts the multiplications by A^T A before |A v| is read off.",
                      lambda A, v, steps=100: _iterate(A, v, steps + 1)),
    "one_step_short": ("`steps` counts the multiplications by A^T A: one is missing.",
                       lambda A, v, steps=100: _iterate(A, v, max(steps - 1, 0))),
    "exact": ("This is the limit of the iteration, not the value after `steps` steps.",
              lambda A, v, steps=100: float(np.linalg.norm(A, 2))),
    "frobenius": ("This is the Frobenius norm.", lambda A, v, steps=100: float(np.linalg.norm(A))),
    "nan_for_zero": ("A zero matrix has the norm 0; dividing by |A^T A v| gives NaN.",
                     lambda A, v, steps=100: _iterate(A, v, steps) if A.any() else float("nan")),
})
power.mistakes_of(spectral_step={
    "step_spectral": ("The RMS norm is to be lr, not the spectral norm.",
                      lambda D, lr: _scaled(D, lr, np.linalg.norm(D, 2))),
    "step_inverse": (
        "The factor of the sizes is upside down.",
        lambda D, lr: _scaled(D, lr, np.sqrt(D.shape[0] / D.shape[1]) * np.linalg.norm(D, 2))),
    "step_frobenius": (
        "Divide by the largest singular value, not by the Frobenius norm.",
        lambda D, lr: _scaled(D, lr, np.sqrt(D.shape[1] / D.shape[0]) * np.linalg.norm(D))),
    "step_entries": ("This makes the RMS of the entries lr; the RMS norm is that of a map, from "
                     "the largest singular value and the sizes.",
                     lambda D, lr: _scaled(D, lr, np.sqrt(np.mean(D**2)))),
    "step_descends": ("Only the size changes; the sign is that of D.",
                      lambda D, lr: -reference.spectral_step(D, lr)),
    "step_clipped": ("The norm is lr whatever the size of D: a short direction is made longer.",
                     lambda D, lr: min((reference.spectral_step(D, lr), 1.0 * D),
                                       key=np.linalg.norm)),
    "step_unscaled": ("The size of D does not matter: divide by its norm.", lambda D, lr: lr * D),
})


@power.mistake("never_normalised", "Without making v's length 1 at every step it overflows or "
               "vanishes.")
def power_norm(A, v, steps=100):
    return _iterate(A, v, steps, normalise=False,
                    read=lambda v: np.linalg.norm(A @ v) / np.linalg.norm(v))


@power.mistake("start_not_normalised", "The start may have any length: divide by it, also when "
               "steps = 0.")
def power_norm(A, v, steps=100):
    answer = _iterate(A, v, steps)
    return answer if steps else answer * float(np.linalg.norm(v))


# Two mistakes that answer alike: one sentence must be true of both.
NO_CONSTANT = ("A small constant, added to the length or taken for zero, spoils matrices with "
               "small entries: a length is zero or it is not.")


@power.mistake("threshold", NO_CONSTANT)
def power_norm(A, v, steps=100):
    v = v / np.linalg.norm(v)
    for _ in range(steps):
        v = A.T @ (A @ v)
        if np.linalg.norm(v) < 1e-12:
            return 0.0
        v = v / np.linalg.norm(v)
    return float(np.linalg.norm(A @ v))


@power.mistake("epsilon", NO_CONSTANT)
def power_norm(A, v, steps=100):
    v = v / np.linalg.norm(v)
    for _ in range(steps):
        v = A.T @ (A @ v)
        v = v / (np.linalg.norm(v) + 1e-12)
    return float(np.linalg.norm(A @ v))


@power.mistake("maximum_norm", "Divide v by its length, not by its largest entry, or |A v| is not "
               "the norm.")
def power_norm(A, v, steps=100):
    v = v / np.abs(v).max()
    for _ in range(steps):
        v = A.T @ (A @ v)
        v = v / np.abs(v).max() if v.any() else v
    return float(np.linalg.norm(A @ v))


@power.mistake("gram", "A^T A is as large as the width squared: multiply by A, then by its "
               "transpose.", hidden_only="memory")
def power_norm(A, v, steps=100):
    gram = A.T @ A
    return _iterate(A, v, steps, move=lambda v: gram @ v)


@power.mistake("in_place", "v belongs to the caller: divide into a new array.")
def power_norm(A, v, steps=100):
    answer = _iterate(A, v, steps)
    v /= np.linalg.norm(v)
    return answer


def _scaled(D, lr, size):
    return lr / size * D if size > 0 else np.zeros(D.shape)


@power.mistake("step_nan", "A direction of zeros has no norm to divide by: return zeros.")
def spectral_step(D, lr):
    with np.errstate(all="ignore"):
        return lr * D / (np.sqrt(D.shape[1] / D.shape[0]) * np.linalg.norm(D, 2))


@power.mistake("step_orthogonal", "The singular values keep their ratios; only the whole is "
               "scaled.")
def spectral_step(D, lr):
    U, s, Vt = np.linalg.svd(D, full_matrices=False)
    return lr * np.sqrt(D.shape[0] / D.shape[1]) * (U * (s > 0)) @ Vt


@power.variant("recursion on A v")
def power_norm(A, v, steps=100):
    v = np.asarray(v) / np.sqrt(np.dot(v, v))
    for _ in range(steps):
        u = A @ v
        if np.linalg.norm(u) == 0:
            return 0.0
        v = (u / np.linalg.norm(u)) @ A
        if np.linalg.norm(v) == 0:
            return 0
        v = v / np.linalg.norm(v)
    return np.linalg.norm(A @ v)


@power.variant("singular values")
def spectral_step(D, lr):
    top = np.linalg.svd(D, compute_uv=False)[0]
    if top == 0:
        return 0.0 * D
    return D / top * np.sqrt(len(D) / D.shape[1]) * lr
