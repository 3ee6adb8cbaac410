"""Cases of linformer_attention."""

import numpy as np

from viva.case import case
from viva.cases.efficient_attention.inputs import any_numbers, tokens


def projections(rng, k, n):
    """Two different projections (k, n) along the sequence."""
    return rng.normal(size=(2, k, n)) / np.sqrt(n)


@case("linformer_attention")
def identity(rng, linformer_attention):
    """E = F = I: softmax attention, scaled by sqrt(d)"""
    Q, K, V = tokens(rng, 4, 5)
    return linformer_attention(Q, K, V, np.eye(5), np.eye(5))


@case("linformer_attention")
def three_summaries(rng, linformer_attention):
    """five queries, seven keys, two summaries"""
    return linformer_attention(*tokens(rng, 5, 7), *projections(rng, 2, 7))


@case("linformer_attention")
def constant_values(rng, linformer_attention):
    """rows of F that add up to one keep constant values constant"""
    Q, K, _ = tokens(rng, 4, 6)
    E, F = projections(rng, 3, 6)
    F /= F.sum(axis=1, keepdims=True)
    return linformer_attention(Q, K, np.full((6, 2), 2.5), E, F)


@case("linformer_attention")
def of_a_batch(rng, linformer_attention):
    """a batch of three times two sequences, the same E and F for all"""
    return linformer_attention(*tokens(rng, 3, 2, 4, 5), *projections(rng, 3, 5))


@case("linformer_attention")
def large(rng, linformer_attention):
    """inputs of size 1000: nothing overflows"""
    return linformer_attention(*tokens(rng, 4, 5, scale=1000.0), *projections(rng, 3, 5))


@case("linformer_attention")
def of_lists(rng, linformer_attention):
    """lists, single precision and integers; then single precision alone: the result is float64"""
    shapes = (4, 3), (5, 3), (5, 2), (2, 5), (2, 5)
    mixed = any_numbers(rng, *shapes)
    singles = [np.asarray(x, np.float32) for x in mixed]
    return [linformer_attention(*mixed), linformer_attention(*singles)]
