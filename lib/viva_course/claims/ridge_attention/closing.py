"""What section 8 states about the contest on patients."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, near

KINDS = "as they are", "length 1", "Gaussian"


@functools.cache
def _contest(notebook, seed):
    """Errors of all knobs with 5, 10, 20 and 320 patients, over 60 draws."""
    return notebook.contest([5, 10, 20, 320], repeats=60, seed=seed)


@functools.cache
def _best(notebook, seed):
    return {kind: notebook.best(_contest(notebook, seed), kind) for kind in KINDS}


@claim()
def ridge_at_320(notebook, seed):
    found = _contest(notebook, seed)
    return tuple(near(found["ridge", lam][-1], 0.51, within=0.02) for lam in (0.01, 1.0, 30.0))


@claim()
def dot_product_stays(notebook, seed):
    return near(_best(notebook, seed)["as they are"][-1], 0.605, within=0.02)


@cause(control="the same scores, with the length of the keys taken out")
def length_is_half_of_the_gap(notebook, seed):
    found, ridge = _best(notebook, seed), _contest(notebook, seed)["ridge", 30.0][-1]
    gap = found["as they are"][-1] - ridge
    left = found["length 1"][-1] - ridge
    return (above(gap, 0.07),
            min(below(left / gap, 0.5), near(found["length 1"][-1], 0.55, within=0.02),
                near(found["Gaussian"][-1], 0.56, within=0.02)))


@claim()
def few_patients_equal(notebook, seed):
    return below(np.ptp([_best(notebook, seed)[kind][2] for kind in KINDS]), 0.05)


@claim()
def large_penalty_leads(notebook, seed):
    found, best = _contest(notebook, seed), _best(notebook, seed)
    leads = [row / found["ridge", 30.0] for row in best.values()]
    gains = [found["mean", 0] / row for row in best.values()]
    return above(np.min(leads), 1), above(np.min(gains), 1)


@claim(title="Ridge attention: a small λ stumbles near n = d")
def spike_near_d(notebook, seed):
    five, ten, _, many = _contest(notebook, seed)["ridge", 0.01]
    return above(ten, 3), above(ten / five, 2), above(ten / many, 4)


@cause(control="the same contexts with a penalty of 30")
def penalty_removes_the_spike(notebook, seed):
    found = _contest(notebook, seed)
    return above(found["ridge", 0.01][1], 3), below(found["ridge", 30.0][1], 0.9)


@claim()
def harmless_at_the_ends(notebook, seed):
    found = notebook.contest([3, 40], repeats=60, lams=(0.01,), seed=seed)
    return tuple(above(ratio, 1) for ratio in found["mean", 0] / found["ridge", 0.01])
