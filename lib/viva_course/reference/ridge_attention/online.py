"""Ridge attention one pair at a time."""

import numpy as np


class RidgeAttentionState:
    """P = G^-1 by rank-one updates, H and t: answers H^T (P q) after any number of pairs.

    P (d, d), H (d, m), t: how many pairs there were
    """

    def __init__(self, d, m, lam):
        self.P, self.H, self.t = np.eye(d) / lam, np.zeros((d, m)), 0

    def update(self, k, v):
        """Take in the pair k (d,), v (m,)."""
        k, v = np.asarray(k, float), np.asarray(v, float)
        Pk = self.P @ k
        self.P = self.P - np.outer(Pk, Pk) / (1 + k @ Pk)
        self.H = self.H + np.outer(k, v)
        self.t += 1

    def query(self, q):
        """The prediction W^T q for q (d,): (m,), float64."""
        return self.H.T @ (self.P @ np.asarray(q, float))
