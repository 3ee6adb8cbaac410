"""Cases of kernel_attention and its similarities.

Default tolerance, here and in the sections below: float64 on small arrays, where only the order
of summation may differ.
"""
import numpy as np

from viva.case import case


def _tokens(rng):
    """Five queries and four keys of dimension 3, values of dimension 2."""
    return [rng.normal(size=shape) for shape in ((5, 3), (4, 3), (4, 2))]


@case("kernel_attention")
def softmax(rng, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    """five queries, four keys, softmax similarity"""
    return kernel_attention(*_tokens(rng), softmax_sim)


@case("kernel_attention")
def quadratic(rng, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    """five queries, five keys, quadratic similarity"""
    Q, K, V = (rng.normal(size=(5, n)) for n in (3, 3, 2))
    return kernel_attention(Q, K, V, poly2_sim)


@case("kernel_attention")
def similarity_matrices(rng, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    """the three similarity matrices, sigma2 = 0.7"""
    Q, K, _ = _tokens(rng)
    return {
        "softmax_sim": softmax_sim(Q, K),
        "poly2_sim": poly2_sim(Q, K),
        "gauss_sim": gauss_sim(Q, K, 0.7),
    }


@case("kernel_attention")
def constant_values(rng, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    """all values equal: the output is that value"""
    Q, K, _ = _tokens(rng)
    V = np.ones((4, 1)) * rng.normal(size=2)
    return [kernel_attention(Q, K, V, sim) for sim in (softmax_sim, poly2_sim)]
