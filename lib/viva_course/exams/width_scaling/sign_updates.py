"""Exam of `sign_update_rms2` and `sign_lr`."""

import math

import numpy as np

from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

signs = Exercise(
    "sign_update_rms2", points=9, reference=(reference.sign_update_rms2, reference.sign_lr),
    expects={
        "sign_update_rms2": "the expectation of rms(dW x)^2 for standard normal x, as a number",
        "sign_lr": "the rate that keeps this size at every width, base at width 1",
    },
)

signs.values(3, "Every entry of dW x is eta times the sum of |x_i|, up to its sign.",
             only=("one_input", "fifty_inputs", "other_sizes"), name="size of an update")
signs.values(2, "The size grows with the width, so the rate falls with it.", only=("rates",),
             name="rate")


@signs.item("measured", 2, "Twenty thousand random inputs must agree within 3%.")
def _(exam, sign_update_rms2, sign_lr):
    for d_in in (2, 50):
        eta = float(exam.rng.uniform(0.2, 0.6))
        x, g = exam.rng.normal(size=(20_000, d_in)), exam.rng.normal(size=3)
        dy = eta * np.sign(g) * np.abs(x).sum(axis=1)[:, None]  # sign(g x^T) x, (20 000, 3)
        found, expected = np.mean(dy**2), sign_update_rms2(d_in, eta)
        exam.true(bool(abs(expected / found - 1) < 0.03),  # relative standard error below 0.6%
                  f"measured {found:.4g} for {d_in} inputs")


@signs.item("any width", 2, "With your rate the step is the same from width 64 to 4096: an RMS of "
            "0.79 to 0.85 for base 1.")
def _(exam, sign_update_rms2, sign_lr):
    for d_in in (64, 300, 4096):
        size = math.sqrt(float(reference.sign_update_rms2(d_in, float(sign_lr(d_in)))))
        exam.true(0.79 < size < 0.85, f"at width {d_in} the step has the RMS {size:.3g}")
        found = float(sign_update_rms2(d_in, 2.0))
        exam.same(found, reference.sign_update_rms2(d_in, 2.0))
    exam.same(sign_lr(300, base=6.0), 6 * float(sign_lr(300)))


@signs.mistake("d_squared", "The mean of |x| is not 1 for a normal x: a constant is missing.")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * d_in**2


@signs.mistake("square_of_mean", "The mean of a square is more than the square of the mean: the "
               "terms with i = j are different.")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * d_in**2 * 2 / math.pi


@signs.mistake("iid_signs", "The signs of dW agree with those of x: the terms |x_i| do not cancel.")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * d_in


@signs.mistake("eta_first_power", "The rate enters squared.")
def sign_update_rms2(d_in, eta=1.0):
    return eta * reference.sign_update_rms2(d_in)


@signs.mistake("eta_ignored", "The rate scales the update.")
def sign_update_rms2(d_in, eta=1.0):
    return reference.sign_update_rms2(d_in)


@signs.mistake("root", "The square of the RMS is asked for.")
def sign_update_rms2(d_in, eta=1.0):
    return math.sqrt(reference.sign_update_rms2(d_in, eta))


@signs.mistake("mean_absolute_not_squared", "Two different inputs contribute E|x| E|y| = 2 / pi, "
               "not the root of it.")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * (d_in + d_in * (d_in - 1) * math.sqrt(2 / math.pi))


@signs.mistake("all_pairs", "There are d (d - 1) pairs of different inputs, not d^2.")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * (d_in + d_in**2 * 2 / math.pi)


@signs.mistake("half_the_pairs", "Each pair appears twice in the square of a sum.")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * (d_in + d_in * (d_in - 1) / math.pi)


@signs.mistake("lr_const", "A rate that does not depend on the width makes wide layers jump.")
def sign_lr(d_in, base=1.0):
    return base


@signs.mistake("lr_root", "The step grows in proportion to the width, not to its root.")
def sign_lr(d_in, base=1.0):
    return base / math.sqrt(d_in)


@signs.mistake("lr_squared", "The RMS grows like d, only its square like d^2.")
def sign_lr(d_in, base=1.0):
    return base / d_in**2


@signs.mistake("lr_grows", "The rate must fall with the width.")
def sign_lr(d_in, base=1.0):
    return base * d_in


@signs.mistake("base_ignored", "`base` multiplies the rate.")
def sign_lr(d_in, base=1.0):
    return 1 / d_in


@signs.variant("mean and variance of the sum")
def sign_update_rms2(d_in, eta=1.0):
    mean = d_in * np.sqrt(2 / np.pi)
    return eta**2 * (mean**2 + d_in * (1 - 2 / np.pi))
