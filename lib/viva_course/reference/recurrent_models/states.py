"""The two ways to write a recurrent network."""

import numpy as np


def rnn_preact(W, U, b, X, h0, sigma):
    """h_t = W sigma(h_{t-1}) + U x_t + b.

    W (n, n), U (n, d), b (n,), X (T, d), h0 (n,); sigma maps arrays entry by entry
    returns h_1 .. h_T, (T, n)
    """
    states, h = np.empty((len(X), len(b))), np.asarray(h0, float)
    for t, x in enumerate(X):
        h = W @ sigma(h) + U @ x + b
        states[t] = h
    return states


def rnn_postact(W, U, b, X, g0, sigma):
    """g_t = sigma(W g_{t-1} + U x_t + b).

    W (n, n), U (n, d), b (n,), X (T, d), g0 (n,); sigma maps arrays entry by entry
    returns g_1 .. g_T, (T, n)
    """
    states, g = np.empty((len(X), len(b))), np.asarray(g0, float)
    for t, x in enumerate(X):
        g = sigma(W @ g + U @ x + b)
        states[t] = g
    return states
