"""What several exercises share."""
import numpy as np

from viva.cases.optimizers import common as paths

UNCHANGED = "A step returns new arrays; the caller's arrays and dicts stay as they were."


def velocity_path(step, gradients, theta, v, *settings):
    """Positions (T, ...) of step(theta, v, g, *settings) along the gradients."""
    return np.array(paths.long_velocity_path(step, gradients, theta, v, *settings)[0])


def state_path(step, gradients, theta, **settings):
    """Positions (T, ...) and the last state of step(theta, g, state, **settings)."""
    thetas, state = paths.long_state_path(step, gradients, theta, **settings)
    return np.array(thetas), state


def moved(exam, positions, start):
    """A step that goes nowhere proves nothing about an invariance."""
    exam.true(np.abs(np.asarray(positions) - start).max() > 0, "nothing moved")


def moments(g, state, betas):
    """The new state of a right Adam, and its corrected averages m_hat and v_hat."""
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0.0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0.0) + (1 - betas[1]) * g**2
    return {"t": t, "m": m, "v": v}, m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
