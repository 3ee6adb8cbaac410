"""Exam of `unit_scale_const` and `unit_scale_lr`."""

import math

import numpy as np

from viva_course.rubric import Exercise

unit = Exercise(
    "unit_scale_const",
    expects={
        "unit_scale_const": "the c for which c W x has the RMS of x, for standard normal W",
        "unit_scale_lr": "the largest rate for which an update of c W x never exceeds the RMS of x",
    },
)

unit.values(2, "A sum of d_in products of unit variance must be brought back to variance 1.",
            only=("constant",), name="constant")
unit.values(2.5, "A matrix of signs can have the norm sqrt(d_in d_out).", only=("sign_rates",),
            name="sign")
unit.values(2, "An orthogonalised update has the norm 1.", only=("muon_rates",), name="Muon")


@unit.item(1, "c W x has the RMS of x (5 standard errors).")
def forward(exam, unit_scale_const, unit_scale_lr):
    d_in = int(exam.rng.integers(40, 200))
    x = exam.rng.normal(size=d_in)
    x /= np.sqrt(np.mean(x**2))
    y = float(unit_scale_const(d_in)) * (exam.rng.normal(size=(4000, d_in)) @ x)
    exam.true(abs(np.mean(y**2) - 1) < 5 * np.sqrt(2 / 4000),
              f"the mean square is {np.mean(y**2):.3g}")


@unit.item(2, "For a gradient g x^T with |x_i| = 1 the update moves the output by exactly the RMS "
           "of x, under both kinds.")
def worst_case(exam, unit_scale_const, unit_scale_lr):
    for d_in, d_out in ((12, 5), (7, 30), (16, 16)):
        x, g = exam.rng.choice([-1.0, 1.0], d_in), exam.rng.normal(size=d_out)
        G = np.outer(g, x)
        updates = {"sign": np.sign(G), "muon": G / np.linalg.norm(G, 2)}
        for kind, update in updates.items():
            rate = float(unit_scale_lr(kind, d_in, d_out))
            moved = float(unit_scale_const(d_in)) * rate * update @ x
            exam.same(float(np.sqrt(np.mean(moved**2))), 1.0)


@unit.item(1, "The norm of an update never exceeds sqrt(d_out), whatever the gradient, and under "
           "Muon it is no less.")
def budget(exam, unit_scale_const, unit_scale_lr):
    for _ in range(10):
        d_in, d_out = (int(n) for n in exam.rng.integers(2, 30, 2))
        G = exam.rng.normal(size=(d_out, d_in))
        U, _, Vt = np.linalg.svd(G, full_matrices=False)
        for kind, update in (("sign", np.sign(G)), ("muon", U @ Vt)):
            rate = float(unit_scale_lr(kind, d_in, d_out))
            exam.true(rate > 0, "a rate is positive")
            exam.true(rate * np.linalg.norm(update, 2) <= math.sqrt(d_out) * (1 + 1e-9),
                      f"{kind}: the norm exceeds sqrt(d_out)")
            if kind == "muon":
                exam.same(rate * float(np.linalg.norm(update, 2)), math.sqrt(d_out))


@unit.item(0.5, "Any other kind raises ValueError.")
def unknown_kinds(exam, unit_scale_const, unit_scale_lr):
    exam.same(unit_scale_lr("muon", 9, 25), 5.0)  # one that always raises earns nothing
    exam.same(unit_scale_lr("sign", 25, 9), 0.2)
    for kind in ("adagrad", "", "Sign!"):
        exam.raises(ValueError, unit_scale_lr, kind, 9, 25)


unit.mistakes_of(unit_scale_const={
    "c_sqrt": ("c must bring the output down: the sum has d_in terms.",
               lambda d_in: math.sqrt(d_in)),
    "c_inverse": ("The variance of the output is d_in: divide by its root, not by itself.",
                  lambda d_in: 1 / d_in),
    "c_one": ("Without a constant the output grows with the width.", lambda d_in: 1.0),
    "c_he": ("There is no ReLU here: the variance of the output is to be that of the input.",
             lambda d_in: math.sqrt(2 / d_in)),
})
unit.mistakes_of(unit_scale_lr={
    "default_kind": ("An unknown kind is a mistake of the caller: raise ValueError.",
                     lambda kind, d_in, d_out: (
                         {"sign": _sign, "muon": _muon}.get(kind, lambda *_: 1.0)(d_in, d_out))),
    "else_muon": (
        "An unknown kind is a mistake of the caller: raise ValueError.",
        lambda kind, d_in, d_out: _sign(d_in, d_out) if kind == "sign" else _muon(d_in, d_out)),
})


def _rates(sign, muon):
    def unit_scale_lr(kind, d_in, d_out):
        if kind not in ("sign", "muon"):
            raise ValueError(kind)
        return sign(d_in, d_out) if kind == "sign" else muon(d_in, d_out)
    return unit_scale_lr


def _sign(d_in, d_out):
    return 1 / math.sqrt(d_in)


def _muon(d_in, d_out):
    return math.sqrt(d_out)


for _slug, _hint, _wrong in (
    ("sign_sqrt_din", "The rate must fall with the width: it is the inverse.",
     _rates(lambda d_in, d_out: math.sqrt(d_in), _muon)),
    ("sign_1_over_d", "1 / d_in belongs to weights of small variance; here c already holds a root "
     "of it.", _rates(lambda d_in, d_out: 1 / d_in, _muon)),
    ("sign_dout", "The budget sqrt(d_out) cancels the d_out of the norm of a sign matrix.",
     _rates(lambda d_in, d_out: 1 / math.sqrt(d_out), _muon)),
    ("sign_both", "Divide the budget sqrt(d_out) by the norm sqrt(d_in d_out).",
     _rates(lambda d_in, d_out: 1 / math.sqrt(d_in * d_out), _muon)),
    ("sign_ratio", "The budget for the spectral norm is sqrt(d_out): c took care of d_in.",
     _rates(lambda d_in, d_out: 1 / d_in / math.sqrt(d_in), _muon)),
    ("sign_typical", "A random matrix of signs has a smaller norm; the budget must hold for every "
     "gradient, also if all signs agree.",
     _rates(lambda d_in, d_out: math.sqrt(d_out) / (math.sqrt(d_in) + math.sqrt(d_out)), _muon)),
    ("muon_frobenius", "The spectral norm of U V^T is 1; this divides by its Frobenius norm.",
     _rates(_sign, lambda d_in, d_out: math.sqrt(d_out / min(d_in, d_out)))),
    ("muon_one", "The budget grows with the outputs, and an orthogonal update has the norm 1.",
     _rates(_sign, lambda d_in, d_out: 1.0)),
    ("muon_ratio", "sqrt(d_out / d_in) belongs to weights without the constant c.",
     _rates(_sign, lambda d_in, d_out: math.sqrt(d_out / d_in))),
    ("muon_din", "The budget for the norm is sqrt(d_out), not sqrt(d_in).",
     _rates(_sign, lambda d_in, d_out: math.sqrt(d_in))),
    ("muon_dout", "The spectral norm may be sqrt(d_out), not d_out.",
     _rates(_sign, lambda d_in, d_out: float(d_out))),
    ("kinds_swapped", "The rates of the two kinds are exchanged.", _rates(_muon, _sign)),
):
    unit.mistake(_slug, _hint)(_wrong)


@unit.mistake("returns_none", "An unknown kind is a mistake of the caller: raise ValueError.")
def unit_scale_lr(kind, d_in, d_out):
    rate = {"sign": _sign, "muon": _muon}.get(kind)
    return rate(d_in, d_out) if rate else None


@unit.variant("from the budget")
def unit_scale_lr(kind, d_in, d_out):
    norms = {"sign": np.sqrt(d_in * d_out), "muon": 1.0}
    if kind not in norms:
        raise ValueError("kind")
    return np.sqrt(d_out) / norms[kind]
