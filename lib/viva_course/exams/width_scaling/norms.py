"""Exam of `rms` and `rms_operator_norm`."""

import numpy as np

from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

norms = Exercise(
    "rms",
    expects={
        "rms": "the root of the mean square along the axis",
        "rms_operator_norm": "the largest rms(A x) / rms(x) over all x, as a number",
    },
)

norms.values(2, "The root of the mean of the squares, along any axis.", only=("three_four", "axes"),
             name="rms")
norms.values(2, "The largest factor by which the matrix can raise the RMS of a vector.",
             only=("ones", "random_maps"), name="norm of a map")


@norms.item(2, "No vector may be raised by more than the norm, and the first right singular vector "
            "is raised by exactly that.")
def the_largest_ratio(exam, rms, rms_operator_norm):
    for shape in ((3, 8), (7, 2)):
        A = exam.rng.normal(size=shape)
        norm = rms_operator_norm(A)
        top = np.linalg.svd(A)[2][0]
        exam.same(norm, float(np.sqrt(np.mean((A @ top) ** 2) / np.mean(top**2))))
        x = exam.rng.normal(size=(shape[1], 200))
        exam.true((np.sqrt(np.mean((A @ x) ** 2, axis=0) / np.mean(x**2, axis=0))
                        <= norm * (1 + 1e-9)).all(), "a vector is raised by more than the norm")
        exam.same(rms(A @ top), norm * float(np.sqrt(np.mean(top**2))))


@norms.item(1.5, "The identity has norm 1 at every size, a chain at most the product, and ||W||_2 "
            "= sqrt(d_out / d_in) means norm 1.")
def chains_of_layers(exam, rms, rms_operator_norm):
    for n in (1, 3, 20):
        exam.same(rms_operator_norm(np.eye(n)), 1.0)
        exam.same(rms_operator_norm(2 * np.eye(n)), 2.0)
    A, B = exam.rng.normal(size=(4, 9)), exam.rng.normal(size=(9, 3))
    exam.true(rms_operator_norm(A @ B) <= rms_operator_norm(A) * rms_operator_norm(B),
              "a chain has a larger norm than the product of the norms")
    W = A / np.linalg.norm(A, 2) * np.sqrt(4 / 9)
    exam.same(rms_operator_norm(W), 1.0)


norms.unmodified(0.5, "x and A must stay as they were.")


norms.mistakes_of(rms={
    "mean_square": ("Take the root of the mean square.",
                    lambda x, axis=-1: np.mean(np.square(np.asarray(x, float)), axis=axis)),
    "euclidean": ("Divide by the number of entries: the mean of the squares, not their sum.",
                  lambda x, axis=-1: np.linalg.norm(np.asarray(x, float), axis=axis)),
    "root_too_early": ("The number of entries stands under the root: take the mean, then the root.",
                       lambda x, axis=-1: np.sqrt(np.sum(np.square(x), axis=axis))
                       / np.shape(x)[axis]),
    "deviation": ("The mean is not taken away: this is a standard deviation.",
                  lambda x, axis=-1: np.std(np.asarray(x, float), axis=axis)),
    "mean_absolute": ("Square, average, take the root; this averages absolute values.",
                      lambda x, axis=-1: np.mean(np.abs(np.asarray(x, float)), axis=axis)),
    "axis_ignored": ("`axis` says along which axis the mean is taken.",
                     lambda x, axis=-1: reference.rms(x)),
    "flattened": ("Only one axis is averaged, not the whole array.",
                  lambda x, axis=-1: np.sqrt(np.mean(np.square(np.asarray(x, float))))),
    "kept_axis": ("The axis that is averaged over disappears.",
                  lambda x, axis=-1: np.expand_dims(reference.rms(x, axis), axis)),
})
norms.mistakes_of(rms_operator_norm={
    "inverse_ratio": ("The RMS divides by sqrt(d_out) above and by sqrt(d_in) below: see which of "
                      "them ends up on top.",
                      lambda A: reference.rms_operator_norm(A) * A.shape[0] / A.shape[1]),
    "plain_spectral": ("The spectral norm compares lengths, not RMS: a factor of the sizes is "
                       "missing.",
                       lambda A: np.linalg.norm(A, 2)),
    "frobenius": ("This is the Frobenius norm; the worst x needs the largest singular value.",
                  lambda A: np.sqrt(A.shape[1] / A.shape[0]) * np.linalg.norm(A)),
    "entries_over_outputs": (
        "This is built from all entries, as the Frobenius norm is; the largest singular value "
        "alone decides.",
        lambda A: np.linalg.norm(A) / np.sqrt(A.shape[0])),
    "at_ones": ("The largest ratio over all vectors is asked for, not that of the vector of ones.",
                lambda A: np.sqrt(np.mean(A.sum(axis=1) ** 2))),
    "rms_of_entries": ("This is the RMS of the entries of A, not of what A does to a vector.",
                       lambda A: np.sqrt(np.mean(A**2))),
    "ratio_not_root": ("RMS divides by the root of the number of entries.",
                       lambda A: A.shape[1] / A.shape[0] * np.linalg.norm(A, 2)),
    "theta_claim": ("sqrt(d_out / d_in) is what the spectral norm should be, not what the norm of "
                    "this A is.",
                    lambda A: np.sqrt(A.shape[0] / A.shape[1])),
    "row_sums": ("The largest sum of absolute values in a row says how much the largest entry "
                 "grows; the RMS needs the largest singular value.",
                 lambda A: float(np.abs(A).sum(axis=1).max())),
    "nuclear": ("Only the largest singular value counts, not their sum.",
                lambda A: np.sqrt(A.shape[1] / A.shape[0]) * np.linalg.norm(A, "nuc")),
    "one_norm": ("np.linalg.norm(A, 1) is a sum of absolute values; the spectral norm is another.",
                 lambda A: np.sqrt(A.shape[1] / A.shape[0]) * np.linalg.norm(A, 1)),
})


@norms.mistake("in_place", "x belongs to the caller: square it in a new array.")
def rms(x, axis=-1):
    answer = reference.rms(x, axis)
    x *= x
    return answer


@norms.variant("length over root of size")
def rms(x, axis=-1):
    x = np.asarray(x)
    return np.linalg.norm(x, axis=axis) / np.sqrt(x.shape[axis])


@norms.variant("largest eigenvalue")
def rms_operator_norm(A):
    return np.sqrt(np.linalg.eigvalsh(A.T @ A)[-1] * A.shape[1] / A.shape[0])
