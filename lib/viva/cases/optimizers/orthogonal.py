"""Cases of Newton-Schulz and what a step costs."""
from viva.case import case, rule

from .common import matrix


@case("newton_schulz", rtol=0, atol=1e-6)  # 30 steps leave 1e-12 at these singular values
def limit(rng, newton_schulz):
    """square, tall and wide: 30 steps reach U V^T"""
    return [newton_schulz(matrix(rng, m, n)) for m, n in ((4, 4), (6, 3), (3, 6))]


@case("newton_schulz")
def one_step(rng, newton_schulz):
    """one step and two steps of a 4 x 3 matrix"""
    G = matrix(rng, 4, 3)
    return [newton_schulz(G, steps=1), newton_schulz(G, steps=2)]


@case("newton_schulz")
def multiply_adds(rng, ns_macs):
    """multiply-adds of one step, 1024 x 64 and 64 x 1024 and a random shape"""
    m, n = (int(k) for k in rng.integers(10, 2000, 2))
    return [ns_macs(1024, 64), ns_macs(64, 1024), ns_macs(m, n), ns_macs(n, m)]


@rule("newton_schulz", rtol=0, atol=1e-6)
def low_rank(rng, newton_schulz):
    """rank 2: singular values that are zero stay zero"""
    return newton_schulz(matrix(rng, 5, 2) @ matrix(rng, 2, 4))


@rule("newton_schulz", rtol=0, atol=1e-6)
def any_scale(rng, newton_schulz):
    """a matrix a million times as large, and as small"""
    G = matrix(rng, 3, 4)
    return [newton_schulz(1e6 * G), newton_schulz(1e-6 * G)]
