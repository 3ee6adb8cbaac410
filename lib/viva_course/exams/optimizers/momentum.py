"""Momentum in two costumes, the map between them, and Nesterov."""
import numpy as np

from viva.cases.optimizers.momentum import torch_sgd
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .common import UNCHANGED, velocity_path

steps = Exercise(
    "momentum_step",
    expects={
        "momentum_step": "(theta, v) after a step of classical momentum",
        "ema_step": "(theta, v) after a step along the running average",
    },
)
steps.values(1.5, "momentum_step must follow its formula, v included.", name="momentum_step",
             only=("classical_by_hand", "classical_path"))
steps.values(1.5, "ema_step must follow its formula, v included.", name="ema_step",
             only=("average_by_hand", "average_path"))


@steps.item(1, "Under a constant gradient g the step tends to -eps g / (1 - alpha) in the "
            "classical form, and to -delta g for the average.")
def constant_gradient(exam, momentum_step, ema_step):
    g, theta = exam.rng.normal(size=(2, 3))
    constant = [g] * 26  # 0.4^26 = 5e-11 is left of the start
    path = velocity_path(momentum_step, constant, theta, 0 * g, 0.4, 0.2)
    exam.same(path[-1] - path[-2], -0.2 / 0.6 * g, rtol=0, atol=1e-9)
    path = velocity_path(ema_step, constant, theta, 0 * g, 0.4, 0.2)
    exam.same(path[-1] - path[-2], -0.2 * g, rtol=0, atol=1e-9)


@steps.item(0.5, "Arrays of any shape, a velocity that is not zero at the start, and plain "
            "gradient descent for alpha = 0 and beta = 0.", name="any shape, any start")
def any_shape_any_start(exam, momentum_step, ema_step):
    for shape in ((4,), (2, 1, 3)):
        theta, v, g = exam.rng.normal(size=(3, *shape))
        for a in (0.9, 0.2, 0.0):
            exam.same(momentum_step(theta, v, g, a, 0.3), (theta - (a * v + 0.3 * g),
                                                           a * v + 0.3 * g))
            average = a * v + (1 - a) * g
            exam.same(ema_step(theta, v, g, a, 0.3), (theta - 0.3 * average, average))


steps.unmodified(0.5, UNCHANGED)


@steps.mistake("eps_outside", "The rate stands inside v here: v <- alpha v + eps g. Your path is "
               "right, but your v is larger by 1 / eps (torch's convention).")
def momentum_step(theta, v, g, alpha, eps):
    v = alpha * v + g
    return theta - eps * v, v


@steps.mistake("plus_sign", "The step goes uphill: v is subtracted from theta.")
def momentum_step(theta, v, g, alpha, eps):
    v = alpha * v + eps * g
    return theta + v, v


@steps.mistake("dampened", "The classical form has no factor 1 - alpha at the gradient.")
def momentum_step(theta, v, g, alpha, eps):
    v = alpha * v + (1 - alpha) * eps * g
    return theta - v, v


@steps.mistake("old_velocity", "theta moves by the new v, not by the one that was passed in.")
def momentum_step(theta, v, g, alpha, eps):
    return theta - v, alpha * v + eps * g


@steps.mistake("minus_in_v", "v itself adds eps g; the minus belongs to the step of theta.")
def momentum_step(theta, v, g, alpha, eps):
    v = alpha * v - eps * g
    return theta + v, v


@steps.mistake("in_place", "The caller's arrays are overwritten: -= on an argument changes it.")
def momentum_step(theta, v, g, alpha, eps):
    if isinstance(v, np.ndarray):
        v *= alpha
        v += eps * g
        theta -= v
        return theta, v
    return theta - alpha * v - eps * g, alpha * v + eps * g


@steps.mistake("swapped_result", "The order of the result is (theta, v).")
def momentum_step(theta, v, g, alpha, eps):
    v = alpha * v + eps * g
    return v, theta - v


@steps.mistake("ema_swapped_result", "The order of the result is (theta, v).")
def ema_step(theta, v, g, beta, delta):
    return ref.ema_step(theta, v, g, beta, delta)[::-1]


@steps.mistake("ema_no_1mb", "An average needs weights: the gradient enters with 1 - beta.")
def ema_step(theta, v, g, beta, delta):
    v = beta * v + g
    return theta - delta * v, v


@steps.mistake("ema_swapped", "beta belongs to the old v, 1 - beta to the new gradient.")
def ema_step(theta, v, g, beta, delta):
    v = (1 - beta) * v + beta * g
    return theta - delta * v, v


@steps.mistake("first_step_init", "v starts at zero: the first gradient too enters with 1 - beta.")
def ema_step(theta, v, g, beta, delta):
    v = g if np.all(np.equal(v, 0)) else beta * v + (1 - beta) * g
    return theta - delta * v, v


@steps.mistake("ema_old_velocity", "theta moves by the new v, not by the one that was passed in.")
def ema_step(theta, v, g, beta, delta):
    return theta - delta * v, beta * v + (1 - beta) * g


@steps.mistake("ema_delta_lost", "theta moves by delta v, not by v.")
def ema_step(theta, v, g, beta, delta):
    v = beta * v + (1 - beta) * g
    return theta - v, v


@steps.mistake("ema_delta_in_v", "v is the plain average; delta enters only where theta moves.")
def ema_step(theta, v, g, beta, delta):
    v = beta * v + delta * (1 - beta) * g
    return theta - v, v


@steps.variant("from the difference")
def ema_step(theta, v, g, beta, delta):
    v = v + (1 - beta) * (g - v)
    return theta - delta * v, v


@steps.variant("on copies")
def momentum_step(theta, v, g, alpha, eps):
    v = np.array(v, dtype=float)
    v *= alpha
    v += np.multiply(eps, g)
    return np.subtract(theta, v), v


maps = Exercise(
    "momentum_from_ema",
    expects={
        "momentum_from_ema": "(alpha, eps) whose path is that of (beta, delta)",
        "ema_from_momentum": "(beta, delta) whose path is that of (alpha, eps)",
    },
)
maps.values(2, "The classical form with your (alpha, eps) must move as the average does.",
            only=("one_pair", "same_trajectory"), name="there")
maps.values(1.5, "The way back must undo the way there.", only=("backwards", "there_and_back"),
            name="back")

PAIRS = [(beta, delta) for beta in (0.0, 0.5, 0.99) for delta in (2.0, 0.3, 1e-3)]


@maps.item(1.5, "The paths must agree for every beta and delta, not only for delta = 1.")
def every_rate_and_momentum(exam, momentum_from_ema, ema_from_momentum):
    gradients, theta = exam.rng.normal(size=(5, 2)), exam.rng.normal(size=2)
    for beta, delta in PAIRS:
        path = velocity_path(ref.ema_step, gradients, theta, 0 * theta, beta, delta)
        exam.same(torch_sgd(*momentum_from_ema(beta, delta), gradients, theta), path, 0, 1e-11)


@maps.item(1, "ema_from_momentum must reproduce torch's SGD with momentum.")
def back_from_every_pair(exam, momentum_from_ema, ema_from_momentum):
    gradients, theta = exam.rng.normal(size=(5, 2)), exam.rng.normal(size=2)
    for alpha, eps in ((0.0, 0.2), (0.3, 0.05), (0.9, 0.01)):
        beta, delta = ema_from_momentum(alpha, eps)
        path = velocity_path(ref.ema_step, gradients, theta, 0 * theta, beta, delta)
        exam.same(torch_sgd(alpha, eps, gradients, theta), path, 0, 1e-11)


maps.mistakes_of(momentum_from_ema={
    "alpha_delta_beta": ("v_{t-1} is the last step divided by -delta, so delta cancels: alpha has "
                         "no factor delta. The pair is right for delta = 1 only.",
                         lambda beta, delta: (delta * beta, delta * (1 - beta))),
    "eps_over": ("This is the way back: from the average to the classical form delta is multiplied "
                 "by 1 - beta.",
                 lambda beta, delta: (beta, delta / (1 - beta))),
    "one_minus": ("alpha is what the old velocity is multiplied by: beta.",
                  lambda beta, delta: (1 - beta, delta * beta)),
    "rate_kept": ("The gradient enters the average with 1 - beta: so does the rate.",
                  lambda beta, delta: (beta, delta)),
    "rate_lost": ("eps must grow with delta: twice the rate moves the weights twice as far.",
                  lambda beta, delta: (beta, 1 - beta)),
    "swapped_pair": ("The order of the result is (alpha, eps).",
                     lambda beta, delta: (delta * (1 - beta), beta)),
})
maps.mistakes_of(ema_from_momentum={
    "inverse_wrong": ("delta is eps divided by 1 - alpha.", lambda alpha, eps: (alpha, eps)),
    "inverse_times": ("This is the way there: back, eps is divided by 1 - alpha.",
                      lambda alpha, eps: (alpha, eps * (1 - alpha))),
    "inverse_swapped_pair": ("The order of the result is (beta, delta).",
                             lambda alpha, eps: (eps / (1 - alpha), alpha)),
    "inverse_alpha": ("beta equals alpha; only the rate changes.",
                      lambda alpha, eps: (1 - alpha, eps / alpha if alpha else eps)),
})


@maps.variant("as an array")
def momentum_from_ema(beta, delta):
    return [np.float64(beta), np.float64(delta - delta * beta)]
