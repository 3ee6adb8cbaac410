"""Exam of `sign_update_rms2` and `sign_lr`."""

import math

import numpy as np

from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

signs = Exercise(
    "sign_update_rms2",
    expects={
        "sign_update_rms2": "the expectation of rms(dW x)^2 for standard normal x, as a number",
        "sign_lr": "the rate that keeps this size at every width, base at width 1",
    },
)

signs.values(3, "Every entry of dW x is eta times the sum of |x_i|, up to its sign.",
             only=("one_input", "fifty_inputs", "other_sizes"), name="size of an update")
signs.values(2, "The size grows with the width, so the rate falls with it.", only=("rates",),
             name="rate")


@signs.item(2, "Twenty thousand random inputs must agree within 3%.")
def measured(exam, sign_update_rms2, sign_lr):
    for d_in in (2, 50):
        eta = float(exam.rng.uniform(0.2, 0.6))
        x, g = exam.rng.normal(size=(20_000, d_in)), exam.rng.normal(size=3)
        dy = eta * np.sign(g) * np.abs(x).sum(axis=1)[:, None]  # sign(g x^T) x, (20 000, 3)
        found, expected = np.mean(dy**2), sign_update_rms2(d_in, eta)
        exam.true(abs(expected / found - 1) < 0.03,  # relative standard error below 0.6%
                  f"measured {found:.4g} for {d_in} inputs")


@signs.item(2, "With your rate the step is the same from width 64 to 4096: an RMS of 0.79 to 0.85 "
            "for base 1.")
def any_width(exam, sign_update_rms2, sign_lr):
    for d_in in (64, 300, 4096):
        size = math.sqrt(float(reference.sign_update_rms2(d_in, float(sign_lr(d_in)))))
        exam.true(0.79 < size < 0.85, f"at width {d_in} the step has the RMS {size:.3g}")
        found = float(sign_update_rms2(d_in, 2.0))
        exam.same(found, reference.sign_update_rms2(d_in, 2.0))
    exam.same(sign_lr(300, base=6.0), 6 * float(sign_lr(300)))


signs.mistakes_of(sign_update_rms2={
    "d_squared": ("The mean of |x| is not 1 for a normal x: a constant is missing.",
                  lambda d_in, eta=1.0: eta**2 * d_in**2),
    "square_of_mean": ("The mean of a square is more than the square of the mean: the terms with i "
                       "= j are different.",
                       lambda d_in, eta=1.0: eta**2 * d_in**2 * 2 / math.pi),
    "iid_signs": ("The signs of dW agree with those of x: the terms |x_i| do not cancel.",
                  lambda d_in, eta=1.0: eta**2 * d_in),
    "eta_first_power": ("The rate enters squared.",
                        lambda d_in, eta=1.0: eta * reference.sign_update_rms2(d_in)),
    "eta_ignored": ("The rate scales the update.",
                    lambda d_in, eta=1.0: reference.sign_update_rms2(d_in)),
    "root": ("The square of the RMS is asked for.",
             lambda d_in, eta=1.0: math.sqrt(reference.sign_update_rms2(d_in, eta))),
    "mean_absolute_not_squared": (
        "Two different inputs contribute E|x| E|y| = 2 / pi, not the root of it.",
        lambda d_in, eta=1.0: eta**2 * (d_in + d_in * (d_in - 1) * math.sqrt(2 / math.pi))),
    "all_pairs": ("There are d (d - 1) pairs of different inputs, not d^2.",
                  lambda d_in, eta=1.0: eta**2 * (d_in + d_in**2 * 2 / math.pi)),
    "half_the_pairs": ("Each pair appears twice in the square of a sum.",
                       lambda d_in, eta=1.0: eta**2 * (d_in + d_in * (d_in - 1) / math.pi)),
})
signs.mistakes_of(sign_lr={
    "lr_const": ("A rate that does not depend on the width makes wide layers jump.",
                 lambda d_in, base=1.0: base),
    "lr_root": ("The step grows in proportion to the width, not to its root.",
                lambda d_in, base=1.0: base / math.sqrt(d_in)),
    "lr_squared": ("The RMS grows like d, only its square like d^2.",
                   lambda d_in, base=1.0: base / d_in**2),
    "lr_grows": ("The rate must fall with the width.", lambda d_in, base=1.0: base * d_in),
    "lr_exact": ("This makes the step 1 at every width; base times a power of d_in is asked for.",
                 lambda d_in, base=1.0: base / math.sqrt(reference.sign_update_rms2(d_in))),
    "base_ignored": ("`base` multiplies the rate.", lambda d_in, base=1.0: 1 / d_in),
})


@signs.variant("mean and variance of the sum")
def sign_update_rms2(d_in, eta=1.0):
    mean = d_in * np.sqrt(2 / np.pi)
    return eta**2 * (mean**2 + d_in * (1 - 2 / np.pi))
