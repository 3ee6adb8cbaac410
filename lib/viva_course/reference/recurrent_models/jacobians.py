"""What one step, and many steps, do to a small change of the state."""

import numpy as np


def step_jacobian(W, h_prev, dsigma):
    """dh_t / dh_{t-1} = W diag(sigma'(h_{t-1})).

    W (n, n), h_prev (n,), dsigma the derivative of sigma, entry by entry
    returns J (n, n), J[i, j] = dh_t[i] / dh_{t-1}[j]
    """
    return W * dsigma(h_prev)  # column j is scaled by sigma'(h_j)


def jacobian_product(W, H, dsigma):
    """dh_t / dh_k, the product of the steps' Jacobians, the newest on the left.

    W (n, n), H (m, n): the states h_k .. h_{t-1} from which the m = t - k steps start
    returns (n, n); the identity for m = 0
    """
    J = np.eye(len(W))
    for h in H:
        J = step_jacobian(W, h, dsigma) @ J
    return J
