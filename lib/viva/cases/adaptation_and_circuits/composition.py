"""Cases of composition_scores."""

import numpy as np

from viva.case import case


@case("composition_scores")
def compositions(rng, composition_scores):
    """three random circuits of width five"""
    return [float(each) for each in composition_scores(*rng.normal(size=(3, 5, 5)))]


@case("composition_scores")
def compositions_of_low_rank(rng, composition_scores):
    """circuits of rank two in a stream of width six, of different sizes"""
    circuits = [size * rng.normal(size=(6, 2)) @ rng.normal(size=(2, 6)) for size in (3, 0.1, 7)]
    return [float(each) for each in composition_scores(*circuits)]


@case("composition_scores")
def compositions_by_hand(rng, composition_scores):
    """the example of the text: only keys and values read what was written"""
    e = np.eye(4)
    return [float(each) for each in composition_scores(
        np.outer(e[0], e[1]), np.outer(e[3], e[1]), np.outer(e[1], e[2]))]


@case("composition_scores")
def compositions_of_tiny_circuits(rng, composition_scores):
    """circuits of numbers around a thousandth: the scores do not depend on sizes"""
    return [float(each) for each in composition_scores(*1e-3 * rng.normal(size=(3, 4, 4)))]
