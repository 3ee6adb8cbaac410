"""Run a step many times. An answer of another shape ends the run: fed back, it could explode."""
import numpy as np


def same_shape(new, old):
    """`new`, if it has the shape of `old`. Raises ValueError otherwise."""
    if np.shape(new) != np.shape(old):
        raise ValueError(f"theta of shape {np.shape(old)} became {np.shape(new)} in one step")
    return new


def velocity_path(step, gradients, theta, v):
    """Lists of positions and velocities of step(theta, v, g) along the gradients."""
    thetas, vs = [], []
    for g in gradients:
        new, v = step(theta, v, g)
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
