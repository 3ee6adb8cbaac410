"""Cases of hard_attention and soft_attention. Tensors are float64 unless a case says otherwise."""

import numpy as np
import torch

from viva.case import case

QUERY = torch.tensor([1.0, 1, 2], dtype=torch.float64)
KEYS = torch.tensor([[1.0, 2, 0], [0, 3, 4], [5, 0, 0], [0, 0, 1]], dtype=torch.float64)
VALUES = torch.tensor([[2.0, 0, 1], [1, 4, 3], [0, -1, 4], [1, 0, -1]], dtype=torch.float64)


def tensors(rng, n, d, e, dtype=torch.float64):
    """A query (d,), keys (n, d) and values (n, e)."""
    return [torch.tensor(rng.normal(size=shape), dtype=dtype) for shape in ((d,), (n, d), (n, e))]


def gradients(attention, q, K, V, g, *options):
    """Of g . output, with respect to q, K and V; zeros where nothing flows back."""
    leaves = [each.clone().requires_grad_() for each in (q, K, V)]
    out = attention(*leaves, *options)
    if getattr(out, "requires_grad", False):
        (out * g).sum().backward()
    return [torch.zeros_like(x) if x.grad is None else x.grad.detach() for x in leaves]


@case("hard_attention")
def four_keys(rng, hard_attention):
    """the worked example: scores 3, 11, 5, 2, output (1, 4, 3)"""
    return hard_attention(QUERY, KEYS, VALUES)


@case("hard_attention")
def as_many_values_as_features(rng, hard_attention):
    """five random choices among six keys, d = e = 4"""
    return [hard_attention(*tensors(rng, 6, 4, 4)) for _ in range(5)]


@case("hard_attention")
def long_and_short_keys(rng, hard_attention):
    """five choices among keys of very different lengths, d = 3, e = 2"""
    answers = []
    for _ in range(5):
        q, K, V = tensors(rng, 5, 3, 2)
        answers.append(hard_attention(q, K * torch.tensor([[0.1], [3], [1], [0.3], [2]]), V))
    return answers


@case("hard_attention")
def ties(rng, hard_attention):
    """the second and the fourth key are equal and best"""
    q, K, V = tensors(rng, 5, 3, 2)
    K[1] = K[3] = 4 * q
    return hard_attention(q, K, V)


@case("hard_attention")
def rescaled_query(rng, hard_attention):
    """q, q / 1000 and 1000 q choose the same value"""
    q, K, V = tensors(rng, 6, 3, 4)
    return [hard_attention(factor * q, K, V) for factor in (1.0, 1e-3, 1e3)]


@case("hard_attention")
def gradients_of_hard(rng, hard_attention):
    """gradients of the hard output: none for q and K, one row for V"""
    return gradients(hard_attention, *tensors(rng, 5, 3, 2), torch.tensor(rng.normal(size=2)))


@case("hard_attention")
def four_keys_blended(rng, soft_attention):
    """the worked example at temperatures 1 and sqrt(3)"""
    return [soft_attention(QUERY, KEYS, VALUES), soft_attention(QUERY, KEYS, VALUES, 3**0.5)]


@case("hard_attention")
def temperatures(rng, soft_attention):
    """six keys, d = 4, e = 3, temperatures 0.4 and 2.5"""
    q, K, V = tensors(rng, 6, 4, 3)
    return [soft_attention(q, K, V, temp) for temp in (0.4, 2.5)]


@case("hard_attention", atol=1e-8)  # the next weight is exp(-6000), or 1/4 up to 1e-9
def cold_and_hot(rng, soft_attention):
    """temperature 0.001 gives (1, 4, 3), temperature 10^10 the mean of the values"""
    return [soft_attention(QUERY, KEYS, VALUES, temp) for temp in (1e-3, 1e10)]


@case("hard_attention")
def gradients_of_soft(rng, soft_attention):
    """gradients of the soft output for q, K and V, temperature 0.7"""
    g = torch.tensor(rng.normal(size=2))
    return gradients(soft_attention, *tensors(rng, 5, 3, 2), g, 0.7)


@case("hard_attention", rtol=1e-4, atol=1e-5)  # float32
def single_precision(rng, soft_attention):
    """float32 in, float32 out"""
    q, K, V = tensors(rng, 5, 3, 2, torch.float32)
    return soft_attention(q, K, V, float(np.round(rng.uniform(0.5, 2), 2)))
