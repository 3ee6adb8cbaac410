"""qk_ov and gauge_transform."""
import numpy as np

from viva.cases.hand_design_transformer.circuits import OVERWRITTEN, looked_at_later
from viva.cases.hand_design_transformer.head import random_head
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise, unmodified

circuits = Exercise(
    "qk_ov",
    expects={
        "qk_ov": "QK (d, d) so that the scores before scaling are X QK X^T, and a copy of Vm",
        "gauge_transform": "new keys and queries, (d, d_qk) each, with the same scores as before",
    },
)

circuits.values(2, "QK must give the scores before scaling, OV the values.",
                only=("circuits",), name="circuits")


@circuits.item(2.5, "Any invertible R leaves QK and every output as they were.")
def gauge(exam, qk_ov, gauge_transform):
    X, Km, Qm, Vm, _ = random_head(exam.rng, False)
    R = shear(exam.rng, Km.shape[1])
    K2, Q2 = gauge_transform(Km, Qm, R)
    exam.true(K2.shape == Km.shape and Q2.shape == Qm.shape, "the shapes must stay")
    # R may act on the keys and its inverse on the queries: the same freedom, read backwards
    exam.true(np.allclose(Q2, Qm @ R, rtol=1e-8, atol=1e-9)
                   or np.allclose(K2, Km @ R, rtol=1e-8, atol=1e-9),
              "the new basis must be the one that R describes")
    # solves with condition numbers of about 10
    tolerance = dict(rtol=1e-8, atol=1e-9)
    exam.same(Q2 @ K2.T, Qm @ Km.T, **tolerance)
    exam.same(reference.attention_head(X, K2, Q2, Vm), reference.attention_head(X, Km, Qm, Vm),
              **tolerance)


@circuits.item(1, "QK is (d, d), and its rank is at most d_qk.")
def shape_and_rank(exam, qk_ov, gauge_transform):
    for d, d_qk in ((6, 2), (3, 5)):
        Km, Qm = exam.rng.normal(size=(2, d, d_qk))
        QK, _ = qk_ov(Km, Qm, exam.rng.normal(size=(d, 4)))
        exam.same(QK, Qm @ Km.T)
        exam.true(np.linalg.matrix_rank(QK) == min(d, d_qk), "QK has the wrong rank")


@circuits.item(.5, "OV is an array of its own, and no argument is written into.")
def copies(exam, qk_ov, gauge_transform):
    unmodified(exam, qk_ov, gauge_transform)
    _, Km, Qm, Vm, _ = random_head(exam.rng, False)
    OV = looked_at_later(qk_ov, Km, Qm, Vm)
    exam.true(not np.array_equal(OV, np.full_like(Vm, OVERWRITTEN)),
              "OV is the array Vm itself: changing one changes the other")
    exam.same(OV, Vm)


def shear(rng, d):
    """An invertible matrix (d, d) that is neither orthogonal nor symmetric."""
    return np.eye(d) + np.triu(rng.uniform(.5, 1, (d, d)))


circuits.mistakes_of(qk_ov={
    "KQ_swapped": ("The circuit is Q K^T: rows belong to queries.",
                   lambda Km, Qm, Vm: (Km @ Qm.T, Vm.copy())),
    "small_gram": ("QK acts on tokens: it is (d, d), not (d_qk, d_qk).",
                   lambda Km, Qm, Vm: (Qm.T @ Km, Vm.copy())),
    "scaled": ("The circuit is meant before the division by sqrt(d_qk).",
               lambda Km, Qm, Vm: (Qm @ Km.T / np.sqrt(Km.shape[1]), Vm.copy())),
    "OV_gram": ("There is no output matrix here: OV is Vm alone.",
                lambda Km, Qm, Vm: (Qm @ Km.T, Vm @ Vm.T)),
    "OV_alias": ("OV is the array Vm itself: return a copy.", lambda Km, Qm, Vm: (Qm @ Km.T, Vm)),
})
circuits.mistakes_of(gauge_transform={
    "gauge_same_R": ("Km R works for orthogonal R only: keys need the inverse of R^T.",
                     lambda Km, Qm, R: (Km @ R, Qm @ R)),
    "gauge_no_transpose": ("Keys need the inverse of R, transposed.",
                           lambda Km, Qm, R: (Km @ np.linalg.inv(R), Qm @ R)),
    "gauge_transpose_only": ("The transpose is the inverse for orthogonal R only.",
                             lambda Km, Qm, R: (Km @ R.T, Qm @ R)),
    "gauge_order": ("Return the keys' matrix first, then the queries'.",
                    lambda Km, Qm, R: (Qm @ R, Km @ np.linalg.inv(R).T)),
    "gauge_nothing": ("The matrices do not change at all.",
                      lambda Km, Qm, R: (Km.copy(), Qm.copy())),
    "gauge_diagonal": ("All of R acts on the queries, not its diagonal alone.",
                       lambda Km, Qm, R: (Km / np.diag(R), Qm * np.diag(R))),
})


@circuits.mistake("gauge_in_place", "Qm is overwritten in the caller's own array.")
def gauge_transform(Km, Qm, R):
    Qm[:] = Qm @ R
    return Km @ np.linalg.inv(R).T, Qm


@circuits.variant("inverse of the transpose")
def gauge_transform(Km, Qm, R):
    return Km @ np.linalg.inv(R.T), np.dot(Qm, R)


@circuits.variant("einsum")
def qk_ov(Km, Qm, Vm):
    return np.einsum("ik,jk->ij", Qm, Km), Vm + 0.0
