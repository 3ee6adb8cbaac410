"""Cases of `grad_w_std`."""

from viva.case import case


@case("grad_w_std")
def worked(rng, grad_w_std):
    """n=10, k=3, sx=2, sy=1.5: 24"""
    return grad_w_std(10, 3, 2.0, 1.5)


@case("grad_w_std")
def other_sizes(rng, grad_w_std):
    """another image, another kernel, other deviations"""
    return [grad_w_std(n, k, float(rng.uniform(1.2, 3)), float(rng.uniform(0.1, 0.8)))
            for n, k in ((12, 5), (31, 7), (6, 6))]
