"""What section 7 states about the trained layer."""

import functools

import numpy as np

from viva_course.claiming import above, below, claim, near


@functools.cache
def _trained(notebook, kind, seed):
    return notebook.train_layer(getattr(notebook, kind), seed=seed)


@functools.cache
def _errors(notebook, kind, n, seed):
    p, A = _trained(notebook, kind, seed)
    return notebook.task_errors(p, A, getattr(notebook, kind), n, seed=1000 + seed)


@claim()
def layer_is_a_gradient_step(notebook, seed):
    p, A = _trained(notebook, "EQUAL", seed)
    rates = np.diag(p[-1] * A)
    rest = p[-1] * A - np.eye(9, 8) * rates
    return (below(np.abs(p[:-1]).max() / abs(p[-1]), 0.05), below(np.abs(rest).max(), 0.07),
            below(np.abs(rates - 0.64).max(), 0.05), near(rates.mean(), 0.64, within=0.02))


@claim(seeds=1)
def rate_of_theory(notebook, seed):
    return near(1 / (1 + (8 + 1 + 0.25 * 8) / 20), 0.65, within=0.006)


@claim()
def same_error_as_a_step(notebook, seed):
    found = _errors(notebook, "EQUAL", 20, seed)
    return near(found["trained layer"] - found["one gradient step"], 0, within=0.01)


@claim()
def layer_preconditions(notebook, seed):
    p, A = _trained(notebook, "UNEQUAL", seed)
    rates, found = np.diag(p[-1] * A), _errors(notebook, "UNEQUAL", 20, seed)
    rest = np.abs(p[-1] * A - np.eye(9, 8) * rates).max()
    return (near(rates.max() / rates[0], 6.5, within=1.5), below(rest, 0.3),
            above(found["one gradient step"] - found["trained layer"], 0.03))


@claim()
def bold_with_five(notebook, seed):
    found = _errors(notebook, "UNEQUAL", 5, seed)
    return above(found["trained layer"] - found["one gradient step"], 0)


@claim()
def ridge_beats_trained(notebook, seed):
    return tuple(above(found["trained layer"] / found["ridge attention"], 1.1)
                 for kind in ("EQUAL", "UNEQUAL") for n in (5, 20, 80)
                 for found in [_errors(notebook, kind, n, seed)])


@claim()
def layer_does_not_grow(notebook, seed):
    found = _errors(notebook, "EQUAL", 80, seed)
    return (near(found["trained layer"], 0.43, within=0.05),
            near(found["ridge attention"], 0.27, within=0.03))


@claim(seeds=1)
def stuck_starts(notebook, seed):
    found = [notebook.task_errors(*notebook.train_layer(notebook.UNEQUAL, start=0.0, steps=800,
                                                        seed=each),
                                  notebook.UNEQUAL, 20)["trained layer"] for each in range(2)]
    return below(found[0], 0.6), above(found[1], 0.75)
