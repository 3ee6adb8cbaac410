"""Exam of `qk_circuit` and `ov_circuit`."""

import numpy as np

from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise

pair = Exercise(
    "qk_circuit", points=16, reference=(reference.qk_circuit, reference.ov_circuit),
    expects={
        "qk_circuit": "M (d_model, d_model) with x_i^T M x_j = (W_Q x_i) . (W_K x_j)",
        "ov_circuit": "M (d_model, d_model) for which the head adds M X P^T to the stream",
    },
)

pair.values(4, "x_i^T M x_j is the score of query i for key j, without a scale.", name="QK",
            only=("score_matrix", "as_wide_as_the_model", "scores"))
pair.values(4, "The head adds M X P^T, P its pattern.", name="OV",
            only=("moved_matrix", "square_moved_matrix", "head_output"))


def _matrices(rng, d_model, d_head):
    """W_Q, W_K, W_V (d_head, d_model) and W_O^h (d_model, d_head)."""
    shapes = [(d_head, d_model)] * 3 + [(d_model, d_head)]
    return [rng.normal(size=shape) for shape in shapes]


@pair.item("size and rank", 2, "Both are d_model x d_model, of rank d_head at most; QK is not "
           "symmetric.")
def _(exam, qk_circuit, ov_circuit):
    WQ, WK, WV, WO = _matrices(exam.rng, 7, 3)
    qk, ov = np.asarray(qk_circuit(WQ, WK), float), np.asarray(ov_circuit(WO, WV), float)
    for name, M in (("QK", qk), ("OV", ov)):
        exam.true(M.shape == (7, 7), f"{name} has shape {M.shape}")
        exam.true(int(np.linalg.matrix_rank(M)) == 3, f"the rank of {name} is not 3")
    exam.same(qk, reference.qk_circuit(WQ, WK))
    exam.same(ov, reference.ov_circuit(WO, WV))


@pair.item("where it writes", 2, "What a head writes lies in the columns of W_O^h.")
def _(exam, qk_circuit, ov_circuit):
    _, _, WV, WO = _matrices(exam.rng, 6, 2)
    M = np.asarray(ov_circuit(WO, WV), float)
    out = M @ exam.rng.normal(size=(6, 5)) @ exam.rng.dirichlet(np.ones(5), size=5).T
    exam.true(bool(np.abs(out).max() > 1e-6), "nothing is written")
    inside = WO @ np.linalg.lstsq(WO, out, rcond=None)[0]
    exam.same(out, inside, rtol=0, atol=1e-9)
    exam.same(M @ WV.T, WO @ (WV @ WV.T))


@pair.item("change of basis", 2, "Another basis inside the head changes neither circuit.")
def _(exam, qk_circuit, ov_circuit):
    WQ, WK, WV, WO = _matrices(exam.rng, 5, 3)
    R = np.linalg.qr(exam.rng.normal(size=(3, 3)))[0] * exam.rng.uniform(0.5, 2, 3)
    back = np.linalg.inv(R)
    exam.same(qk_circuit(R @ WQ, back.T @ WK), reference.qk_circuit(WQ, WK), rtol=1e-8, atol=1e-8)
    exam.same(ov_circuit(WO @ R, back @ WV), reference.ov_circuit(WO, WV), rtol=1e-8, atol=1e-8)


@pair.item("reading it", 2, "The identity asks for similar tokens, one row for one feature, a "
           "minus for dissimilar tokens.")
def _(exam, qk_circuit, ov_circuit):
    X, one = exam.rng.normal(size=(4, 6)), np.eye(4)[:1]
    for WQ, WK, expected in (
        (np.eye(4), np.eye(4), X.T @ X),
        (one, one, np.outer(X[0], X[0])),
        (np.eye(4), -np.eye(4), -X.T @ X),
    ):
        exam.same(X.T @ np.asarray(qk_circuit(WQ, WK), float) @ X, expected)
    exam.same(np.asarray(ov_circuit(one.T, 3 * one), float), 3 * np.outer(one, one))


@pair.mistake("small", "This is d_head x d_head; the circuit maps the stream: d_model x d_model.")
def qk_circuit(WQ, WK):
    return WQ @ WK.T


@pair.mistake("QK_transposed", "Rows belong to the query: x_i^T M x_j. This is the transpose.")
def qk_circuit(WQ, WK):
    return WK.T @ WQ


@pair.mistake("symmetrised", "A query is not a key: the matrix is not symmetric in general.")
def qk_circuit(WQ, WK):
    return (WQ.T @ WK + WK.T @ WQ) / 2


@pair.mistake("scaled", "The circuit is without the scale: sqrt(d_head) is not part of it.")
def qk_circuit(WQ, WK):
    return WQ.T @ WK / np.sqrt(len(WQ))


@pair.mistake("scaled_d_model", "The circuit is without any scale.")
def qk_circuit(WQ, WK):
    return WQ.T @ WK / np.sqrt(WQ.shape[1])


@pair.mistake("only_Q", "W_K is not used.")
def qk_circuit(WQ, WK):
    return WQ.T @ WQ


@pair.mistake("elementwise", "The matrices are multiplied entry by entry; a product of matrices is "
              "asked for.")
def qk_circuit(WQ, WK):
    return WQ * WK


@pair.mistake("VO", "This is the transpose: W_V reads first, then W_O^h writes.")
def ov_circuit(WO_h, WV):
    return WV.T @ WO_h.T


@pair.mistake("small_ov", "This is d_head x d_head: first W_V, then W_O^h, from stream to stream.")
def ov_circuit(WO_h, WV):
    return WV @ WO_h


@pair.mistake("only_V", "W_O^h is ignored: a head writes through it.")
def ov_circuit(WO_h, WV):
    return WV.T @ WV


@pair.mistake("only_O", "W_V is ignored: a head reads through it.")
def ov_circuit(WO_h, WV):
    return WO_h @ WO_h.T


@pair.mistake("ov_symmetrised", "What is read and what is written differ: do not symmetrise.")
def ov_circuit(WO_h, WV):
    return (WO_h @ WV + WV.T @ WO_h.T) / 2


@pair.mistake("with_skip", "The skip connection is not part of the head.")
def ov_circuit(WO_h, WV):
    return np.eye(len(WO_h)) + WO_h @ WV


@pair.mistake("ov_scaled", "There is no scale in the OV circuit.")
def ov_circuit(WO_h, WV):
    return WO_h @ WV / np.sqrt(len(WV))


@pair.variant("einsum")
def qk_circuit(WQ, WK):
    return np.einsum("hi,hj->ij", WQ, WK)


@pair.variant("a sum of outer products")
def ov_circuit(WO_h, WV):
    return sum(np.outer(WO_h[:, i], WV[i]) for i in range(len(WV)))
