"""Cases of kernel_attention and its similarities.

Default tolerance, here and in the sections below: float64 on small arrays, where only the order
of summation may differ.
"""
import numpy as np

from viva.case import case, outcome, rule


def _tokens(rng):
    """Five queries and four keys of dimension 3, values of dimension 2."""
    return [rng.normal(size=shape) for shape in ((5, 3), (4, 3), (4, 2))]


@case("kernel_attention")
def softmax(rng, kernel_attention, softmax_sim):
    """five queries, four keys, softmax similarity"""
    return kernel_attention(*_tokens(rng), softmax_sim)


@case("kernel_attention")
def quadratic(rng, kernel_attention, poly2_sim):
    """five queries, five keys, quadratic similarity"""
    Q, K, V = (rng.normal(size=(5, n)) for n in (3, 3, 2))
    return kernel_attention(Q, K, V, poly2_sim)


@case("kernel_attention")
def similarity_matrices(rng, softmax_sim, poly2_sim, gauss_sim):
    """the three similarity matrices, sigma2 = 0.7"""
    Q, K, _ = _tokens(rng)
    return {
        "softmax_sim": softmax_sim(Q, K),
        "poly2_sim": poly2_sim(Q, K),
        "gauss_sim": gauss_sim(Q, K, 0.7),
    }


@case("kernel_attention")
def constant_values(rng, kernel_attention, softmax_sim, poly2_sim):
    """all values equal: the output is that value"""
    Q, K, _ = _tokens(rng)
    V = np.ones((4, 1)) * rng.normal(size=2)
    return [kernel_attention(Q, K, V, sim) for sim in (softmax_sim, poly2_sim)]


def _products(Q, K):
    """A similarity of either sign: q . k."""
    return Q @ K.swapaxes(-1, -2)


def _zero(Q, K):
    """A similarity that leaves the first query without any."""
    return np.ones((len(Q), len(K))) * (np.arange(len(Q)) > 0)[:, None]


@rule("kernel_attention")
def any_similarity(rng, kernel_attention):
    """a similarity of either sign, q . k, and one of 1e-12 everywhere"""
    Q, K, V = _tokens(rng)
    tiny = kernel_attention(Q, K, V, lambda Q, K: np.full((5, 4), 1e-12))
    return [kernel_attention(Q, K, V, _products), tiny]


@rule("kernel_attention")
def both_signs_accepted(rng, kernel_attention):
    """similarities of both signs, and of 1e-12, are not refused"""
    Q, K, V = _tokens(rng)
    tiny = np.full((5, 4), 1e-12)
    return {"both signs": outcome(kernel_attention, Q, K, V, _products),
            "all of them 1e-12": outcome(kernel_attention, Q, K, V, lambda Q, K: tiny)}


@rule("kernel_attention")
def causal(rng, kernel_attention):
    """causal=True: row i averages over the keys j <= i"""
    Q, K, V = (rng.normal(size=(5, n)) for n in (3, 3, 2))
    return kernel_attention(Q, K, V, lambda Q, K: np.exp(_products(Q, K)), causal=True)


@rule("kernel_attention")
def causal_other_lengths(rng, kernel_attention):
    """causal=True with 3 queries and 5 keys: row i still keeps j <= i"""
    Q, K, V = (rng.normal(size=shape) for shape in ((3, 3), (5, 3), (5, 2)))
    return kernel_attention(Q, K, V, lambda Q, K: np.exp(_products(Q, K)), causal=True)


@rule("kernel_attention")
def causal_fewer_keys(rng, kernel_attention):
    """causal=True with 5 queries and 3 keys: row i still keeps j <= i, the last rows all keys"""
    Q, K, V = (rng.normal(size=shape) for shape in ((5, 3), (3, 3), (3, 2)))
    return kernel_attention(Q, K, V, lambda Q, K: np.exp(_products(Q, K)), causal=True)


@rule("kernel_attention")
def batch(rng, kernel_attention):
    """two axes of a batch"""
    Q, K, V = (rng.normal(size=(2, 3, *shape)) for shape in ((5, 3), (4, 3), (4, 2)))
    return kernel_attention(Q, K, V, lambda Q, K: np.exp(_products(Q, K)))


@rule("kernel_attention")
def no_similarity(rng, kernel_attention):
    """a row of similarities that sums to zero: ValueError"""
    return outcome(kernel_attention, *_tokens(rng), _zero)


@rule("kernel_attention")
def softmax_similarity(rng, softmax_sim):
    """softmax_sim of a batch"""
    return softmax_sim(rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 4, 3)))


@rule("kernel_attention")
def quadratic_similarity(rng, poly2_sim):
    """poly2_sim of a batch"""
    return poly2_sim(rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 4, 3)))


@rule("kernel_attention")
def gaussian_similarity(rng, gauss_sim):
    """gauss_sim of a batch, sigma2 = 1.7; and of a point with itself"""
    Q = rng.normal(size=(2, 4, 3))
    return [gauss_sim(Q, rng.normal(size=(2, 4, 3)), 1.7), gauss_sim(Q, Q)]


@rule("kernel_attention")
def not_finite(rng, kernel_attention):
    """a row of similarities that overflows: ValueError"""
    return outcome(kernel_attention, *_tokens(rng), lambda Q, K: np.full((5, 4), np.inf))
