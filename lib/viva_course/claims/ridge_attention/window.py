"""What section 6 states about errors of rounding, and about forgetting."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, near


def _with_G(Q, K, V, lam, window):
    """The pairs come and go as in the notebook, and G is carried along instead of P."""
    G, H, rows = lam * np.eye(K.shape[1]), np.zeros((K.shape[1], V.shape[1])), []
    for i, q in enumerate(Q):
        G, H = G + np.outer(K[i], K[i]), H + np.outer(K[i], V[i])
        if i >= window:
            k = K[i - window]
            G, H = G - np.outer(k, k), H - np.outer(k, V[i - window])
        rows.append(np.linalg.solve(G, H).T @ q)
    return np.array(rows)


@functools.cache
def _drift(notebook, kind, lam, seed):
    """The median error of the first hundred rows and of the last thousand."""
    layer = _with_G if kind == "G" else getattr(notebook, kind)
    errors = notebook.drift(layer, lam, n=5000, seed=seed)
    return np.median(errors[:100]), np.median(errors[-1000:])


def _per_tenth(notebook, kind, seed):
    """By which factor the error grows when lam falls from 1e-2 to 1e-4, for each tenth."""
    large, small = (_drift(notebook, kind, lam, seed)[1] for lam in (1e-2, 1e-4))
    return np.sqrt(small / large)


@claim(title="Errors grow slowly with time, quickly as λ becomes small")
def drift_grows(notebook, seed):
    first, last = _drift(notebook, "down_dated_ridge", 1.0, seed)
    return (near(np.log10(first), -14, within=0.6), near(np.log10(last), -13, within=0.6),
            near(np.log10(_per_tenth(notebook, "down_dated_ridge", seed)), 2, within=0.3))


@claim()
def digits_lost(notebook, seed):
    return above(_drift(notebook, "down_dated_ridge", 1e-4, seed)[1], 1e-6)


@claim(title="A factor loses half as many digits as an inverse", variants=("windowed_ridge",))
def factor_cures(notebook, seed):
    lost = np.log10(_per_tenth(notebook, "windowed_ridge", seed))
    gain = (_drift(notebook, "down_dated_ridge", 1e-4, seed)[1]
            / _drift(notebook, "windowed_ridge", 1e-4, seed)[1])
    return near(lost, 1, within=0.4), above(gain, 1000)


@cause(control="the same pairs come and go, and G is carried along instead of P")
def inverse_is_the_cause(notebook, seed):
    return (above(np.log10(_per_tenth(notebook, "down_dated_ridge", seed)), 1.6),
            near(np.log10(_per_tenth(notebook, "G", seed)), 1, within=0.4))


@claim(seeds=1)
def window_by_hand(notebook, seed):
    ones = np.ones((3, 1))
    found = notebook.windowed_ridge(ones, ones, np.array([[2.0], [4.0], [9.0]]), 1.0, 2).ravel()
    L = notebook.cholesky_update(np.array([[3.0, 0.0], [1.0, 1.5]]), np.array([4.0, -2.0]))
    return (below(np.abs(found - [1, 2, 13 / 3]).max(), 1e-9),
            below(np.abs(L - [[5, 0], [-1, 2.5]]).max(), 1e-9))


@functools.cache
def _shift(notebook, seed):
    """Mean errors of each layer before the change, right after it, later, and at the end."""
    parts = (100, 442), (443, 468), (560, 883), (783, 883)
    return {name: [row[a:b].mean() for a, b in parts]
            for name, row in notebook.shift_errors(seed=seed).items()}


@claim()
def before_the_change(notebook, seed):
    found = _shift(notebook, seed)
    long, window = found["remembers everything"][0], found["window 100"][0]
    return (below(long, min(row[0] for name, row in found.items() if name[0] != "r")),
            below(window - long, 0.06))


@claim(title="Who remembers everything cannot learn anew")
def after_the_change(notebook, seed):
    found = _shift(notebook, seed)
    forgetting = [row for name, row in found.items() if name != "remembers everything"]
    return (above(min(row[1] for row in found.values()), 1),
            below(max(row[2] for row in forgetting), 0.75),
            above(found["remembers everything"][3], 0.95))


@claim()
def cheap_forgetting(notebook, seed):
    found = _shift(notebook, seed)
    return tuple(below(abs(found[name][part] - found["window 100"][part]), 0.05)
                 for name in ("fading, 0.98", "delta rule, 0.1") for part in (0, 2))
