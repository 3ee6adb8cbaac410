"""Exam of `gd_scalar`, `max_lr_scalar` and `steps_to_tol`: one weight, one rate."""

import math

import numpy as np

from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

scalar = Exercise(
    "gd_scalar",
    expects={
        "gd_scalar": "the weight after t steps of gradient descent on (y - sigma w)^2 from w0",
        "max_lr_scalar": "the rate below which the descent converges and above which it diverges",
        "steps_to_tol": "the first number of steps after which the error, relative to that at the "
                        "start w = 0, is below eps; infinity if it never is",
    },
    survivors={
        "steps_to_tol: factor = abs(1 - 2 * eta * sigma ** 2) -> "
        "factor = abs(2 * eta * sigma ** 2 - 1)":
            "the same size",
    },
)

scalar.values(2, "The weight must be the one that t gradient steps reach.", name="the weight",
              only=("seven_steps", "negative_sigma", "no_step"))
scalar.values(1, "The bound must be where the error stops shrinking.", name="the bound",
              only=("worked_bound", "other_bounds"))
scalar.values(2, "The number of steps must be right, also where the weight overshoots, where one "
              "step is enough and where the descent never arrives.", name="the steps",
              only=("worked_steps", "overshooting", "patient", "very_patient", "one_step_is_enough",
                    "never", "other_steps"))


def descend(sigma, y, eta, w, t):
    """Explicit steps along the gradient -2 sigma (y - sigma w)."""
    for _ in range(t):
        w = w + eta * 2 * sigma * (y - sigma * w)
    return w


@scalar.item(1, "For any sigma, y, rate and start, t explicit steps arrive at the same weight.")
def many_settings(exam, gd_scalar, max_lr_scalar, steps_to_tol):
    for _ in range(8):
        sigma, y, w0 = (float(v) for v in exam.rng.uniform(0.5, 3, 3) * exam.rng.choice([-1, 1], 3))
        eta, t = float(exam.rng.uniform(0.05, 1.1)) / sigma**2, int(exam.rng.integers(0, 12))
        exam.same(gd_scalar(sigma, y, eta, w0, t), descend(sigma, y, eta, w0, t), rtol=1e-8)


@scalar.item(1, "With 0.99 times the bound the descent converges, with 1.01 times it diverges.")
def sharp(exam, gd_scalar, max_lr_scalar, steps_to_tol):
    for sigma in exam.rng.uniform(0.2, 5, 3):
        bound = float(max_lr_scalar(float(sigma)))
        errors = [abs(1 - 2 * share * bound * sigma**2) ** 1000 for share in (0.99, 1.01)]
        exam.true(errors[0] < 1e-6, "0.99 times your bound does not converge")
        exam.true(errors[1] > 1e6, "1.01 times your bound does not diverge")


@scalar.item(1, "It must be the first step at which the error is below eps, counted step by step.")
def the_first_step(exam, gd_scalar, max_lr_scalar, steps_to_tol):
    for _ in range(10):
        sigma, share = float(exam.rng.uniform(0.3, 3)), float(exam.rng.uniform(0.03, 0.97))
        eps, eta = float(10 ** exam.rng.uniform(-5, -0.3)), share / sigma**2
        error, steps = 1.0, 0
        while error >= eps:
            error, steps = error * abs(1 - 2 * eta * sigma**2), steps + 1
        exam.same(steps_to_tol(sigma, eta, eps), steps)
    factor, steps = 1 - 2e-6, int(exam.rng.integers(1_100_000, 1_500_000))
    eps = factor ** (steps - 0.5)  # half a step away from where rounding could decide
    exam.same(steps_to_tol(1.0, 1e-6, eps), steps)


scalar.mistakes_of(gd_scalar={
    "sign_of_sigma": (
        "A negative sigma has a best weight of the other sign: y / sigma, not y / |sigma|.",
        lambda sigma, y, eta, w0, t: (
            y / abs(sigma) + (1 - 2 * eta * sigma**2) ** t * (w0 - y / abs(sigma)))),
    "slope_of_the_start": (
        "Every step takes the slope at the start here; take it anew where the weight has come to.",
        lambda sigma, y, eta, w0, t: w0 + t * 2 * eta * sigma * (y - sigma * w0)),
    "exponent_missing": (
        "Every step multiplies the error by the same factor: after t steps it stands there t "
        "times.",
        lambda sigma, y, eta, w0, t: y / sigma + (1 - 2 * eta * sigma**2) * (w0 - y / sigma)),
    "no_factor_2": (
        "The derivative of a square brings down a factor 2.",
        lambda sigma, y, eta, w0, t: y / sigma + (1 - eta * sigma**2) ** t * (w0 - y / sigma)),
    "sigma_once": (
        "sigma enters the gradient twice: once through the residual, once through its derivative.",
        lambda sigma, y, eta, w0, t: y / sigma + (1 - 2 * eta * sigma) ** t * (w0 - y / sigma)),
    "size_of_the_factor": (
        "A factor below 0 changes the sign of the error at every step: after an odd number of "
        "steps the weight is beyond the minimum. Only its size is taken here.",
        lambda sigma, y, eta, w0, t: (
            y / sigma + abs(1 - 2 * eta * sigma**2) ** t * (w0 - y / sigma))),
    "from_zero": ("The descent starts at w0, not at 0.",
                  lambda sigma, y, eta, w0, t: y / sigma * (1 - (1 - 2 * eta * sigma**2) ** t)),
    "limit_y": ("The best weight solves sigma w = y; it is not y itself.",
                lambda sigma, y, eta, w0, t: y + (1 - 2 * eta * sigma**2) ** t * (w0 - y)),
    "error_only": ("This is the distance to the best weight; add the best weight.",
                   lambda sigma, y, eta, w0, t: (1 - 2 * eta * sigma**2) ** t * (w0 - y / sigma)),
    "one_step_more": ("t = 0 must return w0: this takes one step too many.",
                      lambda sigma, y, eta, w0, t: reference.gd_scalar(sigma, y, eta, w0, t + 1)),
    "uphill": ("Gradient descent steps against the gradient, not along it.",
               lambda sigma, y, eta, w0, t: reference.gd_scalar(sigma, y, -eta, w0, t)),
})
scalar.mistakes_of(max_lr_scalar={
    "max_1_over_sigma": ("The factor of a step holds sigma squared, so the bound does.",
                         lambda sigma: 1 / abs(sigma)),
    "max_1_over_sigma_signed": ("The factor of a step holds sigma squared, so the bound does, "
                                "and is positive for a negative sigma too.",
                                lambda sigma: 1 / sigma),
    "half_bound": ("From here on the weight overshoots, yet the error still shrinks: the bound is "
                   "where the factor reaches -1.",
                   lambda sigma: 0.5 / sigma**2),
    "bound_without_2": ("With a loss without the factor 1/2 the gradient has a factor 2, and the "
                        "bound is half as large.",
                        lambda sigma: 2 / sigma**2),
})
scalar.mistakes_of(steps_to_tol={
    "negative_never": (
        "A negative factor means that the weight overshoots, not that it diverges: only its size "
        "counts.",
        lambda sigma, eta, eps: (
            math.inf if 2 * eta * sigma**2 > 1 else reference.steps_to_tol(sigma, eta, eps))),
    "one_too_many": ("One step earlier the error is below eps already.",
                     lambda sigma, eta, eps: reference.steps_to_tol(sigma, eta, eps) + 1),
    "loss_instead": ("This counts until the loss, the square of the error, is below eps; the error "
                     "itself takes twice as long.",
                     lambda sigma, eta, eps: reference.steps_to_tol(sigma, eta, eps**0.5)),
    "steps_without_2": ("The factor of a step holds a 2 from the derivative.",
                        lambda sigma, eta, eps: reference.steps_to_tol(sigma, eta / 2, eps)),
    "gives_up": ("The descent arrives, however slow it is: this stops counting and calls it never.",
                 lambda sigma, eta, eps: (
                     steps if (steps := reference.steps_to_tol(sigma, eta, eps)) <= 1000
                     else math.inf)),
    "gives_up_later": (
        "The descent arrives, however slow it is: this stops counting and calls it never.",
        lambda sigma, eta, eps: (
            steps if (steps := reference.steps_to_tol(sigma, eta, eps)) <= 10_000 else math.inf)),
    "capped": ("The descent arrives later than this: the count ends at a cap.",
               lambda sigma, eta, eps: (
                   min(steps, 1000) if math.isfinite(
                       steps := reference.steps_to_tol(sigma, eta, eps)) else steps)),
    "zero_factor": ("If one step lands on the minimum the answer is one step, not none.",
                    lambda sigma, eta, eps: (
                        0 if 2 * eta * sigma**2 == 1 else reference.steps_to_tol(sigma, eta, eps))),
    "steps_sigma_once": ("The factor of a step holds sigma squared.",
                         lambda sigma, eta, eps: reference.steps_to_tol(1.0, eta * sigma, eps)),
})


@scalar.mistake("no_abs", "The factor of a step may be negative, and a negative number has no "
                "logarithm: what counts is its size.")
def steps_to_tol(sigma, eta, eps):
    factor = 1 - 2 * eta * sigma**2
    if factor == 0:
        return 1
    if abs(factor) >= 1:
        return math.inf
    with np.errstate(invalid="ignore"):
        return float(np.floor(np.log(eps) / np.log(factor)) + 1)


@scalar.mistake("floor", "Rounded down, the error is not yet below eps.")
def steps_to_tol(sigma, eta, eps):
    steps = reference.steps_to_tol(sigma, eta, eps)
    return steps - 1 if steps > 1 else steps


@scalar.mistake("log10", "Both logarithms must have the same base.")
def steps_to_tol(sigma, eta, eps):
    factor = abs(1 - 2 * eta * sigma**2)
    if factor >= 1 or factor == 0:
        return reference.steps_to_tol(sigma, eta, eps)
    return math.floor(math.log10(eps) / math.log(factor)) + 1


@scalar.mistake("never_is_zero", "If the error never falls below eps the answer is infinity, not "
                "a number that the formula happens to give.")
def steps_to_tol(sigma, eta, eps):
    factor = abs(1 - 2 * eta * sigma**2)
    if factor == 0:
        return 1
    return 0 if factor >= 1 else reference.steps_to_tol(sigma, eta, eps)


@scalar.mistake("never_is_negative", "If the error never falls below eps the answer is infinity, "
                "not a number that the formula happens to give.")
def steps_to_tol(sigma, eta, eps):
    factor = abs(1 - 2 * eta * sigma**2)
    if factor > 1:
        return math.ceil(math.log(eps) / math.log(factor))
    return reference.steps_to_tol(sigma, eta, eps)


@scalar.variant("a loop of gradient steps")
def gd_scalar(sigma, y, eta, w0, t):
    return descend(sigma, y, eta, w0, t)


@scalar.variant("counted step by step")
def steps_to_tol(sigma, eta, eps):
    factor = abs(1 - 2 * eta * sigma**2)
    if factor >= 1:
        return float("inf")
    steps, error = 0, 1.0
    while error >= eps:
        steps, error = steps + 1, error * factor
    return steps


@scalar.variant("rounded up, in numpy")
def steps_to_tol(sigma, eta, eps):
    factor = np.abs(1 - 2 * eta * sigma**2)
    if factor >= 1:
        return np.inf
    return np.ceil(np.log(eps) / np.log(factor)) if factor else 1
