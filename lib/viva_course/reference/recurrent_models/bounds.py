"""What the bound of a product of Jacobians proves."""

import numpy as np


def gradient_verdict(W, gamma):
    """"vanishes" if gamma ||W||_2 < 1, else "undetermined".

    W (n, n); gamma >= 0 bounds |sigma'|, a negative one raises ValueError
    """
    if gamma < 0:
        raise ValueError("gamma bounds an absolute value: it cannot be negative")
    return "vanishes" if gamma * np.linalg.norm(W, 2) < 1 else "undetermined"
