"""Attention in linear time, token by token."""
import numpy as np

from .common import as_float, divide


class LinearAttentionState:
    """Causal linear attention as a recurrence: S (C, M), Z (C,), and t tokens read so far.

    phi maps (D,) to (C,). `step(q, k, v)` absorbs one token, then answers for it:
    S += phi(k) v', Z += phi(k), returns phi(q) . S / phi(q) . Z of shape (M,).
    """

    def __init__(self, phi, C, M):
        self.phi = phi
        self.S, self.Z, self.t = np.zeros((C, M)), np.zeros(C), 0

    def reset(self):
        """Forget every token."""
        self.S, self.Z, self.t = np.zeros_like(self.S), np.zeros_like(self.Z), 0

    def step(self, q, k, v):
        """q (D,), k (D,), v (M,) -> (M,)."""
        key, query = as_float(self.phi(as_float(k))), as_float(self.phi(as_float(q)))
        self.S = self.S + np.outer(key, as_float(v))
        self.Z = self.Z + key
        self.t += 1
        return divide((query @ self.S)[None], (query @ self.Z)[None, None])[0]
