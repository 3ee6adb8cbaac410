"""What several exercises share."""
import numpy as np

from viva.cases.optimizers import paths

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
    exam.true(bool(np.abs(np.asarray(positions) - start).max() > 0), "nothing moved")
