"""The coordinate check: does what a network learns depend on its width?"""

import numpy as np


def layers(weights, x):
    """Outputs of every layer, the inputs first: ReLU everywhere but in the last layer.

    weights: matrices (d_out, d_in); x (examples, inputs). Returns a list of (examples, d_out)
    """
    hidden = [x]
    for weight in weights[:-1]:
        hidden.append(np.maximum(hidden[-1] @ weight.T, 0))
    return [*hidden, hidden[-1] @ weights[-1].T]


def gradients(weights, x, targets):
    """Of half the squared error, summed over all examples: a matrix for each of the weights."""
    hidden = layers(weights, x)
    delta, found = hidden[-1] - targets, []  # delta: gradient by the output of a layer
    for weight, below in zip(reversed(weights), reversed(hidden[:-1]), strict=True):
        found.append(delta.T @ below)
        delta = (delta @ weight) * (below > 0)
    return found[::-1]


def coord_check(weights, rates, x, targets, steps=3):
    """RMS change of every layer's outputs after some steps of sign descent.

    weights: L matrices (d_out, d_in), rates: L numbers, another number raises ValueError
    x (examples, inputs), targets (examples, outputs). Returns (L,)
    """
    if len(rates) != len(weights):
        raise ValueError("a rate for every layer")
    before, moved = layers(weights, x), list(weights)
    for _ in range(steps):
        moved = [weight - rate * np.sign(gradient) for weight, rate, gradient
                 in zip(moved, rates, gradients(moved, x, targets), strict=True)]
    return np.array([np.sqrt(np.mean((new - old) ** 2))
                     for new, old in zip(layers(moved, x)[1:], before[1:], strict=True)])
