"""Gradient descent for a loss that is a plain Python function: derivatives by differences.

Slow (one evaluation per parameter), and just right here: whatever the loss is made of, for example
a student's own functions, it can be trained without a line about derivatives.
"""

import numpy as np


def gradient(loss, theta, h=1e-6):
    """Forward differences of loss at theta (p,): (p,), right to about six digits."""
    here = loss(theta)
    return np.array([(loss(theta + step) - here) / h for step in h * np.eye(len(theta))])


def descend(loss, theta, rounds, rate=0.1):
    """Minimise loss by Adam from theta (p,), `rounds` an iterable such as range(100) or a bar.

    Returns (theta (p,), history: the loss before every step and after the last).
    """
    theta = np.array(theta, float)
    mean, square, history = np.zeros_like(theta), np.zeros_like(theta), [float(loss(theta))]
    for t, _ in enumerate(rounds, start=1):
        g = gradient(loss, theta)
        mean, square = 0.9 * mean + 0.1 * g, 0.99 * square + 0.01 * g**2
        theta = theta - rate * (mean / (1 - 0.9**t)) / (np.sqrt(square / (1 - 0.99**t)) + 1e-9)
        history.append(float(loss(theta)))
    return theta, history
