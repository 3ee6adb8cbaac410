"""What of the matrices can be compared between two heads."""
import numpy as np


def qk_ov(Km, Qm, Vm):
    """The two circuits of a head: $QK = Q_m K_m^T$ and $OV = V_m$.

    The scores before scaling are $Z\\,QK\\,Z^T$, so heads with equal circuits (and equal
    d_qk) are the same function.
    Km, Qm  (d, d_qk)
    Vm      (d, d_v)
    Returns QK (d, d) and a copy of `Vm` (d, d_v).
    """
    return np.asarray(Qm) @ np.asarray(Km).T, np.array(Vm)


def gauge_transform(Km, Qm, R):
    """The same head in another basis of query and key space: $(K_m R^{-T}, Q_m R)$.

    $Q_m R (K_m R^{-T})^T = Q_m K_m^T$ for every invertible R: all outputs stay.
    Km, Qm  (d, d_qk)
    R       (d_qk, d_qk) invertible
    Returns the new (Km, Qm), each (d, d_qk).
    """
    Km, Qm, R = np.asarray(Km), np.asarray(Qm), np.asarray(R)
    return np.linalg.solve(R, Km.T).T, Qm @ R
