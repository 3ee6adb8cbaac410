"""What sections 7 and 8 state about coordinate checks, and the hunt."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


@functools.cache
def exponents(notebook, seed, rule, alone=None):
    """Of the four layers; of layers that do not move nan. rule: a colleague or `one_rate`."""
    table = notebook.one_rate if rule == "one rate" else notebook.of_colleague(rule)
    changes = notebook.checked(table, alone, seed=seed)
    return [notebook.coord_exponent(notebook.CHECKED, layer) if layer.all() else np.nan
            for layer in changes.T]


def verdict(found, tol=0.2):
    """The first layer whose exponent is beyond the tolerance."""
    return next((layer for layer, one in enumerate(found) if abs(one) > tol), None)


@claim(seeds=1)
def coordinates_by_hand(notebook, seed):
    one = np.ones((1, 1))
    found = notebook.coord_check([one, one], [0.1, 0.1], one, 0 * one, 1)
    return near(np.abs(found - [0.1, 0.19]).max(), 0, within=1e-9)


@claim(seeds=1)
def doubling_by_hand(notebook, seed):
    return near(notebook.coord_exponent([64, 128, 256], [0.1, 0.2, 0.4]), 1, within=1e-9)


@claim()
def three_layers_explode(notebook, seed):
    found = exponents(notebook, seed, "one rate")
    return below(abs(found[0]), 0.2), above(min(found[1:]), 0.45), below(max(found[1:]), 0.95)


@claim()
def rates_over_fan_in(notebook, seed):
    found = exponents(notebook, seed, "C")
    return below(max(found), 0.05), above(min(found), -0.2)


@cause(control="layer 1 alone in training")
def held_down_by_others(notebook, seed):
    return (near(exponents(notebook, seed, "one rate")[1], 0.6, within=0.1),
            near(exponents(notebook, seed, "one rate", 1)[1], 0.9, within=0.1))


@cause(control="rates a hundred times smaller")
def large_steps_bend(notebook, seed):
    changes = notebook.checked(lambda width: notebook.one_rate(width, 0.3), 1, seed=seed)
    bent = notebook.coord_exponent(notebook.CHECKED, changes[:, 1])
    return (near(bent, 0.65, within=0.1),
            near(exponents(notebook, seed, "one rate", 1)[1], 0.9, within=0.1))


@claim()
def found_by_the_check(notebook, seed):
    named = [verdict(exponents(notebook, seed, name)) for name in "ABCDE"]
    return holds(named == [3, 0, None, 1, None])


@claim()
def hidden_fault(notebook, seed):
    return (below(abs(exponents(notebook, seed, "E")[2]), 0.2),
            near(exponents(notebook, seed, "E", 2)[2], 0.45, within=0.1))


@claim()
def start_against_rate(notebook, seed):
    return (below(abs(exponents(notebook, seed, "A", 3)[3]), 0.2),
            above(exponents(notebook, seed, "A", 2)[3], 0.2))
