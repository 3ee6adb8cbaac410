"""Nesterov momentum."""
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .common import UNCHANGED

nesterov = Exercise("nesterov_step", "(theta, v) after torch's form of the Nesterov step")
nesterov.values(1, "The values must be those of torch's Nesterov momentum.")


@nesterov.item(0.5, "mu = 0 is plain gradient descent; for mu > 0 the path must leave heavy "
               "ball's, from any velocity.")
def looks_ahead(exam, nesterov_step):
    theta, v, g = exam.rng.normal(size=(3, 2, 3))
    exam.same(nesterov_step(theta, v, g, 0.0, 0.1)[0], theta - 0.1 * g)
    expected = ref.nesterov_step(theta, v, g, 0.5, 0.1)
    exam.same(nesterov_step(theta, v, g, 0.5, 0.1), expected)


nesterov.unmodified(0.5, UNCHANGED)


HEAVY_BALL = "This is heavy ball: the step looks ahead by g + mu v, with the new v."


@nesterov.mistake("heavy_ball", HEAVY_BALL)
def nesterov_step(theta, v, g, mu, lr):
    v = mu * v + g
    return theta - lr * v, v


@nesterov.mistake("old_v", HEAVY_BALL)
def nesterov_step(theta, v, g, mu, lr):
    return theta - lr * (g + mu * v), mu * v + g


@nesterov.mistake("lookahead_returned", "v is returned as mu v + g; g + mu v with the new v is for "
                  "the step only.")
def nesterov_step(theta, v, g, mu, lr):
    ahead = g + mu * (mu * v + g)
    return theta - lr * ahead, ahead


@nesterov.mistake("no_g", "The gradient itself is missing in the step: lr (g + mu v).")
def nesterov_step(theta, v, g, mu, lr):
    v = mu * v + g
    return theta - lr * mu * v, v


@nesterov.mistake("double", "The velocity enters the step with the factor mu.")
def nesterov_step(theta, v, g, mu, lr):
    v = mu * v + g
    return theta - lr * (g + v), v


@nesterov.mistake("v_for_g", "The step is g + mu v; here mu v is added to the new v, which holds g "
                  "and the past already.")
def nesterov_step(theta, v, g, mu, lr):
    v = mu * v + g
    return theta - lr * (v + mu * v), v


@nesterov.mistake("lr_in_v", "In torch's form the rate stays outside v.")
def nesterov_step(theta, v, g, mu, lr):
    v = mu * v + lr * g
    return theta - (lr * g + mu * v), v


@nesterov.mistake("in_place", "The caller's arrays are overwritten: -= on an argument changes it.")
def nesterov_step(theta, v, g, mu, lr):
    v *= mu
    v += g
    theta -= lr * (g + mu * v)
    return theta, v


@nesterov.variant("expanded")
def nesterov_step(theta, v, g, mu, lr):
    return theta - lr * ((1 + mu) * g + mu**2 * v), g + mu * v
