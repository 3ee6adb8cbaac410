"""A hilly function of two variables, its gradient, and its staircase."""

import numpy as np


def landscape(x, y):
    """f(x, y) = sin(2.5 x - 5 y) + cos(4 x + 8 y) - (x - 2)^2 - (y - 2)^2, entry by entry."""
    return np.sin(2.5 * x - 5 * y) + np.cos(4 * x + 8 * y) - (x - 2) ** 2 - (y - 2) ** 2


def landscape_gradient(x, y):
    """(df/dx, df/dy), each of the shape of x and y."""
    wave, ripple = np.cos(2.5 * x - 5 * y), np.sin(4 * x + 8 * y)
    return (2.5 * wave - 4 * ripple - 2 * (x - 2), -5 * wave - 8 * ripple - 2 * (y - 2))


def staircase(x, y):
    """The landscape cut into steps of height 1; the highest step is 1."""
    return np.floor(landscape(x, y) / 4.5 + 0.64)
