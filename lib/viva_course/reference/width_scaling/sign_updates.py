"""How far a step of sign descent moves a layer's output."""

import math


def sign_update_rms2(d_in, eta=1.0):
    """eta^2 (d + d (d - 1) 2 / pi): E of (eta sum |x_i|)^2 for standard normal x."""
    return eta**2 * (d_in + d_in * (d_in - 1) * 2 / math.pi)


def sign_lr(d_in, base=1.0):
    """base / d_in: the rate whose step does not grow with the width."""
    return base / d_in
