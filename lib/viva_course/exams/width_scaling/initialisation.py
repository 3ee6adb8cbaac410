"""Exam of `dense_rms2` and `mup_init_std`."""

import numpy as np

from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

start = Exercise(
    "dense_rms2", points=10, reference=(reference.dense_rms2, reference.mup_init_std),
    expects={
        "dense_rms2": "the expectation of rms(W x)^2 over the random weights, as a number",
        "mup_init_std": "a standard deviation for which ||W||_2 is about sqrt(d_out / d_in)",
    },
)

start.values(2.5, "Each output is a sum of d_in independent terms: their variances add.",
             only=("standard_normal", "other_inputs"), name="forward size")
start.values(3, "Square and widening layers: 1 / sqrt(d_in); narrowing layers need less.",
             only=("square_and_widening", "narrowing"), name="spectral condition")


@start.item("measured", 1.5, "Random layers of any number of outputs must have this mean square "
            "(5 standard errors).")
def _(exam, dense_rms2, mup_init_std):
    for d_out in (10, 300):
        w_std, x_rms = (float(s) for s in exam.rng.uniform(0.3, 2, 2))
        x = exam.rng.normal(size=64)
        x *= x_rms / np.sqrt(np.mean(x**2))
        y = w_std * exam.rng.normal(size=(30_000 // d_out, d_out, 64)) @ x
        expected = dense_rms2(64, w_std, x_rms)  # 30 000 squares of normal numbers
        exam.true(bool(abs(np.mean(y**2) / expected - 1) < 5 * np.sqrt(2 / 30_000)),
                  f"measured {np.mean(y**2):.4g} for {d_out} outputs")


@start.item("measured norms", 2, "With your deviation the spectral norm is within a factor of 0.5 "
            "to 2.2 of sqrt(d_out / d_in), for every shape.")
def _(exam, dense_rms2, mup_init_std):
    for d_out, d_in in ((120, 120), (240, 30), (15, 480)):
        std = float(mup_init_std(d_in, d_out))
        norm = np.linalg.norm(std * exam.rng.normal(size=(d_out, d_in)), 2)
        ratio = norm / np.sqrt(d_out / d_in)
        exam.true(bool(0.5 < ratio < 2.2), f"{d_in} -> {d_out}: {ratio:.2f} times the target")


@start.item("how it scales", 1, "At fixed outputs twice the inputs halve a narrowing layer's "
            "deviation; a widening layer does not look at its outputs.")
def _(exam, dense_rms2, mup_init_std):
    n = int(exam.rng.integers(100, 300))
    once = float(mup_init_std(n, 20))
    exam.true(once > 0, "a deviation is positive")
    exam.same(mup_init_std(2 * n, 20), once / 2)
    exam.same(mup_init_std(n, 3 * n), float(mup_init_std(n, 5 * n)))
    exam.same(mup_init_std(4 * n, 4 * n), float(mup_init_std(n, n)) / 2)


@start.mistake("d_out", "Every output adds up d_in terms: the fan-in is missing.")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return w_std**2 * x_rms**2


@start.mistake("std_not_var", "Variances add, not deviations: square the deviation of the weights.")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return d_in * w_std * x_rms**2


@start.mistake("d_squared", "Independent terms: d_in variances add up, not d_in^2.")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return d_in**2 * w_std**2 * x_rms**2


@start.mistake("root", "The square of the RMS is asked for, not the RMS.")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return np.sqrt(d_in) * w_std * x_rms


@start.mistake("input_ignored", "The size of the input matters, too.")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return d_in * w_std**2


@start.mistake("input_not_squared", "The RMS of the input enters squared.")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return d_in * w_std**2 * x_rms


@start.mistake("xavier", "This is Xavier's compromise of both sizes; the spectral condition asks "
               "for less in narrowing layers and more in widening ones.")
def mup_init_std(d_in, d_out):
    return np.sqrt(2 / (d_in + d_out))


@start.mistake("always_fan_in", "In a narrowing layer 1 / sqrt(d_in) makes the spectral norm about "
               "1, far above sqrt(d_out / d_in).")
def mup_init_std(d_in, d_out):
    return 1 / np.sqrt(d_in)


@start.mistake("he", "The factor sqrt(2) of He's rule belongs to the ReLU, not to the norm of W.")
def mup_init_std(d_in, d_out):
    return np.sqrt(2 / d_in)


@start.mistake("always_narrow", "sqrt(d_out) / d_in is right for narrowing layers only.")
def mup_init_std(d_in, d_out):
    return np.sqrt(d_out) / d_in


@start.mistake("max", "Of the two candidates the smaller one is needed.")
def mup_init_std(d_in, d_out):
    return max(1, np.sqrt(d_out / d_in)) / np.sqrt(d_in)


@start.mistake("ratio_not_root", "The ratio of the sizes enters with its root.")
def mup_init_std(d_in, d_out):
    return min(1, d_out / d_in) / np.sqrt(d_in)


@start.mistake("variance", "This is the variance: take its root.")
def mup_init_std(d_in, d_out):
    return reference.mup_init_std(d_in, d_out) ** 2


@start.mistake("sizes_swapped", "d_in comes first.")
def mup_init_std(d_in, d_out):
    return reference.mup_init_std(d_out, d_in)


@start.mistake("target_norm", "This is what the spectral norm should be, not the deviation of an "
               "entry.")
def mup_init_std(d_in, d_out):
    return np.sqrt(d_out / d_in)


@start.variant("a case distinction")
def mup_init_std(d_in, d_out):
    return np.sqrt(d_out) / d_in if d_out < d_in else d_in**-0.5


@start.variant("square of a product")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return (np.sqrt(d_in) * w_std * x_rms) ** 2
