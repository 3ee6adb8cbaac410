"""Cases of `sign_update_rms2` and `sign_lr`."""

from viva.case import case


@case("sign_update_rms2")
def one_input(rng, sign_update_rms2):
    """d_in = 1: E x^2 = 1, times eta^2"""
    return sign_update_rms2(1), sign_update_rms2(1, eta=0.3)


@case("sign_update_rms2")
def fifty_inputs(rng, sign_update_rms2):
    """d_in = 50: 1609.718"""
    return sign_update_rms2(50)


@case("sign_update_rms2")
def other_sizes(rng, sign_update_rms2):
    """another width, another rate"""
    return sign_update_rms2(int(rng.integers(2, 40)), eta=float(rng.uniform(0.1, 0.7)))


@case("sign_update_rms2")
def rates(rng, sign_lr):
    """64 inputs; and another width with another base"""
    return sign_lr(64), sign_lr(int(rng.integers(100, 900)), base=float(rng.uniform(2, 5)))
