"""Steepest descent under a norm, Newton-Schulz, and Muon."""
import numpy as np

from viva.case import case, outcome

from .paths import same_shape


def matrix(rng, m, n, low=0.3, high=3.0):
    """An (m, n) matrix with random singular vectors and singular values in [low, high]."""
    r = min(m, n)
    pair = np.zeros((2, max(m, n), r))  # rows of zeros change nothing; one call costs half of two
    pair[0, :m], pair[1, :n] = rng.normal(size=(m, r)), rng.normal(size=(n, r))
    U, V = np.linalg.qr(pair)[0]
    return (U[:m] * rng.uniform(low, high, r)) @ V[:n].T


@case("steepest")
def by_hand(rng, steepest):
    """g = (3, -4), alpha = 2, the three vector norms"""
    g = np.array([3.0, -4.0])
    return {norm: steepest(g, norm, 2.0) for norm in ("l2", "linf", "l1")}


@case("steepest")
def diagonal(rng, steepest):
    """G = diag(3, 4), alpha = 2, the two matrix norms"""
    G = np.diag([3.0, 4.0])
    return {norm: steepest(G, norm, 2.0) for norm in ("frobenius", "spectral")}


@case("steepest")
def random_vector(rng, steepest):
    """a random vector of six, the three vector norms"""
    g, alpha = rng.normal(size=6), rng.uniform(0.2, 0.8)
    return [*(steepest(g, norm, alpha) for norm in ("l2", "linf", "l1")), steepest(g, "l2")]


@case("steepest")
def random_matrix(rng, steepest):
    """a random 3 x 5 matrix, the two matrix norms"""
    G, alpha = matrix(rng, 3, 5), rng.uniform(0.2, 0.8)
    return [steepest(G, norm, alpha) for norm in ("frobenius", "spectral")]


@case("steepest")
def unknown(rng, steepest):
    """an unknown norm raises ValueError"""
    return outcome(steepest, np.array([3.0, -4.0]), "l3", 2.0)


@case("newton_schulz", rtol=0, atol=1e-6)  # 30 steps leave 1e-12 at these singular values
def limit(rng, newton_schulz, ns_macs):
    """square, tall and wide: 30 steps reach U V^T"""
    return [newton_schulz(matrix(rng, m, n)) for m, n in ((4, 4), (6, 3), (3, 6))]


@case("newton_schulz")
def one_step(rng, newton_schulz, ns_macs):
    """one step and two steps of a 4 x 3 matrix"""
    G = matrix(rng, 4, 3)
    return [newton_schulz(G, steps=1), newton_schulz(G, steps=2)]


@case("newton_schulz")
def multiply_adds(rng, newton_schulz, ns_macs):
    """multiply-adds of one step, 1024 x 64 and 64 x 1024 and a random shape"""
    m, n = (int(k) for k in rng.integers(10, 2000, 2))
    return [ns_macs(1024, 64), ns_macs(64, 1024), ns_macs(m, n), ns_macs(n, m)]


# eps is added to the norm or guards it from below: both move the result by about 1e-7.
@case("muon_orthogonalize", rtol=1e-5, atol=1e-5)
def five_steps(rng, muon_orthogonalize):
    """five steps: singular values of a random 32 x 64 matrix"""
    X = muon_orthogonalize(rng.normal(size=(32, 64)))
    return {"shape": list(X.shape), "singular values": np.linalg.svd(X, compute_uv=False)}


@case("muon_orthogonalize", rtol=1e-5, atol=1e-5)
def small_matrices(rng, muon_orthogonalize):
    """a tall and a wide matrix, one step and five"""
    tall, wide = matrix(rng, 5, 3), matrix(rng, 3, 5)
    return [muon_orthogonalize(G, steps=n) for G in (tall, wide) for n in (1, 5)]


@case("muon_orthogonalize", rtol=1e-5, atol=1e-5)
def other_coefficients(rng, muon_orthogonalize):
    """three steps with random coefficients"""
    coeffs = tuple(rng.uniform([1.2, -1, 0.1], [1.6, -0.5, 0.3]))
    return muon_orthogonalize(matrix(rng, 3, 4), steps=3, coeffs=coeffs)


@case("muon_step", rtol=1e-6, atol=1e-6)  # the cubic iteration or an SVD: 1e-8 apart
def first_step(rng, muon_step):
    """the first step of a 6 x 4 matrix"""
    W, G = rng.normal(size=(6, 4)), 100 * matrix(rng, 6, 4)
    return muon_step(W, G, np.zeros((6, 4)), 0.1)


@case("muon_step", rtol=1e-6, atol=1e-6)
def three_steps(rng, muon_step):
    """three steps of a 3 x 5 matrix with momentum 0.7"""
    W, buf = rng.normal(size=(3, 5)), np.zeros((3, 5))
    for _ in range(3):
        new, buf = muon_step(W, matrix(rng, 3, 5), buf, 0.2, momentum=0.7)
        W = same_shape(new, W)
    return W, buf
