"""Exam of `gradient_verdict`."""

import numpy as np

from viva.cases.recurrent_models.bounds import scaled
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

verdict = Exercise("gradient_verdict", '"vanishes" where the bound proves it for every sequence, '
                   'else "undetermined"')

verdict.values(1.5, 'One of the two words, "vanishes" only where the bound proves it.',
               only=("multiples_of_identity",), name="two words")
verdict.values(1.5, "The bound is about lengths of vectors: eigenvalues, and other norms of W, do "
               "not give it.", only=("nilpotent", "other_norms"), name="the right norm")
verdict.values(1.5, "The slope of sigma counts, to the same power as W.",
               only=("sigmoid", "steep", "gentle"), name="the slope")
verdict.values(0.5, "Where the bound is exactly 1 it proves nothing.",
               only=("boundary",), name="boundary")


@verdict.item(0.5, "A negative gamma raises ValueError; gamma = 0 is a constant sigma.")
def refusals(exam, gradient_verdict):
    W = scaled(exam.rng, 7.0)
    exam.same(gradient_verdict(W, 0.1), "vanishes")
    exam.same(gradient_verdict(W, 0.0), "vanishes")
    exam.same(gradient_verdict(W, 0.2), "undetermined")
    exam.raises(ValueError, gradient_verdict, W, -0.1)


verdict.unmodified(0.5, "W must stay as it was.")


EXPLODES = ("A bound above 1 is necessary for an explosion, not sufficient: nothing is proved, and "
            "the word is \"undetermined\".")


def refuse(gamma):
    if gamma < 0:
        raise ValueError


def _verdict(bound, other="undetermined"):
    """The verdict by another bound(W, gamma), or with another word."""
    def gradient_verdict(W, gamma):
        refuse(gamma)
        return "vanishes" if bound(W, gamma) < 1 else other

    return gradient_verdict


verdict.mistakes_of(gradient_verdict={
    "eigenvalues": ("Eigenvalues do not bound a product of different factors: the largest singular "
                    "value does.",
                    _verdict(lambda W, gamma: gamma * np.abs(np.linalg.eigvals(W)).max())),
    "gamma_ignored": ("gamma is ignored: every step multiplies by a slope, too.",
                      _verdict(lambda W, gamma: np.linalg.norm(W, 2))),
    "lambda1": ("The norm of W is squared and gamma is not: the square root of the eigenvalue of "
                "W^T W is missing.",
                _verdict(lambda W, gamma: gamma * np.linalg.norm(W.T @ W, 2))),
    "frobenius": ("The Frobenius norm is too large a bound: I has length 1 in every direction, "
                  "whatever n is.",
                  _verdict(lambda W, gamma: gamma * np.linalg.norm(W))),
    "smallest": ("The largest singular value bounds the growth, not the smallest.",
                 _verdict(lambda W, gamma: gamma * np.linalg.norm(W, -2))),
    "max_entry": ("The largest entry of W does not bound how much W stretches.",
                  _verdict(lambda W, gamma: gamma * np.abs(W).max())),
    "row_sums": ("Row or column sums bound other norms; lengths need the largest singular value.",
                 _verdict(lambda W, gamma: gamma * np.linalg.norm(W, np.inf))),
    "column_sums": ("Row or column sums bound other norms; lengths need the largest singular "
                    "value.",
                    _verdict(lambda W, gamma: gamma * np.linalg.norm(W, 1))),
    "boundary_vanishes": ("At exactly 1 the bound stays 1 for ever: it proves nothing.",
                          _verdict(lambda W, gamma: np.nextafter(gamma * np.linalg.norm(W, 2), 0))),
    "divides_by_gamma": (
        "A steeper sigma makes gradients larger: multiply by gamma.",
        _verdict(lambda W, gamma: np.linalg.norm(W, 2) / gamma if gamma else np.inf)),
    "claims_explosion": (EXPLODES,
                         _verdict(lambda W, gamma: gamma * np.linalg.norm(W, 2), other="explodes")),
    "explosion_above_one": (
        EXPLODES,
        lambda W, gamma: _verdict(lambda W, gamma: gamma * np.linalg.norm(W, 2), other=(
            "undetermined" if gamma * np.linalg.norm(W, 2) == 1 else "explodes"))(W, gamma)),
    "always_vanishes": ("A bound above 1 proves nothing.",
                        lambda W, gamma: refuse(gamma) or "vanishes"),
    "never_vanishes": ("Where gamma times the norm is below 1 the bound is a proof.",
                       lambda W, gamma: refuse(gamma) or "undetermined"),
    "negative_passes": (
        "gamma bounds an absolute value: refuse a negative one with ValueError.",
        lambda W, gamma: "vanishes" if gamma * np.linalg.norm(W, 2) < 1 else "undetermined"),
    "truth_value": ("Return one of the two words, not True or False.",
                    lambda W, gamma: refuse(gamma) or bool(gamma * np.linalg.norm(W, 2) < 1)),
})


@verdict.mistake("zero_refused", "gamma = 0 is allowed (a constant sigma); only negative ones are "
                 "refused.")
def gradient_verdict(W, gamma):
    if gamma <= 0:
        raise ValueError
    return reference.gradient_verdict(W, gamma)


@verdict.mistake("in_place", "W belongs to the caller: `W *= gamma` changes it.")
def gradient_verdict(W, gamma):
    refuse(gamma)
    W *= gamma
    return "vanishes" if np.linalg.norm(W, 2) < 1 else "undetermined"


@verdict.variant("singular values")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError("negative")
    largest = np.linalg.svd(gamma * np.asarray(W), compute_uv=False)[0]
    return "undetermined" if largest >= 1 else "vanishes"


@verdict.variant("eigenvalues of W^T W")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError("negative")
    square = np.linalg.eigvalsh(W.T @ W)[-1]
    return "vanishes" if gamma**2 * square < 1 else "undetermined"
