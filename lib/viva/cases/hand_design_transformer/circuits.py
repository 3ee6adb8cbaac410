"""Cases of the circuits of a head."""
import numpy as np

from viva.case import beside, case

from .head import random_head


@case("qk_ov")
def circuits(rng, qk_ov, gauge_transform):
    """QK and OV; scores before scaling are X QK X^T"""
    X, Km, Qm, Vm, _ = random_head(rng, False)
    QK, OV = qk_ov(Km, Qm, Vm)
    return {"QK": QK, "OV": OV, "scores": X @ QK @ X.T}


@case("qk_ov", rtol=1e-8, atol=1e-9)                 # a solve with condition number about 10
def gauge(rng, qk_ov, gauge_transform):
    """QK after a change of basis of query and key space"""
    _, Km, Qm, _, _ = random_head(rng, False)
    d_qk = Km.shape[1]
    K2, Q2 = gauge_transform(Km, Qm, np.eye(d_qk) + np.triu(rng.uniform(.5, 1, (d_qk, d_qk))))
    return {"QK": Q2 @ K2.T, "changed": not np.allclose(K2, Km, rtol=1e-3, atol=1e-3)}


@beside
def shares_memory(qk_ov, Km, Qm, Vm):
    """The OV circuit, and whether it lives in the memory of Vm."""
    OV = qk_ov(Km, Qm, Vm)[1]
    return {"OV": OV, "shared": bool(np.shares_memory(OV, Vm))}
