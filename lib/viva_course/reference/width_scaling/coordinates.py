"""The coordinate check: does what a network learns depend on its width?"""

import numpy as np


def coord_check(width, rule, steps=3, seed=0):
    """RMS change of the last hidden features of a ReLU network after some steps of sign descent.

    rule: "const", a rate that does not depend on the width, or "mup", a rate over d_in
    """
    rng = np.random.default_rng(seed)
    dims = (32, width, width, 1)
    X, y = rng.normal(size=(16, dims[0])), rng.normal(size=(16, 1))
    W = [rng.normal(size=(b, a)) * min(1, np.sqrt(b / a)) / np.sqrt(a)
         for a, b in zip(dims, dims[1:], strict=False)]

    def features():
        hidden = [X]
        for w in W[:-1]:
            hidden.append(np.maximum(hidden[-1] @ w.T, 0) * np.sqrt(2))
        return hidden

    before = features()[-1]
    for _ in range(steps):
        hidden = features()
        delta, moves = hidden[-1] @ W[-1].T - y, []
        for layer in (2, 1, 0):
            moves.append(delta.T @ hidden[layer])
            delta = (delta @ W[layer]) * (hidden[layer] > 0)
        for w, move in zip(W, reversed(moves), strict=True):
            rate = 0.001 if rule == "const" else 0.05 / w.shape[1]
            w -= rate * np.sign(move)
    return float(np.sqrt(np.mean((features()[-1] - before) ** 2)))
