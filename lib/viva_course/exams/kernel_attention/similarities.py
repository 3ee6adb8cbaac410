"""Exam of kernel_attention with its three similarities."""

import numpy as np

from viva_course.exams.kernel_attention.common import TIGHT
from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise

attention = Exercise(
    "kernel_attention",
    expects={
        "kernel_attention": "each row of V averaged with weights sim(q, k) / (their sum over keys)",
        "softmax_sim": "for each query and key a number whose logarithm is the scaled q . k",
        "poly2_sim": "a square for each query and key",
        "gauss_sim": "1 for equal vectors, less the farther they are apart",
    },
    survivors={
        "gauss_sim: gaps = Q[..., :, None, :] - K[..., None, :, :] -> "
        "gaps = K[..., None, :, :] - Q[..., :, None, :]": "the sign of a gap is squared away",
    },
)

attention.values(1.5, "The output must be the double loop of the formula.",
                 only=("softmax", "quadratic"))
attention.values(1, "Each similarity must be the matrix of its formula.",
                 only=("similarity_matrices",), name="similarities")
attention.values(0.5, "The weights of a row sum to one, so constant values come back unchanged.",
                 only=("constant_values",), name="weights sum to one")


@attention.item(1.5, "Row i averages over the keys j <= i, with its own normaliser.", name="causal")
def ask_causal(exam, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    Q, K, V = (exam.rng.normal(size=(6, n)) for n in (3, 3, 2))
    for sim, truth in ((softmax_sim, reference.softmax_sim), (poly2_sim, reference.poly2_sim)):
        got = kernel_attention(Q, K, V, sim, causal=True)
        exam.same(got, reference.kernel_attention(Q, K, V, truth, causal=True), **TIGHT)
        exam.same(got[0], V[0], **TIGHT)
        for Nq, Nk in ((6, 4), (4, 6)):
            got = kernel_attention(Q[:Nq], K[:Nk], V[:Nk], sim, causal=True)
            expected = reference.kernel_attention(Q[:Nq], K[:Nk], V[:Nk], truth, causal=True)
            exam.same(got, expected, **TIGHT)


@attention.item(1, "Leading axes are batches; queries and keys may differ in number.")
def batch_axes(exam, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    Q, K, V = (exam.rng.normal(size=(3, 2, *shape)) for shape in ((4, 3), (5, 3), (5, 2)))
    for sim, truth in ((softmax_sim, reference.softmax_sim), (poly2_sim, reference.poly2_sim),
                       (gauss_sim, reference.gauss_sim)):
        expected = reference.kernel_attention(Q, K, V, truth)
        exam.same(kernel_attention(Q, K, V, sim), expected, **TIGHT)


@attention.item(1, "exp(-|q - k|^2 / (2 sigma2)): one for equal vectors, symmetric.")
def gaussian(exam, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    X, Y = exam.rng.normal(size=(5, 3)), exam.rng.normal(size=(4, 3))
    gram = gauss_sim(X, X, 1.7)
    exam.same(gram, reference.gauss_sim(X, X, 1.7), **TIGHT)
    # 1e-7: expanding |q - k|^2 leaves 1e-15 |q|^2 in the exponent, its root nothing worse
    exam.same(np.diagonal(gram).copy(), np.ones(5), rtol=0, atol=1e-7)
    exam.same(gram, gram.T.copy(), **TIGHT)
    distances = np.sum((X[:, None] - Y) ** 2, axis=-1)
    exam.same(gauss_sim(X, Y, 0.4), np.exp(-distances / 0.8), **TIGHT)
    exam.same(gauss_sim(X, Y), np.exp(-distances / 2), **TIGHT)


@attention.item(1, "A row of similarities that sums to exactly 0, or is not finite, raises "
                "ValueError.")
def zero_normaliser(exam, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    one, V = np.array([[1.0]]), exam.rng.normal(size=(2, 3))
    exam.same(kernel_attention(one, one, V[:1], poly2_sim), V[:1], **TIGHT)
    exam.raises(ValueError, kernel_attention, one, -one, V[:1], poly2_sim)
    X = np.ones((2, 1))
    for row in ([2.0, -2.0], [1.0, np.inf], [np.nan, 1.0]):
        table = np.array([[1.0, 1.0], row])
        exam.raises(ValueError, kernel_attention, X, X, V, lambda Q, K, s=table: s)
    hidden = np.array([[0.0, 1.0], [1.0, 1.0]])
    exam.raises(ValueError, kernel_attention, X, X, V, lambda Q, K: hidden, causal=True)


@attention.item(1, "Similarities may be negative or tiny, as long as no row sums to zero.")
def any_sign_and_size(exam, kernel_attention, softmax_sim, poly2_sim, gauss_sim):
    X, V = np.ones((2, 1)), exam.rng.normal(size=(2, 3))
    table = np.array([[3.0, -1.0], [-1.0, -2.0]])
    got = kernel_attention(X, X, V, lambda Q, K: table)
    exam.same(got, table @ V / np.array([[2.0], [-3.0]]), **TIGHT)
    got = kernel_attention(X, X, V, lambda Q, K: 1e-30 * table)
    exam.same(got, table @ V / np.array([[2.0], [-3.0]]), **TIGHT)
    cancels = np.array([[1.0, -1.0], [1.0, 2.0]])  # only the masked entry makes row 0 vanish
    got = kernel_attention(X, X, V, lambda Q, K: cancels, causal=True)
    exam.same(got, np.stack([V[0], (V[0] + 2 * V[1]) / 3]), **TIGHT)


attention.unmodified(0.5, "Nothing may be written into Q, K or V.")


def _finish(weights, V):
    """The reference's way to end, for mistakes that lie elsewhere."""
    total = weights.sum(axis=-1, keepdims=True)
    if not np.all(np.isfinite(total)) or np.any(total == 0):
        raise ValueError("a row of similarities sums to zero")
    return weights @ V / total


@attention.mistake("causal_strict", "Causal means j <= i: a token also sees itself.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(Q, K)
    return _finish(np.tril(weights, -1) if causal else weights, V)


@attention.mistake("causal_denominator_full", "Mask the similarities before summing the normaliser "
                   "as well.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(Q, K)
    total = weights.sum(axis=-1, keepdims=True)
    if not np.all(np.isfinite(total)) or np.any(total == 0):
        raise ValueError("a row of similarities sums to zero")
    return (np.tril(weights) if causal else weights) @ V / total


@attention.mistake("causal_ignored", "The flag causal has no effect.")
def kernel_attention(Q, K, V, sim, causal=False):
    return _finish(sim(Q, K), V)


@attention.mistake("causal_aligned_at_the_end", "Causal keeps j <= i, counted from the first key, "
                   "also when queries and keys differ in number.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(Q, K)
    return _finish(np.tril(weights, len(K) - len(Q)) if causal else weights, V)


@attention.mistake("causal_square_only", "Queries and keys may differ in number: the mask has one "
                   "row per query and one column per key.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(Q, K)
    return _finish(weights * np.tri(Q.shape[-2]) if causal else weights, V)


@attention.mistake("causal_transposed", "The mask is upside down: rows are queries.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(Q, K)
    return _finish(np.triu(weights) if causal else weights, V)


def _shifted(weights, axis):
    return weights / weights.max(axis=axis, keepdims=True)


def _normalised(weights):
    return weights / weights.sum(axis=-1, keepdims=True)


attention.mistakes_of(softmax_sim={
    "softmax_D": ("Scale q . k by 1 / sqrt(D), not by 1 / D.",
                  lambda Q, K: np.exp(Q @ K.swapaxes(-1, -2) / Q.shape[-1])),
    "softmax_shifted": ("The similarities are returned as they are: subtract no maximum.",
                        lambda Q, K: _shifted(reference.softmax_sim(Q, K), axis=-1)),
    "softmax_shifted_by_all": ("The similarities are returned as they are: subtract no maximum.",
                               lambda Q, K: _shifted(reference.softmax_sim(Q, K), axis=None)),
    "softmax_normalised": ("The similarities are returned as they are: kernel_attention divides.",
                           lambda Q, K: _normalised(reference.softmax_sim(Q, K))),
    "softmax_unscaled": ("The scale 1 / sqrt(D) of q . k is missing.",
                         lambda Q, K: np.exp(Q @ K.swapaxes(-1, -2))),
})
attention.mistakes_of(poly2_sim={
    "poly_no_one": ("The quadratic similarity is (q . k + 1)^2; the one is missing.",
                    lambda Q, K: (Q @ K.swapaxes(-1, -2)) ** 2),
    "T_of_a_batch": (".T reverses all axes of a batch: swap the last two only.",
                     lambda Q, K: (Q @ K.T + 1) ** 2),
})
attention.mistakes_of(gauss_sim={
    "gauss_no_half": ("The exponent is |q - k|^2 / (2 sigma2): the 2 is missing.",
                      lambda Q, K, sigma2=1.0: reference.gauss_sim(Q, K, sigma2 / 2)),
    "gauss_sigma_squared": ("sigma2 is the variance already: do not square it.",
                            lambda Q, K, sigma2=1.0: reference.gauss_sim(Q, K, sigma2**2)),
})


@attention.mistake("gauss_distance", "The Gaussian needs the squared distance.")
def gauss_sim(Q, K, sigma2=1.0):
    return np.exp(-np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1) / 2 / sigma2)


@attention.mistake("abs_denominator", "Divide by the sum of the similarities, not of their "
                   "absolute values.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.tril(sim(Q, K)) if causal else sim(Q, K)
    total = np.abs(weights).sum(axis=-1, keepdims=True)
    if not np.all(np.isfinite(total)) or np.any(total == 0):
        raise ValueError("a row of similarities sums to zero")
    return weights @ V / total


@attention.mistake("nan_passes", "0 / 0 gives NaN: look at the row sums and raise ValueError.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.tril(sim(Q, K)) if causal else sim(Q, K)
    with np.errstate(all="ignore"):
        return weights @ V / weights.sum(axis=-1, keepdims=True)


@attention.mistake("infinity_passes", "A row whose sum is not finite must raise ValueError too.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.tril(sim(Q, K)) if causal else sim(Q, K)
    total = weights.sum(axis=-1, keepdims=True)
    if np.any(total == 0):
        raise ValueError("a row of similarities sums to zero")
    with np.errstate(all="ignore"):
        return weights @ V / total


@attention.mistake("requires_positive", "Similarities may be negative: positive ones are "
                   "sufficient, not necessary. Refuse only rows that sum to zero.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.tril(sim(Q, K)) if causal else sim(Q, K)
    if np.any(weights < 0):
        raise ValueError("similarities must be positive")
    return _finish(weights, V)


@attention.mistake("negatives_cut_off", "Negative similarities are set to 0: they count as they "
                   "are, with their sign.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.maximum(sim(Q, K), 0)
    return _finish(np.tril(weights) if causal else weights, V)


@attention.mistake("nearly_zero_refused", "Far keys have tiny similarities: refuse only a sum of "
                   "exactly zero.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.tril(sim(Q, K)) if causal else sim(Q, K)
    total = weights.sum(axis=-1, keepdims=True)
    if not np.all(np.isfinite(total)) or np.any(np.isclose(total, 0)):
        raise ValueError("a row of similarities sums to zero")
    return weights @ V / total


@attention.mistake("normalised_over_queries", "Each query's weights sum to one: sum over keys, the "
                   "last axis.")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.tril(sim(Q, K)) if causal else sim(Q, K)
    total = weights.sum(axis=-2, keepdims=True)
    if not np.all(np.isfinite(total)) or np.any(total == 0):
        raise ValueError("a row of similarities sums to zero")
    return (weights / total) @ V


@attention.mistake("transposed_sim", "Rows belong to queries and columns to keys: sim(Q, K).")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(K, Q)
    return _finish(np.tril(weights) if causal else weights, V)


@attention.mistake("in_place", "V belongs to the caller: work on a new array.")
def kernel_attention(Q, K, V, sim, causal=False):
    out = reference.kernel_attention(Q, K, V, sim, causal)
    V -= V.mean(axis=-2, keepdims=True)
    return out


@attention.variant("double loop")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.array(sim(Q, K), dtype=float)
    out = np.empty((*weights.shape[:-1], V.shape[-1]))
    for index in np.ndindex(*weights.shape[:-1]):
        keys = index[-1] + 1 if causal else weights.shape[-1]
        row = weights[index][:keys]
        if row.sum() == 0 or not np.isfinite(row.sum()):
            raise ValueError("zero row")
        out[index] = sum(w * v for w, v in zip(row, V[index[:-1]])) / row.sum()
    return out


@attention.variant("differences of all pairs")
def gauss_sim(Q, K, sigma2=1.0):
    gap = Q[..., :, None, :] - K[..., None, :, :]
    return np.exp(-0.5 * np.einsum("...d,...d->...", gap, gap) / sigma2)


@attention.variant("einsum")
def softmax_sim(Q, K):
    return np.exp(np.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5)
