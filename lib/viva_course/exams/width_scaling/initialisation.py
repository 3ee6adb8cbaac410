"""Exam of `dense_rms2` and `mup_init_std`."""

import numpy as np

from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

start = Exercise(
    "dense_rms2",
    expects={
        "dense_rms2": "the expectation of rms(W x)^2 over the random weights, as a number",
        "mup_init_std": "a standard deviation for which ||W||_2 is about sqrt(d_out / d_in)",
    },
)

start.values(1.5, "Each output is a sum of d_in independent terms: their variances add.",
             only=("standard_normal", "other_inputs"), name="forward size")
start.values(2, "Square and widening layers: 1 / sqrt(d_in); narrowing layers need less.",
             only=("square_and_widening", "narrowing"), name="spectral condition")


@start.item(1.5, "Random layers of any number of outputs must have this mean square (5 standard "
            "errors).")
def measured(exam, dense_rms2, mup_init_std):
    for d_out in (10, 300):
        w_std, x_rms = (float(s) for s in exam.rng.uniform(0.3, 2, 2))
        x = exam.rng.normal(size=64)
        x *= x_rms / np.sqrt(np.mean(x**2))
        y = w_std * exam.rng.normal(size=(30_000 // d_out, d_out, 64)) @ x
        expected = dense_rms2(64, w_std, x_rms)  # 30 000 squares of normal numbers
        exam.true(abs(np.mean(y**2) / expected - 1) < 5 * np.sqrt(2 / 30_000),
                  f"measured {np.mean(y**2):.4g} for {d_out} outputs")


@start.item(2, "With your deviation the spectral norm is within a factor of 0.5 to 2.2 of "
            "sqrt(d_out / d_in), for every shape.")
def measured_norms(exam, dense_rms2, mup_init_std):
    for d_out, d_in in ((120, 120), (240, 30), (15, 480)):
        std = float(mup_init_std(d_in, d_out))
        norm = np.linalg.norm(std * exam.rng.normal(size=(d_out, d_in)), 2)
        ratio = norm / np.sqrt(d_out / d_in)
        exam.true(0.5 < ratio < 2.2, f"{d_in} to {d_out}: {ratio:.2f} times the target")


@start.item(1, "At fixed outputs twice the inputs halve a narrowing layer's deviation; a widening "
            "layer does not look at its outputs.")
def how_it_scales(exam, dense_rms2, mup_init_std):
    n = int(exam.rng.integers(100, 300))
    once = float(mup_init_std(n, 20))
    exam.true(0 < once < np.inf, "a deviation is positive and finite")
    exam.same(mup_init_std(2 * n, 20), once / 2, atol=0)  # else every tiny number is its half
    exam.same(mup_init_std(n, 3 * n), float(mup_init_std(n, 5 * n)))
    exam.same(mup_init_std(4 * n, 4 * n), float(mup_init_std(n, n)) / 2)


start.mistakes_of(dense_rms2={
    "d_out": ("Every output adds up d_in terms: the fan-in is missing.",
              lambda d_in, w_std, x_rms=1.0: w_std**2 * x_rms**2),
    "std_not_var": ("Variances add, not deviations: square the deviation of the weights.",
                    lambda d_in, w_std, x_rms=1.0: d_in * w_std * x_rms**2),
    "d_squared": ("Independent terms: d_in variances add up, not d_in^2.",
                  lambda d_in, w_std, x_rms=1.0: d_in**2 * w_std**2 * x_rms**2),
    "root": ("The square of the RMS is asked for, not the RMS.",
             lambda d_in, w_std, x_rms=1.0: np.sqrt(d_in) * w_std * x_rms),
    "input_ignored": ("The size of the input matters, too.",
                      lambda d_in, w_std, x_rms=1.0: d_in * w_std**2),
    "input_not_squared": ("The RMS of the input enters squared.",
                          lambda d_in, w_std, x_rms=1.0: d_in * w_std**2 * x_rms),
})
start.mistakes_of(mup_init_std={
    "xavier": ("This is Xavier's compromise of both sizes; the spectral condition asks for less in "
               "narrowing layers and more in widening ones.",
               lambda d_in, d_out: np.sqrt(2 / (d_in + d_out))),
    "always_fan_in": ("In a narrowing layer 1 / sqrt(d_in) makes the spectral norm about 1, far "
                      "above sqrt(d_out / d_in).",
                      lambda d_in, d_out: 1 / np.sqrt(d_in)),
    "he": ("The factor sqrt(2) of He's rule belongs to the ReLU, not to the norm of W.",
           lambda d_in, d_out: np.sqrt(2 / d_in)),
    "sum_of_roots": ("The text replaces the sum of the two roots by the larger one; with the sum "
                     "a square layer starts at half of what is asked for.",
                     lambda d_in, d_out: np.sqrt(d_out / d_in) / (np.sqrt(d_in) + np.sqrt(d_out))),
    "larger_size": ("One over the root of the larger size solves neither of the two cases: put the "
                    "larger of the two terms of the norm into the condition, once for each case.",
                    lambda d_in, d_out: 1 / np.sqrt(max(d_in, d_out))),
    "always_narrow": ("sqrt(d_out) / d_in is right for narrowing layers only.",
                      lambda d_in, d_out: np.sqrt(d_out) / d_in),
    "max": ("Of the two candidates the smaller one is needed.",
            lambda d_in, d_out: max(1, np.sqrt(d_out / d_in)) / np.sqrt(d_in)),
    "ratio_not_root": ("The ratio of the sizes enters with its root.",
                       lambda d_in, d_out: min(1, d_out / d_in) / np.sqrt(d_in)),
    "variance": ("This is the variance: take its root.",
                 lambda d_in, d_out: reference.mup_init_std(d_in, d_out) ** 2),
    "sizes_swapped": ("d_in comes first.", lambda d_in, d_out: reference.mup_init_std(d_out, d_in)),
    "target_norm": ("This is what the spectral norm should be, not the deviation of an entry.",
                    lambda d_in, d_out: np.sqrt(d_out / d_in)),
})


@start.variant("a case distinction")
def mup_init_std(d_in, d_out):
    return np.sqrt(d_out) / d_in if d_out < d_in else d_in**-0.5


@start.variant("square of a product")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return (np.sqrt(d_in) * w_std * x_rms) ** 2
