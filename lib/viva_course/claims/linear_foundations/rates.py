"""What Part A states about the pace of gradient descent."""

import math

import numpy as np

from viva_course.claiming import above, below, claim, holds, near

FIVE = (5, 4, 2, 1, 0.5)


def spectrum(seed):
    """A random spectrum of five singular values, and a (8, 5) matrix that has it."""
    return np.sort(np.random.default_rng(seed).uniform(0.5, 4, 5))[::-1]


@claim(seeds=1)
def two_steps_by_hand(notebook, seed):
    errors = [notebook.gd_scalar(1.0, 1.0, 0.1, 0.0, t) - 1 for t in range(3)]
    return below(np.abs(np.array(errors) - [-1, -0.8, -0.64]).max(), 1e-12)


@claim(seeds=1)
def steps_by_hand(notebook, seed):
    return (near(notebook.max_lr_scalar(2.0), 0.25, within=1e-12),
            holds([notebook.steps_to_tol(1.0, 0.1, eps) for eps in (1e-3, 1e-6)] == [31, 62]))


@claim(seeds=1)
def half_arrives(notebook, seed):
    rates = np.linspace(0.005, 0.995, 199)
    steps = [notebook.steps_to_tol(1.0, float(eta), 1e-6) for eta in rates]
    return holds(min(steps) == 1 and np.flatnonzero(np.array(steps) == 1).tolist() == [99])


@claim(title="Too careful and too bold cost the same (σ = 1)")
def symmetric_cost(notebook, seed):
    rng = np.random.default_rng(seed)
    pairs = [(notebook.steps_to_tol(1.0, eta, eps), notebook.steps_to_tol(1.0, 1 - eta, eps))
             for eta, eps in zip(rng.uniform(0.01, 0.49, 20), 10 ** -rng.uniform(1, 6, 20))]
    return holds(all(abs(a - b) <= 1 for a, b in pairs))  # 1: the last digit of 1 - eta


@claim(seeds=1)
def five_times_better(notebook, seed):
    steps = [notebook.steps_to_tol(1.0, eta, 1e-6) for eta in (0.05, 0.95, 0.01)]
    return holds(steps[0] == steps[1]), near(steps[2] / steps[0], 5, within=0.3)


@claim()
def same_steps_for_each_hundred(notebook, seed):
    eta = float(np.random.default_rng(seed).uniform(0.005, 0.45))
    a, b, c = (notebook.steps_to_tol(1.0, eta, eps) for eps in (1e-2, 1e-4, 1e-6))
    return holds(abs(b - 2 * a) <= 1 and abs(c - 3 * a) <= 2)


@claim()
def zero_directions_stay(notebook, seed):
    """Fewer samples than features: the part of the path outside the span of the rows."""
    X = notebook.matrix_with(FIVE[:3], 3, 6, seed)
    w = notebook.gd_closed_form(X, np.random.default_rng(seed).normal(size=3), 0.03, 40)
    return below(np.linalg.norm(w - np.linalg.pinv(X) @ (X @ w)), 1e-10), above(w @ w, 1e-3)


@claim(seeds=1)
def strong_and_weak_by_hand(notebook, seed):
    X = np.diag([3.0, 1.0])
    factors = [1 - 2 * 0.1 * sigma**2 for sigma in (3, 1)]
    more, less = (notebook.contraction(X, eta) for eta in (0.101, 0.099))
    return (below(np.abs(np.array(factors) - [-0.8, 0.8]).max(), 1e-12), above(more, 0.8),
            above(less, 0.8), near(notebook.contraction(X, 0.1), 0.8, within=1e-9))


@claim(seeds=1)
def rates_by_hand(notebook, seed):
    X = np.diag([3.0, 1.0])
    return (near(notebook.max_lr(X), 1 / 9, within=1e-9),
            near(notebook.best_lr(X), 0.1, within=1e-9),
            near(notebook.best_lr(notebook.X_five), 1 / 25.25, within=1e-9))


@claim(title="Only the strongest and the weakest direction matter")
def the_middle_lies_below(notebook, seed):
    """Another spectrum for every seed; all rates up to 1.2 times the bound."""
    sigmas = FIVE if seed == 0 else spectrum(seed)
    X, ends = notebook.matrix_with(sigmas, 8, 5, seed), np.diag([sigmas[0], sigmas[-1]])
    apart = [abs(notebook.contraction(X, eta) - notebook.contraction(ends, eta))
             for eta in np.linspace(0, 1.2, 121)[1:] / sigmas[0] ** 2]
    return below(max(apart), 1e-9)


@claim(seeds=1)
def follows_the_weakest(notebook, seed):
    best, bound = notebook.best_lr(notebook.X_five), notebook.max_lr(notebook.X_five)
    weak = [abs(notebook.contraction(notebook.X_five, eta) - (1 - 2 * eta * 0.25))
            for eta in np.linspace(0.01, 0.999, 50) * best]
    strong = [abs(notebook.contraction(notebook.X_five, eta) - (2 * eta * 25 - 1))
              for eta in np.linspace(1.001, 1.1, 50) * best]
    return (below(max(weak + strong), 1e-9), near(bound, 1 / 25, within=1e-9),
            near(best, 1 / 25.25, within=1e-9))


@claim(seeds=1)
def a_fiftieth_per_step(notebook, seed):
    left = notebook.contraction(notebook.X_five, notebook.best_lr(notebook.X_five))
    return near(left, 99 / 101, within=1e-9), near(1 - left, 1 / 50, within=0.001)


@claim()
def half_the_condition(notebook, seed):
    """Steps until the slowest direction has lost all but eps, for conditions above 20."""
    rng = np.random.default_rng(seed)
    condition, eps = float(rng.uniform(20, 400)), float(10 ** -rng.uniform(2, 8))
    X = np.diag([math.sqrt(condition), 1.0])
    steps = math.log(eps) / math.log(notebook.contraction(X, notebook.best_lr(X)))
    return near(steps / (condition / 2 * math.log(1 / eps)), 1, within=0.05)


@claim(seeds=1)
def falls_for_a_hundred_steps(notebook, seed):
    """Factors -1.02 and 0.98; the share of the loss at the start is one in ten thousand."""
    X, eta = np.diag([5.0, 0.5]), 2.02 / 50
    w = np.array([0.01 / 5, math.sqrt(1 - 0.01**2) / 0.5])
    path = np.array([notebook.gd_closed_form(X, X @ w, eta, t) for t in range(401)])
    losses = np.sum(((path - w) @ X) ** 2, axis=1)
    return (holds((np.diff(losses[:101]) < 0).all()), above(losses[400], 1),
            near(1.02**200, 52, within=1))


@claim()
def strong_ones_first(notebook, seed):
    X = notebook.matrix_with(spectrum(seed), 8, 5, seed)
    w = np.ones(5)
    left = np.abs(np.linalg.svd(X)[2] @ (
        notebook.gd_closed_form(X, X @ w, 0.4 * notebook.max_lr(X), 5) - w))
    left /= np.abs(np.linalg.svd(X)[2] @ w)
    return holds((np.diff(left) > 0).all())


@claim()
def ends_at_the_shortest(notebook, seed):
    """Against a hundred other solutions."""
    rng = np.random.default_rng(seed)
    X, y = notebook.matrix_with((3, 2, 1), 3, 7, seed), rng.normal(size=3)
    end = notebook.gd_closed_form(X, y, 0.9 * notebook.max_lr(X), 2000)
    others = end + (rng.normal(size=(100, 7)) @ (np.eye(7) - np.linalg.pinv(X) @ X))
    return (below(np.linalg.norm(X @ end - y), 1e-8), below(np.abs(others @ X.T - y).max(), 1e-8),
            above(np.linalg.norm(others, axis=1).min(), np.linalg.norm(end)),
            below(np.linalg.norm(end - notebook.min_norm_solution(X, y)), 1e-8))


@claim(seeds=1)
def three_and_four(notebook, seed):
    shortest = notebook.min_norm_solution(np.array([[3.0, 4.0]]), np.array([25.0]))
    return (below(np.abs(shortest - [3, 4]).max(), 1e-9), near(25 / 3, 8.3, within=0.05),
            near(np.linalg.norm(shortest), 5, within=1e-9))


@claim(title="Every direction has a rate of its own; the worst of them decides", seeds=1)
def straight_lines(notebook, seed):
    """On a logarithmic axis, until rounding; and the total ends with the slowest one."""
    margins = []
    for eta in (1 / 75, 1 / 25.25, 1.01 / 25):
        errors = notebook.errors_along(eta, np.arange(0, 601, 2))
        for sigma, along in zip(FIVE, errors.T):
            seen = along[along > 1e-11]
            slope = np.diff(np.log(seen)) / 2
            margins.append(below(np.abs(slope - np.log(abs(1 - 2 * eta * sigma**2))).max(), 1e-2))
        total = np.linalg.norm(errors[-1])
        margins.append(below(total / errors[-1].max() - 1, 1e-3))
    return tuple(margins)


@claim(seeds=1)
def weakest_takes_the_time(notebook, seed):
    left = notebook.errors_along(1 / 75, [60, 600])
    return below(left[0, :2].max(), 1e-12), above(left[1, 4], 0.01), below(left[1, :4].max(), 1e-6)


@claim(seeds=1)
def parallel_at_the_best_rate(notebook, seed):
    errors = notebook.errors_along(1 / 25.25, [0, 600])
    lost = errors[1] / errors[0]
    return near(lost[0] / lost[4], 1, within=1e-6), below(lost[1:4].max(), lost[4])


@claim(seeds=1)
def takes_over_at_170(notebook, seed):
    errors = notebook.errors_along(1.01 / 25, np.arange(601))
    total = np.linalg.norm(errors, axis=1)
    growth = errors[1, 0] / errors[0, 0]
    return (near(errors[0, 0], 1e-3, within=1e-9), near(growth, 1.02, within=1e-6),
            holds((np.diff(total[:171]) < 0).all()), near(total.argmin(), 170, within=10),
            above(errors[600, 0] / total[600], 0.999))
