"""Exam of poly2_features and poly_features."""

from itertools import combinations_with_replacement, product
from math import comb, factorial

import numpy as np

from viva_course.exams.kernel_attention.common import TIGHT
from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise

ANY_NUMBERS = "X is an array, and a factor that is no integer makes its numbers float64 anyway"
FLOATS = {
    "without X = np.asarray(X, dtype=float)": ANY_NUMBERS,
    "X = np.asarray(X, dtype=float) -> X = np.asarray(X)": ANY_NUMBERS,
    "X = np.asarray(X, dtype=float) -> X = X": ANY_NUMBERS,
}

poly2 = Exercise(
    "poly2_features",
    expects="phi(q) . phi(k) = (q . k + 1)^2; constant, linear, squares, pairs i < j in order",
    survivors={f"poly2_features: {change}": reason for change, reason in FLOATS.items()},
)

poly2.values(2.5, "phi(q) . phi(k) must equal (q . k + 1)^2.", only=("products",))
poly2.values(1, "x = (1, 2) has six features, in the stated order.", only=("worked_example",),
             name="worked example")


@poly2.item(2, "(..., D) becomes (..., (D+1)(D+2)/2): constant, linear, squares, pairs i < j in "
            "order.")
def dimension_and_order(exam, poly2_features):
    for shape in ((4,), (3, 1), (2, 3, 5)):
        X = exam.rng.normal(size=shape)
        exam.same(poly2_features(X), reference.poly2_features(X), **TIGHT)


@poly2.item(1.5, "The Gram matrix is (X X' + 1)^2 and has no negative eigenvalue.")
def Gram_matrix(exam, poly2_features):
    X = exam.rng.normal(size=(30, 4))
    phi = poly2_features(X)
    gram = phi @ phi.T
    exam.same(gram, (X @ X.T + 1) ** 2, **TIGHT)
    lowest = float(np.linalg.eigvalsh(gram).min())
    exam.true(lowest > -1e-9 * gram.max(), "the Gram matrix has a negative eigenvalue")


@poly2.item(0.5, "An array of integers has real features too.")
def integers(exam, poly2_features):
    X = exam.rng.integers(1, 5, (3, 2))
    exam.same(poly2_features(X), reference.poly2_features(X), **TIGHT)


poly2.unmodified(0.5, "The function must not write into X.")


ROOT2 = np.sqrt(2)


def _assemble(X, constant=1.0, linear=ROOT2, square=1.0, cross=ROOT2, k=1):
    i, j = np.triu_indices(X.shape[-1], k=k)
    parts = [constant * np.ones((*X.shape[:-1], 1)), linear * X, square * X**2,
             cross * X[..., i] * X[..., j]]
    return np.concatenate(parts, axis=-1)


poly2.mistakes_of(poly2_features={
    "no_cross_terms": ("The products x_i x_j (i < j) are missing: without them the kernel is right "
                       "for D = 1 only.",
                       lambda X: _assemble(X)[..., : 1 + 2 * X.shape[-1]]),
    "cross_coefficient_1": ("The cross terms need the factor sqrt 2.",
                            lambda X: _assemble(X, cross=1.0)),
    "cross_coefficient_2": ("The cross terms need sqrt 2; the 2 is that of the product.",
                            lambda X: _assemble(X, cross=2.0)),
    "linear_2": ("The linear terms need sqrt 2; the 2 is that of the product.",
                 lambda X: _assemble(X, linear=2.0)),
    "coefficients_not_roots": ("Each 2 is that of a product of two features: each feature gets "
                               "its root.",
                               lambda X: _assemble(X, linear=2.0, cross=2.0)),
    "linear_1": ("The linear terms need the factor sqrt 2.", lambda X: _assemble(X, linear=1.0)),
    "no_constant": ("The constant feature is 1, not 0.", lambda X: _assemble(X, constant=0.0)),
    "cross_includes_squares": ("Pairs are i < j; with i = j squares count twice.",
                               lambda X: _assemble(X, k=0)),
    "squares_sqrt2": ("The squares have the coefficient 1.",
                      lambda X: _assemble(X, square=np.sqrt(2))),
    "integer_array": ("An array made like X keeps its dtype and cuts off the fraction.",
                      lambda X: _assemble(X).astype(X.dtype)),
})


@poly2.mistake("full_outer", "The kernel is right, but x_i x_j and x_j x_i are one feature: keep i "
               "< j.")
def poly2_features(X):
    outer = (X[..., :, None] * X[..., None, :]).reshape(*X.shape[:-1], -1)
    one = np.ones((*X.shape[:-1], 1))
    return np.concatenate([one, np.sqrt(2) * X, outer], axis=-1)


@poly2.mistake("pairs_by_column", "The kernel is right; the order of the pairs is 12, 13, .., 23.")
def poly2_features(X):
    D = X.shape[-1]
    pairs = [(i, j) for j in range(D) for i in range(j)]
    cross = [np.sqrt(2) * X[..., i] * X[..., j] for i, j in pairs]
    return np.concatenate([_assemble(X)[..., : 1 + 2 * D], *(c[..., None] for c in cross)], axis=-1)


@poly2.mistake("squares_first", "The kernel is right, the linear terms come before the squares.")
def poly2_features(X):
    D, phi = X.shape[-1], _assemble(X)
    order = [0, *range(1 + D, 1 + 2 * D), *range(1, 1 + D), *range(1 + 2 * D, phi.shape[-1])]
    return phi[..., order]


@poly2.mistake("pairs_before_squares", "The kernel is right; the squares come before the pairs of "
               "different coordinates.")
def poly2_features(X):
    D, phi = X.shape[-1], _assemble(X)
    return phi[..., [*range(1 + D), *range(1 + 2 * D, phi.shape[-1]), *range(1 + D, 1 + 2 * D)]]


@poly2.mistake("squares_among_pairs", "The kernel is right; in the order all squares come before "
               "the pairs of different coordinates.")
def poly2_features(X):
    i, j = np.triu_indices(X.shape[-1])
    second = np.where(i == j, 1, ROOT2) * X[..., i] * X[..., j]
    return np.concatenate([np.ones((*X.shape[:-1], 1)), ROOT2 * X, second], axis=-1)


@poly2.mistake("rows_only", "Any leading axes are allowed, none as well: work on the last axis.")
def poly2_features(X):
    X = np.atleast_2d(X)
    i, j = np.triu_indices(X.shape[1], k=1)
    return np.hstack([np.ones((len(X), 1)), 2**0.5 * X, X**2, 2**0.5 * X[:, i] * X[:, j]])


@poly2.mistake("in_place", "X belongs to the caller: scale a copy.")
def poly2_features(X):
    phi = _assemble(X)
    if X.dtype == float:
        X *= np.sqrt(2)
    return phi


@poly2.variant("loop over pairs")
def poly2_features(X):
    D = X.shape[-1]
    columns = [np.ones(X.shape[:-1])]
    columns += [np.sqrt(2) * X[..., d] for d in range(D)]
    columns += [X[..., d] ** 2 for d in range(D)]
    columns += [np.sqrt(2) * X[..., i] * X[..., j] for i in range(D) for j in range(i + 1, D)]
    return np.stack(columns, axis=-1)


poly = Exercise(
    "poly_features", expects="features with phi(q) . phi(k) = (alpha q . k + c)^degree",
    survivors={f"poly_features: {change}": reason for change, reason in FLOATS.items()},
)

poly.values(1.5, "phi(q) . phi(k) must be the kernel for degrees 1 and 2.")


@poly.item(2.5, "The kernel (alpha q . k + c)^degree for degrees 1 to 4.")
def kernel(exam, poly_features):
    for degree, D in product((1, 2, 3, 4), (1, 2, 4)):
        alpha, c = exam.rng.choice([0.5, 2.0]), exam.rng.choice([1.0, 3.0])
        X = exam.rng.normal(size=(2, 3, D))
        phi = poly_features(X, degree, alpha=float(alpha), c=float(c))
        expected = (alpha * X @ X.swapaxes(-1, -2) + c) ** degree
        # sums of a few hundred terms that may cancel: relative to the largest of them
        scale = float(np.abs(expected).max())
        exam.same(phi @ phi.swapaxes(-1, -2), expected, rtol=1e-9, atol=1e-10 * scale)


@poly.item(1, "One feature per multi-index |a| <= degree: binomial(D + degree, degree).")
def dimension(exam, poly_features):
    for D, degree in ((3, 2), (4, 3), (2, 4), (5, 1)):
        x = exam.rng.normal(size=D)
        phi = poly_features(x, degree)
        exam.true(tuple(phi.shape) == (comb(D + degree, degree),),
                  f"D = {D}, degree = {degree}: you returned shape {tuple(phi.shape)}")
        exam.same(float(phi @ phi), float((x @ x + 1) ** degree), rtol=1e-9, atol=1e-9)


@poly.item(1, "With c = 0 the kernel is (alpha q . k)^degree, and features of zero stay.")
def homogeneous(exam, poly_features):
    for degree in (2, 3):
        X = exam.rng.normal(size=(4, 3))
        phi = poly_features(X, degree, 2.0, 0.0)
        expected = (2 * X @ X.T) ** degree
        exam.true(phi.shape[-1] == comb(3 + degree, degree),
                  f"c = 0, degree = {degree}: you returned {phi.shape[-1]} features")
        exam.same(phi @ phi.T, expected, rtol=1e-9, atol=1e-10 * float(np.abs(expected).max()))


def _by_index(X, degree, coefficient):
    """Features of all multi-indices |a| <= degree with the given coefficient(a, rest)."""
    D, columns = X.shape[-1], []
    for chosen in combinations_with_replacement(range(D + 1), degree):
        a = [chosen.count(d) for d in range(1, D + 1)]
        monomial = np.prod(X ** np.array(a), axis=-1)
        columns.append(np.sqrt(coefficient(a, degree - sum(a))) * monomial)
    return np.stack(columns, axis=-1)


def _multinomial(a, rest):
    bottom = factorial(rest)
    for n in a:
        bottom *= factorial(n)
    return factorial(sum(a) + rest) / bottom


poly.mistakes_of(poly_features={
    "binom_only": (
        "The binomial counts which factors are constant; the multinomial counts all.",
        lambda X, degree, alpha=1.0, c=1.0: (
            _by_index(X, degree, lambda a, r: comb(degree, r) * alpha ** sum(a) * c**r))),
    "constant_not_permuted": (
        "The constant is picked from d - |m| of the factors: its choices can be permuted as well, "
        "so the count is d! / (m! (d - |m|)!).",
        lambda X, degree, alpha=1.0, c=1.0: (
            _by_index(X, degree, lambda a, r: _multinomial(a, 0) * alpha ** sum(a) * c**r))),
    "constant_not_counted": (
        "The constant is one of the things that are picked: the count is d! / (m! (d - |m|)!).",
        lambda X, degree, alpha=1.0, c=1.0: (
            _by_index(X, degree, lambda a, r: (
                _multinomial(a, r) * factorial(r) * alpha ** sum(a) * c**r)))),
    "powers_not_rooted": (
        "The product of two features carries the powers of alpha and c once: each feature has "
        "their root, as that of the count.",
        lambda X, degree, alpha=1.0, c=1.0: (
            _by_index(X, degree, lambda a, r: _multinomial(a, r) * (alpha ** sum(a) * c**r) ** 2))),
    "no_multinomial": ("The multinomial coefficient d! / (a! (d - |a|)!) is missing.",
                       lambda X, degree, alpha=1.0, c=1.0: (
                           _by_index(X, degree, lambda a, r: alpha ** sum(a) * c**r))),
    "alpha_forgotten": ("alpha^|a| is missing from the coefficient.",
                        lambda X, degree, alpha=1.0, c=1.0: (
                            _by_index(X, degree, lambda a, r: _multinomial(a, r) * c**r))),
    "alpha_once": ("Every factor alpha q . k that is picked brings one alpha: its power is |a|.",
                   lambda X, degree, alpha=1.0, c=1.0: (
                       _by_index(X, degree, lambda a, r: (
                           _multinomial(a, r) * (alpha if sum(a) else 1) * c**r)))),
    "alpha_to_the_degree": ("Every factor alpha q . k that is picked brings one alpha: its power "
                            "is |a|, not the degree.",
                            lambda X, degree, alpha=1.0, c=1.0: (
                                _by_index(X, degree, lambda a, r: (
                                    _multinomial(a, r) * alpha**degree * c**r)))),
    "c_forgotten": ("c^(degree-|a|) is missing from the coefficient.",
                    lambda X, degree, alpha=1.0, c=1.0: (
                        _by_index(X, degree, lambda a, r: _multinomial(a, r) * alpha ** sum(a)))),
    "coefficient_not_rooted": (
        "The product of two features has the coefficient: take its root.",
        lambda X, degree, alpha=1.0, c=1.0: (
            _by_index(X, degree, lambda a, r: (_multinomial(a, r) * alpha ** sum(a) * c**r) ** 2))),
    "top_degree_only": (
        "All |a| <= degree are needed, not only |a| = degree.",
        lambda X, degree, alpha=1.0, c=1.0: (
            _by_index(X, degree, lambda a, r: _multinomial(a, r) * alpha ** sum(a) * (r == 0)))),
})


@poly.mistake("lower_degrees_dropped", "All |a| <= degree are needed, not only |a| = degree.")
def poly_features(X, degree, alpha=1.0, c=1.0):
    # without the constant, the things to choose are the coordinates
    phi = _by_index(X, degree, lambda a, r: _multinomial(a, r) * alpha ** sum(a))
    return phi[..., [0 not in chosen for chosen in
                     combinations_with_replacement(range(X.shape[-1] + 1), degree)]]


@poly.mistake("full_power", "Equal monomials belong in one feature: the dimension is a binomial.")
def poly_features(X, degree, alpha=1.0, c=1.0):
    one = np.full((*X.shape[:-1], 1), np.sqrt(c))
    extended = np.concatenate([one, np.sqrt(alpha) * X], axis=-1)
    phi = np.ones((*X.shape[:-1], 1))
    for _ in range(degree):
        phi = (phi[..., :, None] * extended[..., None, :]).reshape(*X.shape[:-1], -1)
    return phi


@poly.mistake("c_in_denominator", "c = 0 is allowed: do not divide by c.")
def poly_features(X, degree, alpha=1.0, c=1.0):
    inner = _by_index(X, degree, lambda a, r: _multinomial(a, r) * (alpha / c) ** sum(a))
    return inner * np.sqrt(c**degree)


@poly.mistake("zero_features_dropped", "With c = 0 some features are zero: they stay, "
              "so that their number does not depend on c.")
def poly_features(X, degree, alpha=1.0, c=1.0):
    phi = _by_index(X, degree, lambda a, r: _multinomial(a, r) * alpha ** sum(a) * c**r)
    return phi if c else phi[..., [sum(chosen[d] > 0 for d in range(degree)) == degree for chosen in
                                   combinations_with_replacement(range(X.shape[-1] + 1), degree)]]


@poly.variant("multi-indices")
def poly_features(X, degree, alpha=1.0, c=1.0):
    return _by_index(X, degree, lambda a, r: _multinomial(a, r) * alpha ** sum(a) * c**r)


@poly.variant("other order")
def poly_features(X, degree, alpha=1.0, c=1.0):
    return reference.poly_features(X, degree, alpha, c)[..., ::-1]
