"""What multi-head attention costs: multiply-adds and numbers alive at once."""


def mha_macs(n, d, h=1):
    """h (3 n d^2 + 2 n^2 d), and n (h d) d more for the output projection if h > 1.

    n tokens, d features, h heads with d x d projections each
    returns an int
    """
    output = n * (h * d) * d if h > 1 else 0
    return h * (3 * n * d * d + 2 * n * n * d) + output


def mha_floats(n, d, h=1, sequential=True):
    """n d + (3 n d + n^2) + n h d; with all heads at once h (3 n d + n^2) in the middle.

    n tokens, d features, h heads; sequential: one head after the other
    returns an int
    """
    alive = 1 if sequential else h
    return n * d + alive * (3 * n * d + n * n) + n * h * d
