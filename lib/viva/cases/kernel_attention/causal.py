"""Cases of causal_linear_attention."""
from viva.case import case, rule
from viva.cases.kernel_attention.memory import size_word, with_peak


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


def _last_row_and_peak(rng, causal_linear_attention, N, C, M, megabytes, name):
    tokens = _features(rng, N, C), _features(rng, N, C), rng.normal(size=(N, M))
    out, peak = with_peak(causal_linear_attention, *tokens)
    return {"last row": out[-1], "less than 8 MB of memory": peak < 8,
            "the largest moment has": size_word(peak, megabytes, name)}


@rule("causal_linear_attention")
def never_N_x_N(rng, causal_linear_attention):
    """3000 tokens: the last row, and no array of N x N numbers (72 MB)"""
    return _last_row_and_peak(rng, causal_linear_attention, 3000, 4, 3, 72, "an N x N array")


@rule("causal_linear_attention")
def never_N_x_C_x_M(rng, causal_linear_attention):
    """200 tokens, C = M = 128: the last row, and no array of N x C x M numbers (26 MB)"""
    return _last_row_and_peak(rng, causal_linear_attention, 200, 128, 128, 26,
                              "an N x C x M array")
