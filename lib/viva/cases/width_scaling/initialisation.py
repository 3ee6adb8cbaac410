"""Cases of `dense_rms2` and `mup_init_std`."""

from viva.case import case


@case("dense_rms2")
def standard_normal(rng, dense_rms2):
    """d_in = 256: standard normal weights give 256, a deviation of 1/16 gives 1"""
    return dense_rms2(256, 1.0), dense_rms2(256, 1 / 16)


@case("dense_rms2")
def other_inputs(rng, dense_rms2):
    """other sizes, other weights, inputs of another rms"""
    return [dense_rms2(int(rng.integers(10, 99)), float(rng.uniform(0.1, 0.9)),
                       x_rms=float(rng.uniform(1.5, 3))) for _ in range(2)]


@case("dense_rms2")
def square_and_widening(rng, mup_init_std):
    """400 to 400: 0.05; 100 to 800: 0.1"""
    return mup_init_std(400, 400), mup_init_std(100, 800)


@case("dense_rms2")
def narrowing(rng, mup_init_std):
    """1600 to 50, and 64 to 10 or so: small enough for the spectral condition"""
    return mup_init_std(1600, 50), mup_init_std(64, int(rng.integers(5, 20)))
