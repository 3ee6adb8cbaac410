"""Exam of `coord_check`, `coord_exponent` and `coord_verdict`."""

import numpy as np
import torch

from viva.cases.width_scaling.coordinates import WIDTHS, growth, power_law
from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise, unmodified

check = Exercise(
    "coord_check", points=6, reference=(reference.coord_check,),
    expects="the RMS change of the last hidden features after so many steps, as a number",
    survivors={
        "coord_check: d = 32 -> d = 33":
            "the network and its constants are the student's choice",
        "coord_check: d = 32 -> d = 31":
            "the network and its constants are the student's choice",
        "coord_check: W = [torch.tensor(rng.normal(size=(b, a)) * np.sqrt(min(a, b)) / "
        "a, requires_grad=True) for b, a in ((width, d), (width, width), (d, width))] -"
        "> W = [torch.tensor(rng.normal(size=(b, a)) / np.sqrt(min(a, b)) / a, requires"
        "_grad=True) for b, a in ((width, d), (width, width), (d, width))]":
            "smaller weights; the check looks at changes, not at sizes",
        "coord_check: W = [torch.tensor(rng.normal(size=(b, a)) * np.sqrt(min(a, b)) / "
        "a, requires_grad=True) for b, a in ((width, d), (width, width), (d, width))] -"
        "> W = [torch.tensor(rng.normal(size=(b, a)) / a, requires_grad=True) for b, a "
        "in ((width, d), (width, width), (d, width))]":
            "smaller weights; the check looks at changes, not at sizes",
        "coord_check: return float((features().data - before).norm() / before.numel() *"
        "* 0.5) -> return float((before - features().data).norm() / before.numel() ** 0"
        ".5)":
            "a norm has no sign",
        "coord_check: loss = nn.functional.mse_loss(features() @ W[-1].T, X) -> loss = "
        "nn.functional.mse_loss(X, features() @ W[-1].T)":
            "the squared error is symmetric",
        "coord_check: w.data -= (0.001 if rule == 'const' else 0.05 / w.shape[1]) * gra"
        "dient.sign() -> w.data -= 0.001 if rule == 'const' else 0.05 / w.shape[1]":
            "all features are positive, so a step of equal signs is aligned with them as well",
        "coord_check: w.data -= (0.001 if rule == 'const' else 0.05 / w.shape[1]) * gra"
        "dient.sign() -> w.data -= (0.002 if rule == 'const' else 0.05 / w.shape[1]) * "
        "gradient.sign()":
            "the network and its constants are the student's choice",
        "coord_check: w.data -= (0.001 if rule == 'const' else 0.05 / w.shape[1]) * gra"
        "dient.sign() -> w.data -= (0.001 if rule == 'const' else 0.1 / w.shape[1]) * g"
        "radient.sign()":
            "the network and its constants are the student's choice",
        "coord_check.features: h = torch.relu(h @ w.T) -> h = h @ w.T":
            "a linear network shows the same exponents",
    },
)

check.values(2.5, "With rates over d_in the change is the same at every width; with a constant "
             "rate it grows.", only=("under_mup", "under_const"))
check.values(1.5, "A seed gives the same number again, and without a step nothing changes.",
             only=("repeatable",), name="repeatable")


@check.item("other seeds", 2, "The same must hold for the mean of three other seeds (bounds wider "
            "by half).")
def _(exam, coord_check):
    seeds = [int(seed) for seed in exam.rng.integers(0, 1000, 3)]
    exam.same(growth(coord_check, "mup", seeds, 1.5), "steady")
    exam.same(growth(coord_check, "const", seeds, 1.5), "grows")


def _check(width, rule, steps, seed, rate=None, measure=None, init=None, sign=np.sign):
    """A coordinate check in torch, with places to go wrong."""
    rng = np.random.default_rng(seed)
    dims = (24, width, width, 1)
    rate = rate or (lambda d_in: 0.001 if rule == "const" else 0.06 / d_in)
    init = init or reference.mup_init_std
    W = [torch.tensor(rng.normal(size=(b, a)) * init(a, b), requires_grad=True)
         for a, b in zip(dims, dims[1:], strict=False)]
    X, y = torch.tensor(rng.normal(size=(12, 24))), torch.tensor(rng.normal(size=(12, 1)))

    def features():
        return torch.relu(torch.relu(X @ W[0].T) @ W[1].T)

    before = features().detach()
    for _ in range(steps):
        gradients = torch.autograd.grad(((features() @ W[2].T - y) ** 2).sum(), W)
        with torch.no_grad():
            for w, g in zip(W, gradients, strict=True):
                w -= rate(w.shape[1]) * torch.tensor(sign(g.numpy()))
    change = (features().detach() - before).numpy()
    return float((measure or (lambda c: np.sqrt(np.mean(c**2))))(change))


@check.mistake("rules_equal", "The rule \"mup\" must divide the rate by the fan-in.")
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, "const", steps, seed)


@check.mistake("dead_features", "A rate that does not fall with the width, and so large that all "
               "features die at once, only looks stable: divide it by the fan-in.")
def coord_check(width, rule, steps=3, seed=0):
    return _check(width, rule, steps, seed, lambda d_in: 0.001 if rule == "const" else 0.1)


@check.mistake("always_mup", "The rule \"const\" must not divide the rate by the width.")
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, "mup", steps, seed)


# Two mistakes that answer alike: one sentence must be true of both.
GROWS = ("The numbers still grow with the width: take the RMS and not the length of a vector, and "
         "divide the rate as the rule says, not by a root.")


@check.mistake("sqrt_scaling", GROWS)
def coord_check(width, rule, steps=3, seed=0):
    return _check(width, rule, steps, seed,
                  lambda d_in: 0.001 if rule == "const" else 0.01 / np.sqrt(d_in))


@check.mistake("too_small", "The rate falls too fast: the features of wide networks stop moving.")
def coord_check(width, rule, steps=3, seed=0):
    return _check(width, rule, steps, seed,
                  lambda d_in: 0.001 if rule == "const" else 10 / width**2)


@check.mistake("norm_not_rms", GROWS)
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, rule, steps, seed) * np.sqrt(width)


@check.mistake("gradient_not_sign", "The update is the sign of the gradient, not the gradient.")
def coord_check(width, rule, steps=3, seed=0):
    return _check(width, rule, steps, seed, sign=lambda g: g)


@check.mistake("unseeded", "Draw everything from a generator with the seed that is given.")
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, rule, steps, int(np.random.default_rng().integers(2**31)))


@check.mistake("seed_ignored", "Another seed must give another network.")
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, rule, steps, 0)


@check.mistake("one_step_short", "`steps` updates are made: the first or the last is missing.")
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, rule, max(steps - 1, 0), seed)


@check.mistake("steps_ignored", "`steps` says how many updates are made, also none.")
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, rule, 3, seed)


@check.mistake("features_not_change", "Subtract the features before training: the change is asked "
               "for.")
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, rule, steps, seed) + 1.0


@check.variant("torch, other sizes")
def coord_check(width, rule, steps=3, seed=0):
    return _check(width, rule, steps, seed)


fit = Exercise(
    "coord_exponent", points=7, reference=(reference.coord_exponent, reference.coord_verdict),
    expects={
        "coord_exponent": "the slope of log(change) over log(width), by least squares",
        "coord_verdict": '"stable", "explodes" or "vanishes"',
    },
)

fit.values(3, "The exponent is the slope of a straight line through the logarithms.",
           only=("exact_laws", "noisy_laws"), name="exponent")
fit.values(2, "An exponent within the tolerance is stable, above it explodes, below it vanishes.",
           only=("verdicts", "at_the_tolerance"), name="verdict")


@fit.item("refused", 1.5, "One width only, or a change that is not positive and finite, raises "
          "ValueError in both functions.")
def _(exam, coord_exponent, coord_verdict):
    law = power_law(exam.rng, -0.4)  # one that always raises earns nothing
    exam.same(coord_exponent(WIDTHS, law), reference.coord_exponent(WIDTHS, law))
    exam.same(coord_verdict(WIDTHS, law, 1.5), "stable")
    for widths, changes in (([64], [1.0]), ([32, 32, 32], [1.0, 2.0, 3.0]),
                            ([64, 128], [1.0, 0.0]), ([64, 128], [1.0, -2.0]),
                            ([64, 128], [1.0, np.nan]), ([64, 128], [1.0, np.inf])):
        exam.raises(ValueError, coord_exponent, widths, changes)
        exam.raises(ValueError, coord_verdict, widths, changes)


fit.item("arguments unchanged", 0.5, "widths and changes must stay as they were.")(unmodified)


def _slope(widths, changes, x=np.log, y=np.log, checked=True):
    widths, changes = np.asarray(widths, float), np.asarray(changes, float)
    if checked:
        reference.coord_exponent(widths, changes)
    with np.errstate(all="ignore"):
        return float(np.polyfit(x(widths), y(changes), 1)[0])


@fit.mistake("plain_slope", "An exponent is a slope between logarithms, of both.")
def coord_exponent(widths, changes):
    return _slope(widths, changes, x=lambda n: n, y=lambda c: c)


@fit.mistake("semilog", "Take the logarithm of the widths as well.")
def coord_exponent(widths, changes):
    return _slope(widths, changes, x=lambda n: n)


@fit.mistake("changes_not_logged", "Take the logarithm of the changes as well.")
def coord_exponent(widths, changes):
    return _slope(widths, changes, y=lambda c: c)


@fit.mistake("mixed_logarithms", "The same logarithm on both sides.")
def coord_exponent(widths, changes):
    return _slope(widths, changes, x=np.log2)


@fit.mistake("endpoints", "All measurements count, not only the first and the last.")
def coord_exponent(widths, changes):
    reference.coord_exponent(widths, changes)
    return float(np.log(changes[-1] / changes[0]) / np.log(widths[-1] / widths[0]))


@fit.mistake("upside_down", "The exponent is the slope of the change over the width, not the other "
             "way round.")
def coord_exponent(widths, changes):
    return _slope(changes, widths, checked=False) if reference.coord_exponent(
        widths, changes) else 0.0


@fit.mistake("intercept", "This is the intercept of the line; the slope is asked for.")
def coord_exponent(widths, changes):
    reference.coord_exponent(widths, changes)
    return float(np.polyfit(np.log(widths), np.log(changes), 1)[1])


@fit.mistake("through_origin", "The line has a constant, too: it need not pass through the origin.")
def coord_exponent(widths, changes):
    reference.coord_exponent(widths, changes)
    x, y = np.log(np.asarray(widths, float)), np.log(np.asarray(changes, float))
    return float(x @ y / (x @ x))


@fit.mistake("correlation", "The slope is asked for, not the correlation.")
def coord_exponent(widths, changes):
    reference.coord_exponent(widths, changes)
    return float(np.corrcoef(np.log(widths), np.log(changes))[0, 1])


@fit.mistake("nan", "The logarithm of zero or of a negative number is no measurement: raise "
             "ValueError.")
def coord_exponent(widths, changes):
    if len(set(np.asarray(widths).tolist())) < 2:
        raise ValueError
    x, y = np.asarray(widths, float), np.asarray(changes, float)
    with np.errstate(all="ignore"):
        x = np.log(x) - np.log(x).mean()
        return float(x @ np.log(y) / (x @ x))


@fit.mistake("one_width", "With one width there is no slope: raise ValueError.")
def coord_exponent(widths, changes):
    if len(set(np.asarray(widths).tolist())) < 2 and np.min(changes) > 0:
        return 0.0
    return reference.coord_exponent(widths, changes)


def _words(exponent, tol):
    return "stable" if abs(exponent) <= tol else "explodes" if exponent > 0 else "vanishes"


@fit.mistake("strict_tol", "An exponent equal to the tolerance is stable: at most tol.")
def coord_verdict(widths, changes, tol=0.2):
    exponent = reference.coord_exponent(widths, changes)
    return _words(exponent, tol) if abs(exponent) != tol else "vanishes"


@fit.mistake("words_swapped", "A change that grows with the width explodes.")
def coord_verdict(widths, changes, tol=0.2):
    return _words(-reference.coord_exponent(widths, changes), tol)


@fit.mistake("tol_ignored", "`tol` is an argument, not always 0.2.")
def coord_verdict(widths, changes, tol=0.2):
    return _words(reference.coord_exponent(widths, changes), 0.2)


@fit.mistake("one_sided", "A change that falls with the width is not stable either.")
def coord_verdict(widths, changes, tol=0.2):
    return "stable" if reference.coord_exponent(widths, changes) <= tol else "explodes"


@fit.mistake("tol_on_ratio", "The tolerance is one of the exponent, not of the ratio between the "
             "widest and the narrowest.")
def coord_verdict(widths, changes, tol=0.2):
    reference.coord_exponent(widths, changes)
    return _words(float(np.log(changes[-1] / changes[0])), tol)


@fit.mistake("verdict_of_nan", "What cannot be measured has no verdict: raise ValueError.")
def coord_verdict(widths, changes, tol=0.2):
    try:
        return _words(reference.coord_exponent(widths, changes), tol)
    except ValueError:
        return "explodes"


@fit.mistake("in_place", "changes belongs to the caller: take the logarithm in a new array.")
def coord_exponent(widths, changes):
    answer = reference.coord_exponent(widths, changes)
    if isinstance(changes, np.ndarray):
        np.log(changes, out=changes)
    return answer


@fit.variant("polyfit")
def coord_exponent(widths, changes):
    widths, changes = np.array(widths, float), np.array(changes, float)
    if np.ptp(widths) == 0 or not np.all(np.isfinite(changes)) or np.any(changes <= 0):
        raise ValueError("no line")
    return np.polyfit(np.log2(widths), np.log2(changes), 1)[0]
