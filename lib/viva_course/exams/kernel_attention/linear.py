"""Exam of linear_attention."""

import numpy as np

from viva_course.exams.kernel_attention.common import TIGHT
from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise

linear = Exercise("linear_attention", "values averaged with weights phi(q) . phi(k), one "
                  "denominator per query")

linear.values(2.5, "The output must be phi(q) . U / phi(q) . z.")


@linear.item(1, "With poly2 features it is attention with (q . k + 1)^2.")
def quadratic_kernel(exam, linear_attention):
    Q, K, V = (exam.rng.normal(size=shape) for shape in ((5, 3), (7, 3), (7, 2)))
    got = linear_attention(reference.poly2_features(Q), reference.poly2_features(K), V)
    exam.same(got, reference.kernel_attention(Q, K, V, reference.poly2_sim), **TIGHT)


@linear.item(2, "Any leading axes; Nq and Nk may differ; C may be 1.")
def batch_axes(exam, linear_attention):
    for batch, C in (((3,), 4), ((2, 3), 5), ((2,), 1)):
        phiQ, phiK = (exam.rng.uniform(0.1, 1, (*batch, N, C)) for N in (4, 6))
        V = exam.rng.normal(size=(*batch, 6, 3))
        expected = reference.linear_attention(phiQ, phiK, V)
        exam.same(linear_attention(phiQ, phiK, V), expected, **TIGHT)


@linear.item(1.5, "Memory must stay linear in N: no Nq x Nk array.")
def never_N_x_N(exam, linear_attention):
    N = 6000  # N^2 numbers are 288 MB, in float32 144 MB
    phiQ, phiK = exam.rng.uniform(0.1, 1, (N, 6)), exam.rng.uniform(0.1, 1, (N, 6))
    V = exam.rng.normal(size=(N, 3))
    found = exam.within(40, linear_attention, phiQ, phiK, V)
    exam.same(found, reference.linear_attention(phiQ, phiK, V), **TIGHT)


@linear.item(1.5, "Scaled features change nothing, nor does a common order of keys and values.")
def invariances(exam, linear_attention):
    phiQ, phiK = exam.rng.uniform(0.1, 1, (5, 3)), exam.rng.uniform(0.1, 1, (7, 3))
    V = exam.rng.normal(size=(7, 2))
    expected = reference.linear_attention(phiQ, phiK, V)
    exam.same(linear_attention(1e-5 * phiQ, 1e-5 * phiK, V), expected, **TIGHT)
    exam.same(linear_attention(-2 * phiQ, 30 * phiK, V), expected, **TIGHT)
    keys, queries = exam.rng.permutation(7), exam.rng.permutation(5)
    exam.same(linear_attention(phiQ[queries], phiK[keys], V[keys]), expected[queries], **TIGHT)


linear.unmodified(0.5, "Nothing may be written into the arguments.")


@linear.mistake("quadratic", "The numbers are right, but an array of N x N is made, phiQ @ phiK': "
                "multiply phiK' V first.")
def linear_attention(phiQ, phiK, V):
    weights = phiQ @ phiK.swapaxes(-1, -2)
    return weights @ V / weights.sum(axis=-1, keepdims=True)


def _over(phiQ, phiK, V, change):
    """Linear attention with another denominator."""
    return phiQ @ (phiK.swapaxes(-1, -2) @ V) / change(phiQ @ phiK.sum(axis=-2)[..., None])


linear.mistakes_of(linear_attention={
    "no_normaliser": ("The denominator is missing: divide by phi(q) . z.",
                      lambda phiQ, phiK, V: phiQ @ (phiK.swapaxes(-1, -2) @ V)),
    "global_normaliser": (
        "Each query has its own denominator phi(q_i) . z.",
        lambda phiQ, phiK, V: (
            phiQ @ (phiK.swapaxes(-1, -2) @ V) / (phiQ @ phiK.sum(axis=-2)[..., None]).sum())),
    "sequence_normaliser": (
        "Each query has its own denominator phi(q_i) . z.",
        lambda phiQ, phiK, V: _over(phiQ, phiK, V, lambda total: total.sum(-2, keepdims=True))),
    "mean_normaliser": (
        "Each query has its own denominator phi(q_i) . z.",
        lambda phiQ, phiK, V: _over(phiQ, phiK, V, lambda total: total.mean(-2, keepdims=True))),
    "dotT": (".T and sum(0) are right for one sequence only: use the last two axes.",
             lambda phiQ, phiK, V: phiQ @ (phiK.T @ V) / (phiQ @ phiK.sum(0))[:, None]),
})


@linear.mistake("sum_over_queries", "z is the sum of the features of the keys, not of the queries.")
def linear_attention(phiQ, phiK, V):
    U = phiK.swapaxes(-1, -2) @ V
    return phiQ @ U / (phiQ @ phiQ.sum(axis=-2)[..., None])


@linear.mistake("denominator_without_query", "The denominator is phi(q) . z, not the sum of z.")
def linear_attention(phiQ, phiK, V):
    U = phiK.swapaxes(-1, -2) @ V
    return phiQ @ U / phiK.sum(axis=(-2, -1))[..., None, None]


@linear.mistake("epsilon", "A constant added to the denominator biases the average when features "
                "are small.")
def linear_attention(phiQ, phiK, V):
    U = phiK.swapaxes(-1, -2) @ V
    return phiQ @ U / (phiQ @ phiK.sum(axis=-2)[..., None] + 1e-6)


linear.mistakes_of(linear_attention={
    f"clipped_at_{least:g}": (
        "The denominator is clipped: features of either sign and size are allowed, and only the "
        "ratio counts.",
        lambda phiQ, phiK, V, least=least: (
            _over(phiQ, phiK, V, lambda total: np.maximum(total, least))))
    for least in (1e-12, 1e-10, 1e-9, 1e-8, 1e-6)
} | {
    "absolute_denominator": ("A negative denominator stays negative: divide by it as it is.",
                             lambda phiQ, phiK, V: _over(phiQ, phiK, V, np.abs)),
    "keys_averaged": ("U is normalised by N but z is not.",
                      lambda phiQ, phiK, V: (
                          _over(phiQ, phiK, V, lambda total: total * V.shape[-2]))),
    "z_averaged": ("z is the mean of the features of the keys, and U is a sum: both are sums.",
                   lambda phiQ, phiK, V: (
                       _over(phiQ, phiK, V, lambda total: total / V.shape[-2]))),
})


@linear.mistake("softmaxed_features", "The features are used as they are, without a softmax.")
def linear_attention(phiQ, phiK, V):
    weights = np.exp(phiK - phiK.max(axis=-2, keepdims=True))
    weights /= weights.sum(axis=-2, keepdims=True)
    query = np.exp(phiQ)
    return query / query.sum(axis=-1, keepdims=True) @ (weights.swapaxes(-1, -2) @ V)


@linear.mistake("in_place", "The arguments belong to the caller: divide into a new array.")
def linear_attention(phiQ, phiK, V):
    U, z = phiK.swapaxes(-1, -2) @ V, phiK.sum(axis=-2)[..., None]
    phiQ /= phiQ @ z
    return phiQ @ U


@linear.variant("ones appended to the values")
def linear_attention(phiQ, phiK, V):
    V1 = np.concatenate([V, np.ones((*V.shape[:-1], 1))], axis=-1)
    both = phiQ @ (phiK.swapaxes(-1, -2) @ V1)
    return both[..., :-1] / both[..., -1:]


@linear.variant("einsum")
def linear_attention(phiQ, phiK, V):
    U = np.einsum("...nc,...nm->...cm", phiK, V)
    total = np.einsum("...nc,...c->...n", phiQ, phiK.sum(axis=-2))
    return np.einsum("...nc,...cm->...nm", phiQ, U) / total[..., None]


@linear.variant("loop over queries")
def linear_attention(phiQ, phiK, V):
    U, z = np.swapaxes(phiK, -1, -2) @ V, phiK.sum(axis=-2)
    rows = [np.einsum("...c,...cm->...m", phiQ[..., i, :], U)
            / np.sum(phiQ[..., i, :] * z, axis=-1, keepdims=True) for i in range(phiQ.shape[-2])]
    return np.stack(rows, axis=-2)
