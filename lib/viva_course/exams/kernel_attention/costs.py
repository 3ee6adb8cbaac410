"""Exam of attention_macs with its companions, and of softmax_via_gauss."""

from math import ceil

import numpy as np

from viva_course.exams.kernel_attention.common import TIGHT
from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise, then

costs = Exercise(
    "attention_macs",
    expects={
        "attention_macs": "every multiply-add counted once, in both products and the normaliser",
        "attention_floats": "every stored number counted once: inputs, output, all between",
        "crossover_length": "the length at which both counts are equal",
    },
)

costs.values(2, "The counts for N = 1000, D = M = 64.", only=("by_hand",))
costs.values(1, "The counts when D and M differ.", only=("other_sizes",), name="other sizes")


@costs.item(1.5, "Softmax is quadratic in N, the others linear; at the crossover both counts "
            "agree.")
def growth_and_crossover(exam, attention_macs, attention_floats, crossover_length):
    N, D, M, j = (int(n) for n in exam.rng.integers(3, 30, 4))
    M += D
    C = (D + M) * j  # makes the crossover a whole number
    for kind, factor in (("softmax", 25), ("linear", 5), ("rff", 5)):
        once, more = (attention_macs(kind, n, D, M, C) for n in (N, 5 * N))
        exam.true(once > 0, f"{kind}: the count is not positive")
        exam.same(more, factor * once, rtol=1e-12, atol=0, dtype=False)
    crossover = crossover_length(D, M, C)
    exam.same(crossover, 2 * j * (M + 1.0), rtol=1e-12, atol=0, dtype=False)
    counts = [attention_macs(kind, 2 * j * (M + 1), D, M, C) for kind in ("softmax", "linear")]
    exam.same(*counts, rtol=1e-12, atol=0, dtype=False)


@costs.item(1, "Building U costs N C M and reading it N C M: doubling M + 1 doubles both.")
def both_products(exam, attention_macs, attention_floats, crossover_length):
    N, D, M, C = (int(n) for n in exam.rng.integers(5, 40, 4))
    once, twice = (attention_macs("linear", N, D, m, C) for m in (M, 2 * M + 1))
    exam.true(once > 0, "the count is not positive")
    exam.same(twice, 2 * once, rtol=1e-12, atol=0, dtype=False)
    exam.same(once, 2 * N * C * (M + 1), rtol=1e-12, atol=0, dtype=False)
    extra = attention_macs("rff", N, D, M, C) - attention_macs("linear", N, D, M, 2 * C)
    exam.same(extra, 2 * N * C * D, rtol=1e-12, atol=0, dtype=False)


@costs.item(1, "Softmax stores N^2 weights, linear attention a state of C (M + 1).")
def floats(exam, attention_macs, attention_floats, crossover_length):
    N, D, M, C = (int(n) for n in exam.rng.integers(3, 400, 4))
    for sizes in ((N, D, M, C), (4096, 64, 64, 2145)):
        for kind in ("softmax", "linear"):
            expected = reference.attention_floats(kind, *sizes)
            exam.same(attention_floats(kind, *sizes), expected, rtol=1e-12, atol=0, dtype=False)


@costs.item(0.5, "An unknown kind raises ValueError; a known one gives a count.")
def unknown_kind(exam, attention_macs, attention_floats, crossover_length):
    for count in (attention_macs, attention_floats):
        exam.true(count("softmax", 8, 4, 4) > 0, "softmax needs no C")
        exam.raises(ValueError, count, "cosine", 8, 4, 4, 4)


@costs.mistake("first_loop_NM", "Each key adds an outer product of C x M numbers to U: N C M, not "
               "N M.")
def attention_macs(kind, N, D, M, C=None):
    if kind == "linear":
        return N * M + N * C * (M + 1)
    return reference.attention_macs(kind, N, D, M, C)


@costs.mistake("max_not_sum", "max(D, M) is the order of growth; the count is D + M.")
def attention_macs(kind, N, D, M, C=None):
    if kind == "softmax":
        return N * N * max(D, M)
    return reference.attention_macs(kind, N, D, M, C)


@costs.mistake("one_product", "Softmax attention has two N x N products: Q K' and weights V.")
def attention_macs(kind, N, D, M, C=None):
    if kind == "softmax":
        return N * N * D
    return reference.attention_macs(kind, N, D, M, C)


costs.mistakes_of(attention_floats={
    "floats_2NC": (
        "Features are made when they are needed: those of all queries and keys are not held.",
        lambda kind, N, D, M, C=None: (reference.attention_floats(kind, N, D, M, C)
                                       + (2 * N * C if kind == "linear" else 0))),
}, crossover_length={
    "crossover_floored": ("The crossover is a float: do not round it to a whole number.",
                          lambda D, M, C: 2 * C * (M + 1) // (D + M)),
    "crossover_ceiled": ("The crossover is a float: do not round it to a whole number.",
                         lambda D, M, C: ceil(2 * C * (M + 1) / (D + M))),
    "crossover_rounded": ("The crossover is a float: do not round it to a whole number.",
                          lambda D, M, C: round(2 * C * (M + 1) / (D + M))),
    "crossover_D2": ("D^2 is the order of the crossover, not the crossover.",
                     lambda D, M, C: float(D**2)),
    "crossover_upside_down": ("Solve N^2 (D + M) = 2 N C (M + 1) for N.",
                              lambda D, M, C: (D + M) / (2 * C * (M + 1))),
})


@costs.mistake("floats_NC", "Features are computed on the fly: phi(K) as a whole is not stored.")
def attention_floats(kind, N, D, M, C=None):
    extra = N * C if kind == "linear" else 0
    return reference.attention_floats(kind, N, D, M, C) + extra


@costs.mistake("floats_no_weights", "Softmax attention stores the N x N weights.")
def attention_floats(kind, N, D, M, C=None):
    if kind == "softmax":
        return 2 * N * D + 2 * N * M
    return reference.attention_floats(kind, N, D, M, C)


@costs.mistake("no_norm", "The normaliser is one more column: M + 1, not M.")
def attention_macs(kind, N, D, M, C=None):
    if kind == "linear":
        return 2 * N * C * M
    return reference.attention_macs(kind, N, D, M, C)


@costs.mistake("no_norm_anywhere", "The normaliser is one more column: M + 1, not M.")
def attention_macs(kind, N, D, M, C=None):
    if kind in ("linear", "rff"):
        return 2 * N * C * M if kind == "linear" else 2 * N * C * D + 4 * N * C * M
    return reference.attention_macs(kind, N, D, M, C)


@costs.mistake("rff_no_norm", "The normaliser is one more column for random features as well.")
def attention_macs(kind, N, D, M, C=None):
    if kind == "rff":
        return 2 * N * C * D + 4 * N * C * M
    return reference.attention_macs(kind, N, D, M, C)


@costs.mistake("rff_one_side", "Features are computed for the queries and for the keys: w . x "
               "counts for both.")
def attention_macs(kind, N, D, M, C=None):
    less = N * C * D if kind == "rff" else 0
    return reference.attention_macs(kind, N, D, M, C) - less


@costs.mistake("rff_features_free", "Computing the random features costs w . x for every "
               "frequency, for queries and for keys.")
def attention_macs(kind, N, D, M, C=None):
    return reference.attention_macs(*(("linear", N, D, M, 2 * C) if kind == "rff"
                                      else (kind, N, D, M, C)))


@costs.mistake("floats_no_output", "The output, N x M numbers, is held as well.")
def attention_floats(kind, N, D, M, C=None):
    return reference.attention_floats(kind, N, D, M, C) - N * M


@costs.mistake("floats_no_z", "z is held besides U: C more numbers.")
def attention_floats(kind, N, D, M, C=None):
    less = C if kind == "linear" else 0
    return reference.attention_floats(kind, N, D, M, C) - less


@costs.mistake("rff_n_features", "C frequencies give 2C features, a sine and a cosine each.")
def attention_macs(kind, N, D, M, C=None):
    if kind == "rff":
        return 2 * N * C * D + 2 * N * C * (M + 1)
    return reference.attention_macs(kind, N, D, M, C)


@costs.mistake("flops", "A multiply-add counts once.")
def attention_macs(kind, N, D, M, C=None):
    return 2 * reference.attention_macs(kind, N, D, M, C)


@costs.mistake("default_kind", "An unknown kind must raise ValueError, not give a number.")
def attention_macs(kind, N, D, M, C=None):
    known = {"softmax": N * N * (D + M)}
    if C is not None:
        known |= {"linear": 2 * N * C * (M + 1), "rff": 2 * N * C * D + 4 * N * C * (M + 1)}
    return known.get(kind, 0)


@costs.mistake("default_floats", "An unknown kind to store must raise ValueError too.")
def attention_floats(kind, N, D, M, C=None):
    between = C * (M + 1) if kind == "linear" else N * N
    return 2 * N * D + 2 * N * M + between


@costs.variant("floats")
def attention_macs(kind, N, D, M, C=None):
    if kind == "softmax":
        return float(N) ** 2 * (D + M)
    if kind == "linear":
        return 2.0 * N * C * (M + 1)
    if kind == "rff":
        return 2.0 * N * C * (D + 2 * M + 2)
    raise ValueError(kind)


@costs.variant("division at the end")
def crossover_length(D, M, C):
    return C * (M + 1) / ((D + M) / 2)


factors = Exercise(
    "softmax_via_gauss",
    expects="a (.., Nq, 1), G (.., Nq, Nk), b (.., 1, Nk); G is 1 for equal vectors",
    survivors={
        "softmax_via_gauss: gaps = Q[..., :, None, :] - K[..., None, :, :] -> "
        "gaps = K[..., None, :, :] - Q[..., :, None, :]": "the sign of a gap is squared away",
    },
)

factors.values(2, "Each factor must be that of the identity.", only=("three_factors",))
factors.values(1, "a G b must be exp(q . k / sqrt(D)).", only=("product_of_factors",),
               name="product")


@factors.item(1, "a is a column, b a row; G lies in (0, 1], the prefactors are at least 1.")
def shapes_and_ranges(exam, softmax_via_gauss):
    K = exam.rng.normal(size=(4, 5))
    a, G, b = softmax_via_gauss(K[:3], K)  # queries 0, 1, 2 equal keys 0, 1, 2
    shapes = [tuple(x.shape) for x in (a, G, b)]
    exam.true(shapes == [(3, 1), (3, 4), (1, 4)], f"the shapes are {shapes}")
    equal = np.eye(3, 4, dtype=bool)
    # 1e-9: |q - k|^2 of equal vectors may be 1e-15 off when it is expanded into norms
    exam.true(np.all(np.abs(G[equal] - 1) < 1e-9), "G is not 1 for equal vectors")
    exam.true(np.all(G > 0) and np.all(G[~equal] < 1), "G leaves (0, 1]")
    exam.true(np.all(a > 1) and np.all(b > 1), "a prefactor is not above 1")


@factors.item(1, "Leading axes are batches.")
def batch_axes(exam, softmax_via_gauss):
    Q, K = exam.rng.normal(size=(3, 2, 2, 3)), exam.rng.normal(size=(3, 2, 4, 3))
    got = list(softmax_via_gauss(Q, K))
    exam.same(got, list(reference.softmax_via_gauss(Q, K)), **TIGHT)


def _split(Q, K, sigma2, half=0.5, power=2):
    norm_q, norm_k = (np.linalg.norm(X, axis=-1) ** power for X in (Q, K))
    a, b = np.exp(half * norm_q / sigma2), np.exp(half * norm_k / sigma2)
    return a[..., :, None], reference.gauss_sim(Q, K, sigma2), b[..., None, :]


factors.mistakes_of(softmax_via_gauss={
    "sigma2_D": ("sigma2 is sqrt(D); with D the product is exp(q . k / D).",
                 lambda Q, K: _split(Q, K, Q.shape[-1])),
    "sigma2_one": ("With sigma2 = 1 the product is exp(q . k), without the scale.",
                   lambda Q, K: _split(Q, K, 1.0)),
    "norm_not_squared": ("The prefactors need the squared norm.",
                         lambda Q, K: _split(Q, K, np.sqrt(Q.shape[-1]), power=1)),
    "no_half": ("The prefactors are exp(|q|^2 / (2 sigma2)): the 2 is missing.",
                lambda Q, K: _split(Q, K, np.sqrt(Q.shape[-1]), half=1.0)),
    "no_half_anywhere": (
        "The product is exp(2 q . k / sqrt(D)): each exponent is divided by 2 sigma2, and the 2 "
        "is missing.",
        lambda Q, K: _split(Q, K, np.sqrt(Q.shape[-1]) / 2)),
    "minus_sign": ("The prefactors grow with the norm; the minus sign is that of positive "
                   "features.",
                   lambda Q, K: _split(Q, K, np.sqrt(Q.shape[-1]), half=-0.5)),
    "swapped": ("a belongs to the queries, b to the keys.",
                then(reference.softmax_via_gauss, lambda a, G, b: (b, G, a))),
    "flat": ("a must be a column and b a row, so that a G b broadcasts.",
             then(reference.softmax_via_gauss, lambda a, G, b: (a[..., 0], G, b[..., 0, :]))),
})


@factors.mistake("key_column", "b must be a row, (..., 1, Nk): exchange its last two axes, or "
                 "a G b does not broadcast.")
def softmax_via_gauss(Q, K):
    a, G, b = reference.softmax_via_gauss(Q, K)
    return a, G, b.swapaxes(-1, -2)


@factors.mistake("sigma_sqrtD", "The prefactors need sigma2 = sqrt(D), not its square root.")
def softmax_via_gauss(Q, K):
    a, _, b = _split(Q, K, Q.shape[-1] ** 0.25)
    return a, reference.gauss_sim(Q, K, np.sqrt(Q.shape[-1])), b


@factors.mistake("one_sequence", "Q.T and axis 1 are right for one sequence only.")
def softmax_via_gauss(Q, K):
    s2 = np.sqrt(Q.shape[1])
    q2, k2 = (Q**2).sum(1)[:, None], (K**2).sum(1)[None, :]
    G = np.exp(-(q2 + k2 - 2 * Q @ K.T) / (2 * s2))
    return np.exp(q2 / (2 * s2)), G, np.exp(k2 / (2 * s2))


@factors.variant("differences of all pairs")
def softmax_via_gauss(Q, K):
    s2 = Q.shape[-1] ** 0.5
    G = np.exp(-((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1) / 2 / s2)
    a = np.exp((Q**2).sum(axis=-1, keepdims=True) / 2 / s2)
    b = np.exp((K**2).sum(axis=-1, keepdims=True) / 2 / s2)
    return a, G, b.swapaxes(-1, -2)
