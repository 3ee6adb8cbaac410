"""Exam of `composition_scores`."""

import numpy as np

from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise, then

composing = Exercise("composition_scores", "(q, k, v): how much the queries, keys and values of "
                     "the later head read what the earlier one wrote")

composing.values(3, "Sizes of products of circuits over the sizes of both.")


@composing.item(0.5, "The sizes of the circuits do not count, only their directions.")
def any_size(exam, composition_scores):
    QK, OV2, OV1 = exam.rng.normal(size=(3, 6, 6))
    expected = reference.composition_scores(QK, OV2, OV1)
    found = composition_scores(1e-5 * QK, 1e4 * OV2, 0.3 * OV1)
    exam.same([float(each) for each in found], list(expected))


composing.unmodified(0.5, "The circuits must stay as they were.")


def _share(product, left, right, norm=np.linalg.norm):
    return float(norm(product) / (norm(left) * norm(right)))


def _spectral(M):
    return np.linalg.norm(M, 2)


def _three(QK, OV2, OV1, share=_share):
    return share(OV1.T @ QK, QK, OV1), share(QK @ OV1, QK, OV1), share(OV2 @ OV1, OV2, OV1)


composing.mistakes_of(composition_scores={
    "q_k_exchanged": ("Queries stand on the left of the QK circuit, keys on the right; here the "
                      "two sides are exchanged.",
                      then(reference.composition_scores, lambda q, k, v: (k, q, v))),
    "no_transpose": ("What the earlier head wrote is the query, on the left of the QK circuit: "
                     "there its OV circuit stands transposed.",
                     lambda QK, OV2, OV1: (_share(OV1 @ QK, QK, OV1),
                                           *_three(QK, OV2, OV1)[1:])),
    "v_reversed": ("The later head reads what the earlier one wrote: its OV circuit stands on the "
                   "left; here the order is reversed.",
                   lambda QK, OV2, OV1: (*_three(QK, OV2, OV1)[:2],
                                         _share(OV1 @ OV2, OV1, OV2))),
    "k_transposed": ("Keys are on the right of the QK circuit, and there the OV circuit stands as "
                     "it is, not transposed.",
                     lambda QK, OV2, OV1: (_share(OV1.T @ QK, QK, OV1),
                                           _share(QK @ OV1.T, QK, OV1),
                                           _share(OV2 @ OV1, OV2, OV1))),
    "bare_products": ("The size of the product must be divided by the sizes of both circuits.",
                      lambda QK, OV2, OV1: _three(
                          QK, OV2, OV1, lambda product, left, right: float(
                              np.linalg.norm(product)))),
    "half_divided": ("The size of the product must be divided by the sizes of both circuits; one "
                     "of the two is missing.",
                     lambda QK, OV2, OV1: _three(
                         QK, OV2, OV1, lambda product, left, right: float(
                             np.linalg.norm(product) / np.linalg.norm(left)))),
    "divided_by_the_left": (
        "The size of the product must be divided by the sizes of both circuits; one of the two is "
        "missing.",
        lambda QK, OV2, OV1: (_share(OV1.T @ QK, np.ones(1), OV1), _share(QK @ OV1, QK, np.ones(1)),
                              _share(OV2 @ OV1, OV2, np.ones(1)))),
    "divided_by_OV2": ("Queries and keys come from products with the QK circuit: its size stands "
                       "below, not that of the later head's OV circuit.",
                       lambda QK, OV2, OV1: (_share(OV1.T @ QK, OV2, OV1),
                                             _share(QK @ OV1, OV2, OV1),
                                             _share(OV2 @ OV1, OV2, OV1))),
    "squares": ("These are squared norms; take the root, or the norm itself.",
                then(reference.composition_scores, lambda q, k, v: (q**2, k**2, v**2))),
    "spectral": ("The size is the Frobenius norm of all entries, not the spectral norm.",
                 lambda QK, OV2, OV1: _three(
                     QK, OV2, OV1, lambda *given: _share(*given, norm=_spectral))),
    "entrywise": ("The circuits are multiplied as matrices, not entry by entry.",
                  lambda QK, OV2, OV1: (_share(OV1.T * QK, QK, OV1), _share(QK * OV1, QK, OV1),
                                        _share(OV2 * OV1, OV2, OV1))),
})


@composing.mistake("scales_in_place", "The circuits belong to the caller: do not write into them.")
def composition_scores(QK, OV2, OV1):
    found = reference.composition_scores(QK, OV2, OV1)
    QK /= np.linalg.norm(QK)
    return found


@composing.mistake("constant_below", "A small constant was added to the denominator; it changes "
                   "the scores of circuits of small numbers.")
def composition_scores(QK, OV2, OV1):
    return _three(QK, OV2, OV1, lambda product, left, right: float(np.linalg.norm(product) / (
        np.linalg.norm(left) * np.linalg.norm(right) + 1e-6)))


@composing.variant("by entries")
def composition_scores(QK, OV2, OV1):
    def size(M):
        return np.sqrt(np.sum(np.square(M)))

    pairs = ((OV1.T, QK), (QK, OV1), (OV2, OV1))
    return np.array([size(a @ b) / size(a) / size(b) for a, b in pairs])
