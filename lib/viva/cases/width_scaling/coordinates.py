"""Cases of `coord_check`: small networks whose sizes all differ.

Sign descent forgives no other sign: networks are so small that no gradient comes near zero by
rounding, and the tolerance leaves room for that of another order of summation.
"""

import numpy as np

from viva.case import case, outcome


def network(rng, sizes, examples=9):
    """(weights, x, targets) with weights that keep the size of what passes through."""
    weights = [rng.normal(size=(b, a)) / np.sqrt(a) for a, b in zip(sizes, sizes[1:], strict=False)]
    return weights, rng.normal(size=(examples, sizes[0])), rng.normal(size=(examples, sizes[-1]))


def as_numbers(changes):
    """One number for each layer, as an array; a list will do as well."""
    return np.array([float(change) for change in changes])


@case("coord_check")
def by_hand(rng, coord_check):
    """two layers with one weight of 1, x = 1, target 0, rates 0.1, one step: 0.1 and 0.19"""
    one = np.ones((1, 1))
    return as_numbers(coord_check([one, one], [0.1, 0.1], one, 0 * one, steps=1))


@case("coord_check")
def one_step(rng, coord_check):
    """one step of a network 5-7-6-3 on nine examples, every layer with a rate of its own"""
    weights, x, targets = network(rng, (5, 7, 6, 3))
    return as_numbers(coord_check(weights, [0.03, 0.01, 0.02], x, targets, steps=1))


@case("coord_check")
def three_steps(rng, coord_check):
    """three steps, which is the default, of a network 4-6-5-7-2"""
    weights, x, targets = network(rng, (4, 6, 5, 7, 2))
    return as_numbers(coord_check(weights, [0.02, 0.03, 0.01, 0.04], x, targets))


@case("coord_check")
def last_layer_only(rng, coord_check):
    """rates 0, 0 and 0.05: the features stay, only the outputs move; two steps"""
    weights, x, targets = network(rng, (5, 8, 6, 3))
    return as_numbers(coord_check(weights, [0.0, 0.0, 0.05], x, targets, steps=2))


@case("coord_check")
def middle_layer_only(rng, coord_check):
    """rates 0, 0.05 and 0: the signs come through the last layer; two steps"""
    weights, x, targets = network(rng, (5, 8, 6, 3))
    return as_numbers(coord_check(weights, [0.0, 0.05, 0.0], x, targets, steps=2))


@case("coord_check")
def unit_that_is_off(rng, coord_check):
    """a unit that no example switches on has no gradient: sign 0, its weights stay"""
    weights, x, targets = network(rng, (4, 6, 5, 2))
    weights[0][2], x = -np.abs(weights[0][2]), np.abs(x)
    return as_numbers(coord_check(weights, [0.4, 0.1, 0.1], x, targets))


@case("coord_check")
def no_step(rng, coord_check):
    """steps = 0: zeros; a network of a single layer, one step"""
    weights, x, targets = network(rng, (5, 4, 3))
    single, inputs, wanted = network(rng, (6, 2))
    return [as_numbers(coord_check(weights, [0.1, 0.1], x, targets, steps=0)),
            as_numbers(coord_check(single, [0.1], inputs, wanted, steps=1))]


@case("coord_check")
def rates_missing(rng, coord_check):
    """two or four rates for three layers: ValueError; three: none"""
    weights, x, targets = network(rng, (5, 4, 6, 3))
    return [outcome(coord_check, weights, [0.1] * number, x, targets) for number in (2, 4, 3)]
