"""A box that says only how good an answer was: four classes of points in eight dimensions.

A point belongs to class 1 if it lies in the ball around (1, .., 1) only, to class 2 if it lies in
the ball around (-1, .., -1) only, to class 3 if it lies in both, and else to class 0.
"""

import numpy as np

DIMENSION, HALF_WIDTH, SQUARED_RADIUS = 8, 2.2, 20.0


def draw_points(size, rng):
    """`size` points, uniform in a cube: (size, 8)."""
    return rng.uniform(-HALF_WIDTH, HALF_WIDTH, size=(size, DIMENSION))


def label(points):
    """The class of each point, (N,) integers 0 to 3: for supervised learning only."""
    points = np.asarray(points, float)
    near, far = (((points - centre) ** 2).sum(axis=-1) < SQUARED_RADIUS for centre in (1.0, -1.0))
    return near + 2 * far


def reward(points, actions):
    """What the box says to answers: 3 for the right class, -1 for a wrong one; (N,)."""
    return np.where(label(points) == np.asarray(actions), 3.0, -1.0)
