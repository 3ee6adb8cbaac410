"""How large the gradient of a shared weight is."""


def grad_w_std(n, k, sx, sy):
    """m sx sy with m = n - k + 1: a sum of m^2 products of independent centred numbers.

    n: side of the image; k: side of the kernel; sx, sy: standard deviations of x and dy
    """
    return (n - k + 1) * sx * sy
