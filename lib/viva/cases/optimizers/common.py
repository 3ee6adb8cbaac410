"""Run a step many times, and random matrices. An answer of another shape ends a run: fed back, it
could explode.

A path of a few steps is asked step by step, so that a step that writes into its arguments is seen.
Those that begin with `long_` run beside the student's code: many steps are then one question.
"""
import copy

import numpy as np

from viva.case import candidate_side


def same_shape(new, old):
    """`new`, if it has the shape of `old`. Raises ValueError otherwise."""
    if np.shape(new) != np.shape(old):
        raise ValueError(f"theta of shape {np.shape(old)} became {np.shape(new)} in one step")
    return new


def velocity_path(step, gradients, theta, v, *settings):
    """Lists of positions and velocities of step(theta, v, g, *settings) along the gradients."""
    thetas, vs = [], []
    for g in gradients:
        new, v = step(theta, v, g, *settings)
        theta = same_shape(new, theta)
        thetas.append(theta)
        vs.append(v)
    return thetas, vs


def state_path(step, gradients, theta, **settings):
    """List of positions, and the last state, of step(theta, g, state, **settings)."""
    state, thetas = {}, []
    for g in gradients:
        new, state = step(theta, g, state, **settings)
        theta = same_shape(new, theta)
        thetas.append(theta)
    return thetas, state


def _given_copies(step):
    """A step that is given copies: what it writes into them disturbs nothing here."""
    return lambda *args, **settings: step(*copy.deepcopy(args), **settings)


@candidate_side
def long_velocity_path(step, gradients, theta, v, *settings):
    return velocity_path(_given_copies(step), gradients, theta, v, *settings)


@candidate_side
def long_state_path(step, gradients, theta, **settings):
    return state_path(_given_copies(step), gradients, theta, **settings)


@candidate_side
def long_walk(step, theta, rows):
    """The last position of theta <- step(theta, *row) along the rows."""
    for row in rows:
        theta = same_shape(_given_copies(step)(theta, *row), theta)
    return theta


def path(step, gradients, theta, keep=10, **settings):
    """Every `keep`-th position and the last state."""
    run = long_state_path if len(gradients) > 10 else state_path
    thetas, state = run(step, gradients, theta, **settings)
    return {"theta": thetas[keep - 1::keep], "state": state}


def matrix(rng, m, n, low=0.3, high=3.0):
    """An (m, n) matrix with random singular vectors and singular values in [low, high]."""
    r = min(m, n)
    pair = np.zeros((2, max(m, n), r))  # rows of zeros change nothing; one call costs half of two
    pair[0, :m], pair[1, :n] = rng.normal(size=(m, r)), rng.normal(size=(n, r))
    U, V = np.linalg.qr(pair)[0]
    return (U[:m] * rng.uniform(low, high, r)) @ V[:n].T
