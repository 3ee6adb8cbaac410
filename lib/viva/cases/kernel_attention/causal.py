"""Cases of causal_linear_attention."""
from viva.case import case, rule


def _features(rng, *shape):
    return rng.uniform(0.1, 1, shape)


@case("causal_linear_attention")
def seven_tokens(rng, causal_linear_attention):
    """seven tokens, three positive features"""
    phiQ, phiK = _features(rng, 7, 3), _features(rng, 7, 3)
    return causal_linear_attention(phiQ, phiK, rng.normal(size=(7, 2)))


@case("causal_linear_attention")
def first_and_last_row(rng, causal_linear_attention):
    """the first row sees the first token only, the last row sees all"""
    phiQ, phiK, V = _features(rng, 5, 4), _features(rng, 5, 4), rng.normal(size=(5, 3))
    out = causal_linear_attention(phiQ, phiK, V)
    return {"first": out[0], "last": out[-1]}


@rule("causal_linear_attention")
def batch(rng, causal_linear_attention):
    """two axes of a batch: each sequence starts anew"""
    phiQ, phiK = _features(rng, 2, 3, 5, 4), _features(rng, 2, 3, 5, 4)
    return causal_linear_attention(phiQ, phiK, rng.normal(size=(2, 3, 5, 2)))


@rule("causal_linear_attention")
def whole_numbers(rng, causal_linear_attention):
    """arrays of integers have real averages"""
    return causal_linear_attention(*(rng.integers(1, 5, size=(4, n)) for n in (3, 3, 2)))
