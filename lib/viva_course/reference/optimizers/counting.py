"""Steps that an optimizer needs on a quadratic."""
import numpy as np


def iterations_to(step, H, theta0, tol, max_iter=20000):
    """Number of steps on theta^T H theta / 2 until ||theta|| <= tol ||theta0||.

    step: step(theta, grad, state) -> (theta, state), state None at first.
    H: (d, d) symmetric. theta0: (d,), not modified. Returns an int, at most max_iter.
    """
    H, theta = np.asarray(H, float), np.array(theta0, float)  # (d, d), (d,)
    goal, state = tol * np.linalg.norm(theta), None
    for n in range(max_iter):
        if np.linalg.norm(theta) <= goal:
            return n
        theta, state = step(theta, H @ theta, state)
    return max_iter
