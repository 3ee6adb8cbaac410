"""Exam of `qk_circuit` and `ov_circuit`."""

import numpy as np

from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise

pair = Exercise(
    "qk_circuit",
    expects={
        "qk_circuit": "M (d_model, d_model) with x_i^T M x_j = (W_Q x_i) . (W_K x_j)",
        "ov_circuit": "M (d_model, d_model) for which the head adds M X P^T to the stream",
    },
)

pair.values(2, "x_i^T M x_j is the score of query i for key j, without a scale.", name="QK",
            only=("score_matrix", "as_wide_as_the_model", "scores"))
pair.values(2, "The head adds M X P^T, P its pattern.", name="OV",
            only=("moved_matrix", "square_moved_matrix", "head_output"))


def _matrices(rng, d_model, d_head):
    """W_Q, W_K, W_V (d_head, d_model) and W_O^h (d_model, d_head)."""
    shapes = [(d_head, d_model)] * 3 + [(d_model, d_head)]
    return [rng.normal(size=shape) for shape in shapes]


@pair.item(1, "Both are d_model x d_model, of rank d_head at most; QK is not symmetric.")
def size_and_rank(exam, qk_circuit, ov_circuit):
    WQ, WK, WV, WO = _matrices(exam.rng, 7, 3)
    qk, ov = np.asarray(qk_circuit(WQ, WK), float), np.asarray(ov_circuit(WO, WV), float)
    for name, M in (("QK", qk), ("OV", ov)):
        exam.true(M.shape == (7, 7), f"{name} has shape {M.shape}")
        exam.true(int(np.linalg.matrix_rank(M)) == 3, f"the rank of {name} is not 3")
    exam.same(qk, reference.qk_circuit(WQ, WK))
    exam.same(ov, reference.ov_circuit(WO, WV))


@pair.item(1, "What a head writes lies in the columns of W_O^h.")
def where_it_writes(exam, qk_circuit, ov_circuit):
    _, _, WV, WO = _matrices(exam.rng, 6, 2)
    M = np.asarray(ov_circuit(WO, WV), float)
    out = M @ exam.rng.normal(size=(6, 5)) @ exam.rng.dirichlet(np.ones(5), size=5).T
    exam.true(np.abs(out).max() > 1e-6, "nothing is written")
    inside = WO @ np.linalg.lstsq(WO, out, rcond=None)[0]
    exam.same(out, inside, rtol=0, atol=1e-9)
    exam.same(M @ WV.T, WO @ (WV @ WV.T))


@pair.item(1, "Another basis inside the head changes neither circuit.")
def change_of_basis(exam, qk_circuit, ov_circuit):
    WQ, WK, WV, WO = _matrices(exam.rng, 5, 3)
    R = np.linalg.qr(exam.rng.normal(size=(3, 3)))[0] * exam.rng.uniform(0.5, 2, 3)
    back = np.linalg.inv(R)
    exam.same(qk_circuit(R @ WQ, back.T @ WK), reference.qk_circuit(WQ, WK), rtol=1e-8, atol=1e-8)
    exam.same(ov_circuit(WO @ R, back @ WV), reference.ov_circuit(WO, WV), rtol=1e-8, atol=1e-8)


@pair.item(1, "The identity asks for similar tokens, one row for one feature, a minus for "
           "dissimilar tokens.")
def reading_it(exam, qk_circuit, ov_circuit):
    X, one = exam.rng.normal(size=(4, 6)), np.eye(4)[:1]
    for WQ, WK, expected in (
        (np.eye(4), np.eye(4), X.T @ X),
        (one, one, np.outer(X[0], X[0])),
        (np.eye(4), -np.eye(4), -X.T @ X),
    ):
        exam.same(X.T @ np.asarray(qk_circuit(WQ, WK), float) @ X, expected)
    exam.same(np.asarray(ov_circuit(one.T, 3 * one), float), 3 * np.outer(one, one))


pair.mistakes_of(qk_circuit={
    "small": ("This is d_head x d_head; the circuit maps the stream: d_model x d_model.",
              lambda WQ, WK: WQ @ WK.T),
    "QK_transposed": ("Rows belong to the query: x_i^T M x_j. This is the transpose.",
                      lambda WQ, WK: WK.T @ WQ),
    "symmetrised": ("A query is not a key: the matrix is not symmetric in general.",
                    lambda WQ, WK: (WQ.T @ WK + WK.T @ WQ) / 2),
    "scaled": ("The circuit is without the scale: sqrt(d_head) is not part of it.",
               lambda WQ, WK: WQ.T @ WK / np.sqrt(len(WQ))),
    "scaled_d_model": ("The circuit is without any scale.",
                       lambda WQ, WK: WQ.T @ WK / np.sqrt(WQ.shape[1])),
    "only_Q": ("W_K is not used.", lambda WQ, WK: WQ.T @ WQ),
    "elementwise": ("The matrices are multiplied entry by entry; a product of matrices is asked "
                    "for.",
                    lambda WQ, WK: WQ * WK),
})
pair.mistakes_of(ov_circuit={
    "VO": ("This is the transpose: W_V reads first, then W_O^h writes.",
           lambda WO_h, WV: WV.T @ WO_h.T),
    "small_ov": ("This is d_head x d_head: first W_V, then W_O^h, from stream to stream.",
                 lambda WO_h, WV: WV @ WO_h),
    "only_V": ("W_O^h is ignored: a head writes through it.", lambda WO_h, WV: WV.T @ WV),
    "only_O": ("W_V is ignored: a head reads through it.", lambda WO_h, WV: WO_h @ WO_h.T),
    "ov_symmetrised": ("What is read and what is written differ: do not symmetrise.",
                       lambda WO_h, WV: (WO_h @ WV + WV.T @ WO_h.T) / 2),
    "with_skip": ("The skip connection is not part of the head.",
                  lambda WO_h, WV: np.eye(len(WO_h)) + WO_h @ WV),
    "ov_scaled": ("There is no scale in the OV circuit.",
                  lambda WO_h, WV: WO_h @ WV / np.sqrt(len(WV))),
})


pair.variants_of(qk_circuit={"einsum": lambda WQ, WK: np.einsum("hi,hj->ij", WQ, WK)})


@pair.variant("a sum of outer products")
def ov_circuit(WO_h, WV):
    return sum(np.outer(WO_h[:, i], WV[i]) for i in range(len(WV)))
