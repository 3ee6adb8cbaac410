"""Exam of `coord_check`."""

import numpy as np
import torch

from viva.cases.width_scaling.coordinates import growth
from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

check = Exercise(
    "coord_check",
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


@check.item(2, "The same must hold for the mean of three other seeds (bounds wider by half).")
def other_seeds(exam, coord_check):
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


check.mistakes_of(coord_check={
    "rules_equal": (
        'The rule "mup" must divide the rate by the fan-in.',
        lambda width, rule, steps=3, seed=0: reference.coord_check(width, "const", steps, seed)),
    "dead_features": (
        "A rate that does not fall with the width, and so large that all features die at once, "
        "only looks stable: divide it by the fan-in.",
        lambda width, rule, steps=3, seed=0: (
            _check(width, rule, steps, seed, lambda d_in: 0.001 if rule == "const" else 0.1))),
    "always_mup": (
        'The rule "const" must not divide the rate by the width.',
        lambda width, rule, steps=3, seed=0: reference.coord_check(width, "mup", steps, seed)),
    "gradient_not_sign": (
        "The update is the sign of the gradient, not the gradient.",
        lambda width, rule, steps=3, seed=0: _check(width, rule, steps, seed, sign=lambda g: g)),
    "seed_ignored": (
        "Another seed must give another network.",
        lambda width, rule, steps=3, seed=0: reference.coord_check(width, rule, steps, 0)),
    "one_step_short": ("`steps` updates are made: the first or the last is missing.",
                       lambda width, rule, steps=3, seed=0: (
                           reference.coord_check(width, rule, max(steps - 1, 0), seed))),
    "steps_ignored": (
        "`steps` says how many updates are made, also none.",
        lambda width, rule, steps=3, seed=0: reference.coord_check(width, rule, 3, seed)),
    "features_not_change": (
        "Subtract the features before training: the change is asked for.",
        lambda width, rule, steps=3, seed=0: reference.coord_check(width, rule, steps, seed) + 1.0),
})


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


@check.mistake("unseeded", "Draw everything from a generator with the seed that is given.")
def coord_check(width, rule, steps=3, seed=0):
    return reference.coord_check(width, rule, steps, int(np.random.default_rng().integers(2**31)))


@check.variant("torch, other sizes")
def coord_check(width, rule, steps=3, seed=0):
    return _check(width, rule, steps, seed)
