"""Exam of `grad_w_std`."""

import numpy as np

from viva_course.reference import convolution as reference
from viva_course.rubric import Exercise

noise = Exercise("grad_w_std", "the standard deviation of one entry of dw, as a number")

noise.values(2, "The standard deviation of a sum of independent products, over all outputs.")


@noise.item(1.5, "A thousand random images and gradients must have this standard deviation, within "
            "4%.")
def measured(exam, grad_w_std):
    draws = 2000  # the relative standard error of a deviation from 9 x 2000 numbers is below 0.8%
    for n, k in ((12, 3), (20, 5)):
        sx, sy, m = 1.5, 0.3, n - k + 1
        X = sx * exam.rng.normal(size=(draws, n, n))
        dY = sy * exam.rng.normal(size=(draws, m, m))
        dw = np.stack([np.einsum("bij,bij->b", X[:, h : h + m, h : h + m], dY) for h in range(k)])
        exam.true(abs(grad_w_std(n, k, sx, sy) / dw.std() - 1) < 0.04,
                  f"for n = {n}, k = {k} the measured standard deviation is {dw.std():.3g}")


@noise.item(1.5, "It grows with the side of the output, in proportion, and with sx and sy.")
def how_it_grows(exam, grad_w_std):
    n, k = int(exam.rng.integers(9, 30)), int(exam.rng.integers(2, 6))
    sx, sy = (float(s) for s in exam.rng.uniform(0.3, 3, 2))
    once = grad_w_std(n, k, sx, sy)
    exam.true(once > 0, "a standard deviation is positive")
    exam.same(grad_w_std(2 * n - k + 1, k, sx, sy), 2 * float(once))
    exam.same(grad_w_std(n, k, 3 * sx, sy), 3 * float(once))
    exam.same(grad_w_std(n, k, sx, 5 * sy), 5 * float(once))
    exam.same(grad_w_std(n + 1, k + 1, sx, sy), float(once))
    exam.same(once, reference.grad_w_std(n, k, sx, sy))


noise.mistakes_of(grad_w_std={
    "variance": ("This is the variance: take its root.",
                 lambda n, k, sx, sy: reference.grad_w_std(n, k, sx, sy) ** 2),
    "sqrt_m": ("The output has m x m pixels, so the variance has m^2 terms.",
               lambda n, k, sx, sy: np.sqrt(n - k + 1) * sx * sy),
    "no_k": ("The kernel fits at n - k + 1 places in a row, not at n.",
             lambda n, k, sx, sy: n * sx * sy),
    "k_not_m": ("The sum runs over the outputs, not over the kernel.",
                lambda n, k, sx, sy: k * sx * sy),
    "one_short": ("From the first to the last place there are n - k steps, so n - k + 1 places.",
                  lambda n, k, sx, sy: (n - k) * sx * sy),
    "deviations_add": ("All m^2 terms are independent: their variances add, not their deviations.",
                       lambda n, k, sx, sy: (n - k + 1) ** 2 * sx * sy),
    "sum_of_variances": ("The variance of a product of centred independent numbers is the product "
                         "of the variances.",
                         lambda n, k, sx, sy: (n - k + 1) * np.sqrt(sx**2 + sy**2)),
    "mean_over_places": ("dw is a sum over the places, not their mean.",
                         lambda n, k, sx, sy: sx * sy / (n - k + 1)),
    "roots_of_deviations": ("sx and sy are standard deviations already.",
                            lambda n, k, sx, sy: (n - k + 1) * np.sqrt(sx * sy)),
})


@noise.variant("through the variance")
def grad_w_std(n, k, sx, sy):
    terms = (n - k + 1) ** 2
    return float(np.sqrt(terms * sx**2 * sy**2))
