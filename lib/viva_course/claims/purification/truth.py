"""What Part E states about data whose truth is known."""

import numpy as np

from viva_course.claiming import above, cause, claim, holds, near


def best_for_clean(notebook, seed):
    """The best lam of a map that learns from the clean S and then purifies fresh noisy copies."""
    _, S = notebook.make_low_rank(20, 200, 3, signal=1.0, noise=1.0, seed=seed)
    lams = np.array([25.0, 50, 100, 200, 400, 800, 1600])
    rng = np.random.default_rng(seed)
    noise = [rng.normal(size=S.shape) for _ in range(20)]
    maps = [notebook.purifier(S, lam) for lam in lams]
    return lams[np.argmin([np.mean([np.mean((W @ (S + N) - S) ** 2) for N in noise])
                           for W in maps])]


@claim(seeds=1)
def one_channel_by_hand(notebook, seed):
    Y, S = np.full((1, 2), 2.0), np.ones((1, 2))
    lam, errors = notebook.best_lambda(Y, S, np.array([0.0, 8.0]))
    return holds(lam == 8), holds(np.allclose(errors, [1, 0]))


@claim(title="Too little, too much: the best λ lies above n ν²")
def a_valley(notebook, seed):
    known = notebook.known_truth(seed)
    errors, best = known["errors"], int(np.argmin(known["errors"]))
    falls, rises = np.diff(errors[: best + 1]) < 0, np.diff(errors[best:]) > 0
    return (holds(falls.all() and rises.all()), near(errors[0] / known["raw"], 1, within=0.02),
            above(errors[-1], 2 * known["soft"]), above(known["lam"], 3 * 200))


@cause(control="a map that learns from the clean data")
def noisy_data_need_more(notebook, seed):
    return (above(notebook.known_truth(seed)["lam"], 600),
            near(best_for_clean(notebook, seed), 200, within=1))


@claim()
def power_of_pure_noise(notebook, seed):
    """The mean of the 17 directions that hold no signal."""
    Y, _ = notebook.make_low_rank(20, 200, 3, signal=1.0, noise=1.0, seed=seed)
    power = np.linalg.svd(Y, compute_uv=False)[3:] ** 2
    return (near(power.mean(), 200, within=30),
            near(notebook.shrink(np.sqrt([200.0]), 200)[0], 0.5, within=1e-9))


@claim()
def hard_beats_soft(notebook, seed):
    known = notebook.known_truth(seed)
    return above(known["soft"] / known["hard"], 1)
