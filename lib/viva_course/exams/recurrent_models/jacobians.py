"""Exam of `step_jacobian` with `jacobian_product`."""

import numpy as np

from viva.cases.recurrent_models.jacobians import dtanh, one
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise, unmodified

jacobian = Exercise(
    "step_jacobian",
    expects={
        "step_jacobian": "J[i, j] is the derivative of h_t[i] by h_{t-1}[j]",
        "jacobian_product": "dh_t/dh_k: one factor for each row of H, (n, n)",
    },
)

jacobian.values(3, "J[i, j] is the derivative of h_t[i] by h_{t-1}[j].",
                only=("by_hand", "one_step"), name="one step")
jacobian.values(2, "One factor per row of H, multiplied in the right order.",
                only=("two_steps", "six_steps", "single_step"), name="many steps")


@jacobian.item(1.5, "The Jacobians must be those of the network: central differences of its "
               "states.")
def differences(exam, step_jacobian, jacobian_product):
    n, T, eps = 3, 4, 1e-5
    W, U, b = exam.rng.normal(size=(n, n)), np.eye(n), exam.rng.normal(size=n)
    X, h0 = exam.rng.normal(size=(T, n)), exam.rng.normal(size=n)

    def run(start):
        return reference.rnn_preact(W, U, b, X, start, np.tanh)

    def slopes(t):
        return np.array([(run(h0 + eps * e)[t] - run(h0 - eps * e)[t]) / (2 * eps)
                         for e in np.eye(n)]).T

    H = np.vstack([h0, run(h0)])[:T]
    exam.same(step_jacobian(W, h0, dtanh), slopes(0), rtol=1e-6, atol=1e-6)
    exam.same(jacobian_product(W, H, dtanh), slopes(T - 1), rtol=1e-6, atol=1e-6)


@jacobian.item(1, "For a linear network m steps give the m-th power of W.")
def linear_network(exam, step_jacobian, jacobian_product):
    W = exam.rng.normal(size=(4, 4))
    for m in (1, 2, 5):
        H = exam.rng.normal(size=(m, 4))
        exam.same(jacobian_product(W, H, one), np.linalg.matrix_power(W, m))


@jacobian.item(0.5, "For no step at all the product is the identity.")
def no_step(exam, step_jacobian, jacobian_product):
    W = exam.rng.normal(size=(4, 4))
    exam.same(jacobian_product(W, np.zeros((1, 4)), one), W)
    exam.same(jacobian_product(W, np.zeros((0, 4)), one), np.eye(4))


@jacobian.item(1, "Nothing may be written into the arguments.")
def arguments_unchanged(exam, step_jacobian, jacobian_product):
    unmodified(exam, step_jacobian, jacobian_product)


def product(factors, n):
    J = np.eye(n)
    for factor in factors:
        J = factor @ J
    return J


jacobian.mistakes_of(step_jacobian={
    "W_transposed": ("W is transposed: row i of J belongs to the output h_t[i].",
                     lambda W, h_prev, dsigma: W.T * dsigma(h_prev)),
    "diag_left": ("The slopes stand on the wrong side: h_{t-1} goes through sigma first and "
                  "through W then. (This is the post-activation form.)",
                  lambda W, h_prev, dsigma: dsigma(h_prev)[:, None] * W),
    "ratio": ("A quotient of values is no derivative: how fast does sigma change?",
              lambda W, h_prev, dsigma: (W @ np.tanh(h_prev))[:, None] / h_prev),
    "whole_transposed": ("This is the transpose: J[i, j] is the derivative of output i by input j.",
                         lambda W, h_prev, dsigma: (W * dsigma(h_prev)).T),
    "no_slope": ("The slope of sigma is missing from the chain rule.",
                 lambda W, h_prev, dsigma: W.copy()),
    "matrix_times_vector": ("A Jacobian is a matrix: each column of W is scaled by its slope, "
                            "nothing is summed.",
                            lambda W, h_prev, dsigma: W @ dsigma(h_prev)),
    "slope_twice": ("The slopes enter once, at the old state: here they stand on both sides of W.",
                    lambda W, h_prev, dsigma: dsigma(h_prev)[:, None] * W * dsigma(h_prev)),
    "slope_of_next": ("The slope belongs to h_{t-1}, the state before W acts.",
                      lambda W, h_prev, dsigma: W * dsigma(W @ h_prev)),
})
jacobian.mistakes_of(jacobian_product={
    "product_W_transposed": ("W is transposed in the factors: row i belongs to the output h_t[i].",
                             lambda W, H, dsigma: product([W.T * dsigma(h) for h in H], len(W))),
    "product_diag_left": (
        "The slopes stand on the wrong side of W in every factor.",
        lambda W, H, dsigma: product([dsigma(h)[:, None] * W for h in H], len(W))),
    "one_factor_short": ("One factor is missing: m rows of H are m steps.",
                         lambda W, H, dsigma: product([W * dsigma(h) for h in H[1:]], len(W))),
    "last_factor_short": ("One factor is missing: the last row of H is the start of a step, too.",
                          lambda W, H, dsigma: product([W * dsigma(h) for h in H[:-1]], len(W))),
    "elementwise": ("Jacobians are multiplied as matrices, not entry by entry.",
                    lambda W, H, dsigma: (
                        np.prod([W * dsigma(h) for h in H], axis=0) if len(H) else np.eye(len(W)))),
    "oldest_left": ("The order is the wrong one: the newest step acts last, so its factor stands "
                    "on the left.",
                    lambda W, H, dsigma: product([W * dsigma(h) for h in H[::-1]], len(W))),
    "sums": ("The steps follow one another: their Jacobians are multiplied, not added.",
             lambda W, H, dsigma: (
                 sum((W * dsigma(h) for h in H), np.zeros_like(W)) if len(H) else np.eye(len(W)))),
    "power_times_slopes": (
        "The slopes stand between the factors W: collecting them at one end is another matrix.",
        lambda W, H, dsigma: np.linalg.matrix_power(W, len(H)) * np.prod(dsigma(H), axis=0)),
})


@jacobian.mistake("elementwise_from_I", "Jacobians are multiplied as matrices, not entry by entry.")
def jacobian_product(W, H, dsigma):
    return np.prod([np.eye(len(W)), *(W * dsigma(h) for h in H)], axis=0)


@jacobian.mistake("in_place", "W belongs to the caller: `W *= ...` changes it.")
def step_jacobian(W, h_prev, dsigma):
    W *= dsigma(h_prev)
    return W


@jacobian.mistake("empty_fails", "H without rows: the product of no factors is the identity.")
def jacobian_product(W, H, dsigma):
    J = np.zeros_like(W)
    for i, h in enumerate(H):
        J = W * dsigma(h) @ J if i else W * dsigma(h)
    return J


@jacobian.mistake("product_in_place", "H belongs to the caller; write the slopes elsewhere.")
def jacobian_product(W, H, dsigma):
    H[:] = dsigma(H)
    return product([W * slopes for slopes in H], len(W))


@jacobian.variant("a diagonal matrix")
def step_jacobian(W, h_prev, dsigma):
    return W @ np.diag(dsigma(h_prev))


@jacobian.variant("from the left")
def jacobian_product(W, H, dsigma):
    J = np.identity(H.shape[1])
    for h in reversed(list(H)):
        J = np.einsum("ij,jk,k->ik", J, W, dsigma(h))
    return J
