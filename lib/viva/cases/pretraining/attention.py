"""Cases of CausalSelfAttention, in float64."""

import numpy as np
import torch

from viva.case import candidate_side, case, outcome


def weights_of(rng, d):
    """Weights and biases of the four projections."""
    return {name: (rng.normal(size=(d, d)) / np.sqrt(d) * 2, rng.normal(size=d)) for name in "qkvo"}


@candidate_side
def fill(module, weights) -> None:
    """Write these weights and biases into the projections."""
    with torch.no_grad():
        for name, (weight, bias) in weights.items():
            getattr(module, name).weight.copy_(torch.tensor(weight))
            getattr(module, name).bias.copy_(torch.tensor(bias))


def attend(CausalSelfAttention, d, h, weights, x, gradient=None):
    """The output with these weights; with `gradient`, what flows back to x and to the weights."""
    module = CausalSelfAttention(d, h).double()
    if any(getattr(module, name).bias is None for name in "qkvo"):
        return "q, k, v or o has no bias"
    fill(module, weights)
    x = torch.tensor(x, requires_grad=True)
    out = module(x)
    if gradient is None:
        return out.detach().numpy()
    out.backward(torch.tensor(gradient))
    return [x.grad.numpy(), *(getattr(module, name).weight.grad.numpy() for name in "qkvo")]


@case("CausalSelfAttention")
def two_heads(rng, CausalSelfAttention):
    """d = 6, two heads, five tokens, a batch of two"""
    return attend(CausalSelfAttention, 6, 2, weights_of(rng, 6), rng.normal(size=(2, 5, 6)))


@case("CausalSelfAttention")
def three_heads(rng, CausalSelfAttention):
    """d = 12, three heads, four tokens"""
    return attend(CausalSelfAttention, 12, 3, weights_of(rng, 12), rng.normal(size=(1, 4, 12)))


@case("CausalSelfAttention")
def one_token(rng, CausalSelfAttention):
    """a single token attends to itself"""
    return attend(CausalSelfAttention, 4, 2, weights_of(rng, 4), rng.normal(size=(3, 1, 4)))


@case("CausalSelfAttention")
def a_long_text(rng, CausalSelfAttention):
    """150 tokens: the outputs of the last two"""
    found = attend(CausalSelfAttention, 4, 2, weights_of(rng, 4), rng.normal(size=(1, 150, 4)))
    return found if isinstance(found, str) else found[:, -2:]


@case("CausalSelfAttention")
def future_unseen(rng, CausalSelfAttention):
    """token 3 of 6 changes: which outputs change? From 3 on"""
    weights, x = weights_of(rng, 4), rng.normal(size=(1, 6, 4))
    other = x.copy()
    other[:, 3] = rng.normal(size=4)
    one, two = (attend(CausalSelfAttention, 4, 2, weights, each) for each in (x, other))
    if isinstance(one, str):
        return one
    return [bool(each) for each in np.abs(one - two).max(axis=(0, 2)) > 1e-9]


@case("CausalSelfAttention")
def no_division(rng, CausalSelfAttention):
    """7 features, 2 heads: ValueError (or a failed assert)"""
    works = attend(CausalSelfAttention, 6, 3, weights_of(rng, 6), rng.normal(size=(1, 2, 6)))
    refused = outcome(CausalSelfAttention, 7, 2) in ("ValueError", "AssertionError")
    return [list(np.shape(works)), refused]
