"""Exam of sherman_morrison."""

import numpy as np

from viva.case import outcome
from viva.cases.ridge_attention.rank_one import change
from viva_course.reference import ridge_attention as reference
from viva_course.rubric import Exercise

LOOSE = {"rtol": 1e-8, "atol": 1e-9}
INVERSES = ("np.linalg.inv", "np.linalg.solve", "np.linalg.pinv", "np.linalg.lstsq",
            "np.linalg.matrix_power", "np.linalg.tensorinv", "np.linalg.tensorsolve",
            "np.linalg.svd", "np.linalg.qr", "np.linalg.eig", "np.linalg.eigh",
            "np.linalg.cholesky")

rank_one = Exercise(
    "sherman_morrison",
    expects="the inverse of M + u v^T from that of M, without inverting anything",
    forbidden=INVERSES,
    survivors={
        "sherman_morrison: denominator = 1 + v @ left -> denominator = 1 + left @ v":
            "the product of two vectors has no order",
    },
)

rank_one.values(4, "It must be the inverse of M + u v^T.", only=("by_hand", "four_dimensions"))
rank_one.values(2, "Symmetric matrices, and lists and integers.", only=("symmetric", "of_lists"),
                name="symmetric, types")
rank_one.values(2, "What was added can be taken away.", only=("there_and_back", "by_hand"),
                name="there and back")
rank_one.values(1, "A denominator that is small or negative is neither refused nor changed.",
                name="small denominator",
                only=("nearly_singular", "negative_denominator"))


@rank_one.item(3.5, "Multiplied with M + u v^T it gives the identity, from either side, in any "
               "dimension.")
def an_inverse(exam, sherman_morrison):
    for d in (1, 2, 5, 12):
        Minv, u, v = change(exam.rng, d)
        M = np.linalg.inv(Minv) + np.outer(u, v)
        found = np.asarray(sherman_morrison(Minv, u, v))
        exam.true(found.shape == (d, d), f"shape {found.shape}, not {(d, d)}")
        exam.same(found @ M, np.eye(d), **LOOSE)
        exam.same(M @ found, np.eye(d), **LOOSE)


@rank_one.item(2.5, "If M + u v^T is singular, LinAlgError.")
def singular(exam, sherman_morrison):
    Minv, u, v = change(exam.rng, 3)
    exam.same(sherman_morrison(Minv, u, v), reference.sherman_morrison(Minv, u, v), **LOOSE)
    e = np.eye(4)
    for request in ((e, e[1], -e[1]), (2 * e, e[3], -0.5 * e[3]), (e, e[0] + e[1], -e[1])):
        raised = outcome(sherman_morrison, *request)
        exam.true(raised == "LinAlgError", f"a singular change gave {raised}")


rank_one.unmodified(1, "Nothing may be written into the arguments.")


def _formula(Minv, u, v, sign=-1, den=lambda M, u, v: 1 + v @ M @ u, left=None, right=None):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    denominator = den(Minv, u, v)
    if denominator == 0:
        raise np.linalg.LinAlgError
    left = Minv @ u if left is None else left(Minv, u, v)
    right = v @ Minv if right is None else right(Minv, u, v)
    return Minv + sign * np.outer(left, right) / denominator


rank_one.mistakes_of(sherman_morrison={
    "plus": ("The correction is subtracted.", lambda Minv, u, v: _formula(Minv, u, v, sign=1)),
    "den_minus": ("The sign in the denominator is wrong: multiply out and compare.",
                  lambda Minv, u, v: _formula(Minv, u, v, den=lambda M, u, v: 1 - v @ M @ u)),
    "no_one": ("The 1 in the denominator is missing.",
               lambda Minv, u, v: _formula(Minv, u, v, den=lambda M, u, v: v @ M @ u)),
    "swapped": ("u and v are exchanged: this is the inverse of M + v u^T.",
                lambda Minv, u, v: _formula(Minv, v, u)),
    "same_side": ("On the right stands v^T M^-1, not M^-1 v: the same only for a symmetric matrix.",
                  lambda Minv, u, v: _formula(Minv, u, v, right=lambda M, u, v: M @ v)),
    "left_transposed": ("On the left stands M^-1 u, not u^T M^-1: the same only for a symmetric "
                        "matrix.",
                        lambda Minv, u, v: _formula(Minv, u, v, left=lambda M, u, v: u @ M)),
    "only_u": ("v is ignored: the change is u v^T, not u u^T.",
               lambda Minv, u, v: _formula(Minv, u, u)),
    "denominator_of_u": (
        "The denominator needs v^T M^-1 u, with both vectors.",
        lambda Minv, u, v: _formula(Minv, u, v, den=lambda M, u, v: 1 + u @ M @ u)),
    "denominator_turned": (
        "In the denominator u and v have changed places: v^T M^-1 u is the same as u^T M^-1 v only "
        "for a symmetric matrix.",
        lambda Minv, u, v: _formula(Minv, u, v, den=lambda M, u, v: 1 + u @ M @ v)),
    "denominator_without_M": (
        "The denominator needs v^T M^-1 u, not v^T u.",
        lambda Minv, u, v: _formula(Minv, u, v, den=lambda M, u, v: 1 + v @ u)),
    "no_inverse_around": (
        "The correction has M^-1 on both sides of u v^T.",
        lambda Minv, u, v: _formula(Minv, u, v, left=lambda M, u, v: u, right=lambda M, u, v: v)),
    "one_side": ("The correction has M^-1 on both sides of u v^T, not on one.",
                 lambda Minv, u, v: _formula(Minv, u, v, right=lambda M, u, v: v)),
})


@rank_one.mistake("no_denominator", "The denominator is missing.")
def sherman_morrison(Minv, u, v):
    out = _formula(Minv, u, v)
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    return Minv + (out - Minv) * (1 + v @ Minv @ u)


@rank_one.mistake("elementwise", "u * v multiplies entry by entry; u v^T is an outer product.")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    if 1 + v @ Minv @ u == 0:
        raise np.linalg.LinAlgError
    return Minv - (Minv @ u) * (v @ Minv) / (1 + v @ Minv @ u)


@rank_one.mistake("by_svd", "An inverse from a factorisation takes d^3 operations as well: use the "
                  "inverse you have.")
def sherman_morrison(Minv, u, v):
    Minv = np.asarray(Minv, float)
    if 1 + np.asarray(v, float) @ Minv @ np.asarray(u, float) == 0:
        raise np.linalg.LinAlgError

    def inverse(M):
        U, s, Vt = np.linalg.svd(M)
        return Vt.T @ (U.T / s[:, None])

    return inverse(inverse(Minv) + np.outer(u, v))


@rank_one.mistake("reinvert", "Inverting again takes d^3 operations: use the inverse you have.")
def sherman_morrison(Minv, u, v):
    return np.linalg.inv(np.linalg.inv(np.asarray(Minv, float)) + np.outer(u, v))


@rank_one.mistake("inplace", "The caller's matrix is overwritten: return a new one.")
def sherman_morrison(Minv, u, v):
    out = _formula(Minv, u, v)
    if isinstance(Minv, np.ndarray):
        Minv[:] = out
    return out


@rank_one.mistake("no_check", "A zero denominator goes unnoticed: raise LinAlgError.")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    with np.errstate(all="ignore"):
        return Minv - np.outer(Minv @ u, v @ Minv) / (1 + v @ Minv @ u)


@rank_one.mistake("value_error", "A singular matrix is reported by LinAlgError, as numpy does.")
def sherman_morrison(Minv, u, v):
    try:
        return _formula(Minv, u, v)
    except np.linalg.LinAlgError as error:
        raise ValueError("singular") from error


@rank_one.mistake("too_strict", "The denominator is small here but not zero: the inverse exists.")
def sherman_morrison(Minv, u, v):
    return _formula(Minv, u, v, den=lambda M, u, v: (1 + v @ M @ u) * (abs(1 + v @ M @ u) > 1e-3))


@rank_one.mistake("close_to_zero", "A denominator close to zero is refused: only one that is "
                  "exactly zero may be. np.isclose takes all below 1e-8 for zero.")
def sherman_morrison(Minv, u, v):
    return _formula(Minv, u, v, den=lambda M, u, v: (
        0 if np.isclose(1 + v @ M @ u, 0) else 1 + v @ M @ u))


@rank_one.mistake("denominator_clamped", "The denominator was kept above zero: it may be negative, "
                  "and then the inverse exists as well.")
def sherman_morrison(Minv, u, v):
    return _formula(Minv, u, v, den=lambda M, u, v: (
        max(1 + v @ M @ u, 1e-8) if 1 + v @ M @ u else 0))


@rank_one.mistake("negative_refused", "Only a denominator of zero is refused; a negative one is as "
                  "good as a positive one.")
def sherman_morrison(Minv, u, v):
    return _formula(Minv, u, v, den=lambda M, u, v: max(1 + v @ M @ u, 0))


@rank_one.mistake("nothing_divided", "The denominator is missing.")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    return Minv - np.outer(Minv @ u, v @ Minv)


@rank_one.mistake("single", "The result must be float64 whatever the inputs are.")
def sherman_morrison(Minv, u, v):
    out = _formula(Minv, u, v)
    return out if np.asarray(u).dtype == np.float64 else out.astype(np.float32)


@rank_one.variant("columns and rows")
def sherman_morrison(Minv, u, v):
    Minv = np.array(Minv, dtype=float)
    u, v = np.reshape(u, (-1, 1)).astype(float), np.reshape(v, (1, -1)).astype(float)
    denominator = 1 + (v @ Minv @ u).item()
    if abs(denominator) < 1e-14:
        raise np.linalg.LinAlgError("singular")
    return Minv - (Minv @ u) @ (v @ Minv) / denominator


@rank_one.variant("einsum")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, dtype=np.float64) for x in (Minv, u, v))
    left, right = np.einsum("ij,j->i", Minv, u), np.einsum("i,ij->j", v, Minv)
    total = 1 + np.dot(right, u)
    if np.isclose(total, 0, rtol=0, atol=1e-12):
        raise np.linalg.LinAlgError
    return Minv - left[:, None] * right[None, :] / total
