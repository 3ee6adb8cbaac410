"""Cases of the circuits of a head."""
import numpy as np

from viva.case import candidate_side, case, rule

from .head import random_head


@case("qk_ov")
def circuits(rng, qk_ov):
    """QK and OV; scores before scaling are X QK X^T"""
    X, Km, Qm, Vm, _ = random_head(rng, False)
    QK, OV = qk_ov(Km, Qm, Vm)
    return {"QK": QK, "OV": OV, "scores": X @ QK @ X.T}


@case("qk_ov", rtol=1e-8, atol=1e-9)                 # a solve with condition number about 10
def gauge(rng, gauge_transform):
    """QK after a change of basis of query and key space"""
    _, Km, Qm, _, _ = random_head(rng, False)
    d_qk = Km.shape[1]
    K2, Q2 = gauge_transform(Km, Qm, np.eye(d_qk) + np.triu(rng.uniform(.5, 1, (d_qk, d_qk))))
    return {"QK": Q2 @ K2.T, "changed": not np.allclose(K2, Km, rtol=1e-3, atol=1e-3)}


OVERWRITTEN = -1000.0


@candidate_side
def looked_at_later(qk_ov, Km, Qm, Vm):
    """The OV circuit, looked at only after the array of Vm has been used for something else."""
    given = Vm.copy()
    OV = qk_ov(Km, Qm, given)[1]
    given[:] = OVERWRITTEN
    return OV


@rule("qk_ov")
def equal_widths(rng, qk_ov):
    """d = d_qk = 3"""
    Km, Qm, Vm = rng.normal(size=(3, 3, 3))
    return qk_ov(Km, Qm, Vm)


@rule("qk_ov")
def own_memory(rng, qk_ov):
    """the OV circuit is a copy: it stays as it was when the array of Vm is overwritten"""
    Km, Qm, Vm = (rng.normal(size=(4, n)) for n in (2, 2, 3))
    return looked_at_later(qk_ov, Km, Qm, Vm)


@rule("qk_ov", rtol=1e-8, atol=1e-9)                 # a solve with condition number about 10
def every_basis(rng, gauge_transform):
    """the queries are Qm R, for an R with entries on both sides of the diagonal"""
    Km, Qm = rng.normal(size=(2, 4, 3))
    R = 2 * np.eye(3) + rng.uniform(0.3, 0.6, (3, 3))
    K2, Q2 = gauge_transform(Km, Qm, R)
    return {"new queries": Q2, "new keys": K2}
