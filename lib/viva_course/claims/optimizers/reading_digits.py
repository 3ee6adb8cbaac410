"""What the experiment on digits states."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, near

RATES = np.geomspace(3e-4, 1, 11)  # those of the figure
TOO_LARGE = RATES[9]  # 0.44


@functools.cache
def means(notebook, seed):
    """{name: mean share of two splits at every rate}; seed 0 is the figure's."""
    return {name: np.array([[notebook.digit_run(name, lr, split)[0]
                             for split in (2 * seed, 2 * seed + 1)] for lr in RATES]).mean(axis=1)
            for name in notebook.OPTIMIZERS}


@claim(title="On digits the rate matters more than the optimizer")
def best_on_digits(notebook, seed):
    tops = {name: share.max() for name, share in means(notebook, seed).items()}
    falls = [np.ptp(share) for share in means(notebook, seed).values()]
    others = [top for name, top in tops.items() if name != "Muon"]
    return (above(min(others), 0.95), below(tops["Muon"], 0.985), above(tops["Muon"], max(others)),
            above(min(falls), 0.145), below(max(falls), 0.9),
            above(min(falls), np.ptp([*tops.values()])))


@claim()
def carried_over(notebook, seed):
    """The rates of the stars of the right panel of the race."""
    stars = {"sign descent": 3, "Adam": 5, "AdamW, lam = 0.1": 6, "Muon": 8}
    lost = []
    for name, place in stars.items():
        rate = np.geomspace(0.003, 3, 13)[place]
        mine = [notebook.digit_run(name, rate, split)[0] for split in (2 * seed, 2 * seed + 1)]
        lost.append(means(notebook, seed)[name].max() - np.mean(mine))
    return below(max(lost), 0.02)


@claim()
def wide_hills(notebook, seed):
    at = {name: share[9] for name, share in means(notebook, seed).items()}
    return above(min(at["Muon"], at["sign descent"]), 0.93), below(at["Adam"], 0.7)


@claim(seeds=1)
def two_splits(notebook, seed):
    (none, first), (third, second) = (notebook.digit_run("Adam", TOO_LARGE, split)
                                      for split in (0, 1))
    return (near(first[1], 0.08, 0.005), below(first[2], 3e-5), below(first[3:].max(), 1e-8),
            near(second[1], 0.04, 0.005), near(second[2], 0.005, 0.001), below(second[-1], 1e-3),
            above(second[1:].min(), 1e-5), near(third, 0.3, within=0.02), below(none, 0.15))


@cause(control="sign descent, which is Adam without its averages")
def averages_coast_on(notebook, seed):
    (share, adam), (other, sign) = (notebook.digit_run(name, TOO_LARGE, seed)
                                    for name in ("Adam", "sign descent"))
    stays = min(below(adam[3], 0.2 * adam[1]), below(share, 0.5))
    returns = min(below(sign[2], 0.2 * sign[1]), above(sign[3], 0.3 * sign[1]), above(other, 0.9))
    return stays, returns
