"""The coordinate check in parts: what the mistakes of `coord_check` share."""

import numpy as np

from viva_course.reference.width_scaling.coordinates import gradients, layers


def step(weights, rates, x, targets, steps, move=None, size=None, find=gradients, see=layers,
           late=False):
    """The check, with places to go wrong: the step of a layer, the size of a change, the gradients
    and the forward pass."""
    if len(rates) != len(weights):
        raise ValueError
    move = move or (lambda weight, rate, gradient: weight - rate * np.sign(gradient))
    size = size or (lambda new, old: np.sqrt(np.mean((new - old) ** 2)))
    before, moved = see(weights, x), list(weights)
    for _ in range(steps):
        before = see(moved, x) if late else before
        moved = [move(*each) for each in zip(moved, rates, find(moved, x, targets), strict=True)]
    return np.array([size(new, old) for new, old in
                     zip(see(moved, x)[1:], before[1:], strict=True)])


def backward(weights, x, targets, see=layers, mask=lambda out: out > 0, error=None):
    """Gradients with another mask, error or forward pass."""
    hidden = see(weights, x)
    delta, found = (error or (lambda y, t: y - t))(hidden[-1], targets), []
    for weight, below in zip(reversed(weights), reversed(hidden[:-1]), strict=True):
        found.append(delta.T @ below)
        delta = (delta @ weight) * mask(below)
    return found[::-1]


def linear(weights, x):
    hidden = [x]
    for weight in weights:
        hidden.append(hidden[-1] @ weight.T)
    return hidden


def relu_last(weights, x):
    *hidden, last = layers(weights, x)
    return [*hidden, np.maximum(last, 0)]


def gained(weights, x):
    hidden = [x]
    for weight in weights[:-1]:
        hidden.append(np.sqrt(2) * np.maximum(hidden[-1] @ weight.T, 0))
    return [*hidden, hidden[-1] @ weights[-1].T]


def before_relu(weights, x):
    hidden = layers(weights, x)
    return [x, *(below @ weight.T for below, weight in zip(hidden, weights, strict=False))]


def changed(**how):
    return lambda weights, rates, x, targets, steps=3: step(weights, rates, x, targets, steps,
                                                              **how)


def signs_of_examples(weights, x, targets):
    """The signs of each example's own gradient, averaged."""
    parts = [gradients(weights, one[None], target[None])
             for one, target in zip(x, targets, strict=True)]
    return [np.mean(np.sign(layer), axis=0) for layer in zip(*parts, strict=True)]


def path(weights, rates, x, targets, steps=3):
    """The changes of all steps, added up."""
    found = [step(weights, rates, x, targets, count + 1, late=True) for count in range(steps)]
    return np.sum([np.zeros(len(weights)), *found], axis=0)
