"""What Part B and the end of Part C state about stochastic gradient descent."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, near

FITTED, NOISY, PRIVATE = range(3)  # the three problems, in their order


@claim(seeds=1)
def one_draw_by_hand(notebook, seed):
    X, w = np.diag([2.0, 1.0]), np.ones(2)
    losses = [np.sum((X @ (w - np.array(step))) ** 2) for step in ((0.25, 0), (0, 1 / 16))]
    return (near(losses[0], 3.25, within=1e-12), near(losses[1], 4.8789, within=5e-5),
            near(notebook.expected_next_loss(X, w, 1 / 32), 4.064453125, within=1e-12))


@claim(seeds=1)
def constants_by_hand(notebook, seed):
    c1, c2, best = notebook.sgd_constants(np.diag([2.0, 1.0]))
    return near(c1, 2, within=1e-9), near(c2, 32, within=1e-9), near(best, 1 / 32, within=1e-9)


def problem(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(7, 4)), rng.normal(size=(50, 4)), float(rng.uniform(0.1, 1))


@claim()
def bounded_by_a_parabola(notebook, seed):
    X, starts, share = problem(seed)
    c1, c2, best = notebook.sgd_constants(X)
    eta = share * 2 * best
    room = [(1 - c1 * eta + c2 * eta**2) * np.sum((X @ w) ** 2)
            - notebook.expected_next_loss(X, w, eta) for w in starts]
    weakest = np.linalg.svd(X)[2][-1]  # along it the linear term is all of its bound
    slope = (np.sum((X @ weakest) ** 2) - notebook.expected_next_loss(X, weakest, 1e-7)) / 1e-7
    return above(min(room), 0), near(slope / (c1 * np.sum((X @ weakest) ** 2)), 1, within=1e-4)


@claim()
def two_samples_halve(notebook, seed):
    """All pairs of samples, exactly: the terms in eta and eta^2 of the expected loss."""
    X, starts, _ = problem(seed)
    w, n = starts[0], len(X)
    r = X @ w

    def terms(steps):
        """Of E ||r - eta X step||^2, the steps (k, 4) equally likely."""
        moved = steps @ X.T
        return -2 * np.mean(moved @ r), np.mean(np.sum(moved**2, axis=1))

    single = 2 * r[:, None] * X
    pairs = ((single[:, None] + single[None]) / 2).reshape(-1, 4)
    (one_linear, one), (two_linear, two), (_, full) = map(
        terms, (single, pairs, single.mean(axis=0)[None]))
    top = np.linalg.norm(X, 2) ** 4 * 4 / n**2 * (r @ r)
    return (near(two_linear / one_linear, 1, within=1e-9),
            near(two / (one / 2 + full / 2), 1, within=1e-9), above(top, full))


@functools.cache
def run(notebook, which, seed, lam=4.0, share=1.0):
    """The losses and the last weights of one of the three problems; share: of the lesson's rate."""
    rate = notebook.three_problems(seed)[1]
    problem = list(notebook.three_problems(seed, lam)[0].values())[which]
    return notebook.sgd_losses(*problem, share * rate, 12_000, seed)


def losses_of(notebook, which, seed, **changes):
    return run(notebook, which, seed, **changes)[0]


def private_data(notebook, seed):
    return list(notebook.three_problems(seed)[0].values())[PRIVATE]


def decades_per_step(losses, high=1e-3, low=1e-12):
    """How many powers of ten the loss falls in a step, between two levels."""
    steps = [int((losses < level).argmax()) for level in (high, low)]
    return np.log10(high / low) / (steps[1] - steps[0])


@cause(control="the same samples and rate with noise in the targets, which nobody can fit",
       title="A constant rate comes to rest exactly where the data can be fitted")
def rest_where_fitted(notebook, seed):
    fitted, noisy, private = (losses_of(notebook, which, seed) for which in range(3))
    rest = max(fitted[-1] / fitted[0], private[-1] / private[0])
    return below(rest, 1e-14), above(noisy[-3000:].min(), 0.01)


@claim()
def straight_down(notebook, seed):
    """The steps of the fitted problem at every fourth power of ten lie on a line."""
    losses = losses_of(notebook, FITTED, seed)
    steps = [int((losses < 10.0**-level).argmax()) for level in range(0, 24, 4)]
    parts = np.diff(steps)
    return below(np.abs(parts / parts.mean() - 1).max(), 0.3), below(losses[-1], 1.1e-25)


@claim()
def smaller_rate_lowers_the_plateau(notebook, seed):
    losses = losses_of(notebook, NOISY, seed)
    smaller = losses_of(notebook, NOISY, seed, share=0.25)
    return (near(losses[3000:6000].mean() / losses[-3000:].mean(), 1, within=0.3),
            below(smaller[-3000:].mean() / losses[-3000:].mean(), 0.5))


@cause(control="private features for λ = 25, whose weakest direction is no longer the weakest")
def weakest_direction_slows(notebook, seed):
    slow, fast, wider = (decades_per_step(losses) for losses in (
        losses_of(notebook, PRIVATE, seed), losses_of(notebook, FITTED, seed),
        losses_of(notebook, PRIVATE, seed, lam=25.0)))
    weakest = np.linalg.svd(private_data(notebook, seed)[0], compute_uv=False)[-1] ** 2
    return min(below(slow / fast, 0.75), near(weakest, 4, within=1e-6)), above(wider / fast, 0.9)


@claim()
def private_run_ends_at_ridge(notebook, seed):
    w, (features, targets) = run(notebook, PRIVATE, seed)[1], private_data(notebook, seed)
    ridge = notebook.ridge_by_features(features[:, :10], targets, 4.0)
    return below(np.abs(w[:10] - ridge).max(), 1e-7)
