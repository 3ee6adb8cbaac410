"""Back-propagation through time for a loss of the last state."""

import numpy as np


def bptt(W, U, b, X, h0, dL_dhT):
    """Gradients of L(h_T) for h_t = W tanh(h_{t-1}) + U x_t + b.

    W (n, n), U (n, d), b (n,), X (T, d), h0 (n,), dL_dhT (n,); T = 0 raises ValueError
    returns (dW (n, n), dU (n, d), db (n,), G (T, n)), G[t - 1] = dL/dh_t
    """
    if len(X) == 0:
        raise ValueError("no step, no gradient")
    states = [np.asarray(h0, float)]  # h_0 .. h_T
    for x in X:
        states.append(W @ np.tanh(states[-1]) + U @ x + b)
    before = np.tanh(np.array(states[:-1]))  # (T, n) tanh(h_0) .. tanh(h_{T-1})
    G = np.empty((len(X), len(b)))
    G[-1] = dL_dhT
    for t in range(len(X) - 1, 0, -1):
        G[t - 1] = (1 - before[t] ** 2) * (W.T @ G[t])
    return G.T @ before, G.T @ X, G.sum(axis=0), G
