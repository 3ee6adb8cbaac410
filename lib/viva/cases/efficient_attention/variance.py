"""Cases of sm_var_positive, sm_var_trig and features_for_accuracy."""

import numpy as np

from viva.case import case, outcome

Q, K = np.array([1.5, 0.0]), np.array([-1.4, 0.1])  # nearly opposite: exp(q . k) = 0.122


@case("sm_var_positive")
def opposite(rng, sm_var_positive):
    """q = (1.5, 0), k = (-1.4, 0.1), m = 1: standard deviation 0.017405"""
    return float(np.sqrt(sm_var_positive(Q, K, 1)))


@case("sm_var_positive")
def exact_opposite(rng, sm_var_positive):
    """k = -q: positive features are exact"""
    q = rng.normal(size=3)
    return sm_var_positive(q, -q, 5)


@case("sm_var_positive")
def any_pair(rng, sm_var_positive):
    """two vectors in three dimensions, m = 7"""
    q, k = 0.6 * rng.normal(size=(2, 3))
    return sm_var_positive(q, k, 7)


@case("sm_var_positive")
def variance_of_lists(rng, sm_var_positive):
    """lists of integers, m = 2"""
    return sm_var_positive([1, 0, 1], [0, 1, -1], 2)


@case("sm_var_positive")
def opposite_trig(rng, sm_var_trig):
    """q = (1.5, 0), k = (-1.4, 0.1), m = 1: standard deviation 5.831102"""
    return float(np.sqrt(sm_var_trig(Q, K, 1)))


@case("sm_var_positive")
def equal(rng, sm_var_trig):
    """k = q: trigonometric features are exact"""
    q = rng.normal(size=3)
    return sm_var_trig(q, q, 5)


@case("sm_var_positive")
def any_pair_trig(rng, sm_var_trig):
    """two vectors in three dimensions, m = 7"""
    q, k = 0.6 * rng.normal(size=(2, 3))
    return sm_var_trig(q, k, 7)


@case("sm_var_positive")
def trig_of_lists(rng, sm_var_trig):
    """lists of integers, m = 2"""
    return sm_var_trig([1, 0, 1], [0, 1, -1], 2)


@case("features_for_accuracy", rtol=0, atol=0)
def ten_percent(rng, features_for_accuracy):
    """q = k = (0.5, 0), 10 percent: 172 positive features"""
    return features_for_accuracy(np.array([0.5, 0]), np.array([0.5, 0]), 0.1)


@case("features_for_accuracy", rtol=0, atol=0)
def ten_percent_trig(rng, features_for_accuracy):
    """q = -k = (1, 0), 10 percent: 2631 frequencies"""
    return features_for_accuracy(np.array([1.0, 0]), np.array([-1.0, 0]), 0.1, kind="trig")


@case("features_for_accuracy", rtol=0, atol=0)
def both_kinds(rng, features_for_accuracy):
    """a random pair, both kinds, an odd accuracy"""
    q, k = 0.7 * rng.normal(size=(2, 3))
    accuracy = float(rng.uniform(0.02, 0.05))
    return [features_for_accuracy(q, k, accuracy, kind) for kind in ("positive", "trig")]


@case("features_for_accuracy", rtol=0, atol=0)
def at_least_one(rng, features_for_accuracy):
    """q = -k: one feature is exact; an accuracy of 1000: one is enough"""
    q, k = rng.normal(size=(2, 3))
    return [features_for_accuracy(q, -q, 0.1), features_for_accuracy(q, 0.1 * k, 1000.0)]


@case("features_for_accuracy")
def a_whole_number(rng, features_for_accuracy):
    """the result is an int, so that range(m) works"""
    m = features_for_accuracy([0.5, 0.2], [0.5, 0.1], 0.2)
    return bool(isinstance(m, int | np.integer))


@case("features_for_accuracy")
def refused(rng, features_for_accuracy):
    """accuracies 0 and -0.1, and a kind nobody knows: ValueError"""
    q, k = 0.5 * rng.normal(size=(2, 3))
    requests = (0.0, "positive"), (-0.1, "positive"), (0.0, "trig"), (0.1, "cosine")
    return [outcome(features_for_accuracy, q, k, accuracy, kind) for accuracy, kind in requests]
