"""What Part C states about ridge regression, early stopping and the posterior."""

import functools

import numpy as np

from viva_course.claiming import above, below, between, claim, holds, near


def explained(notebook, w):
    rest = notebook.y_patients - notebook.X_patients @ w
    return 1 - rest @ rest / np.sum((notebook.y_patients - notebook.y_patients.mean()) ** 2)


@functools.cache
def weights_of(notebook, lam):
    """The ridge weights of the patients, and those of s1, s2, s3 and s5."""
    w = notebook.ridge(notebook.X_patients, notebook.y_patients, lam)
    return w, w[notebook.four]


@functools.cache
def stopped_and_ridge(notebook, seed):
    return notebook.stopped_and_ridge(seed)


def data(seed, n=4, d=6):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=n), float(rng.uniform(0.1, 3))


@claim()
def fraction_of_a_direction(notebook, seed):
    X, y, lam = data(seed, 6, 4)
    _, s, Vt = np.linalg.svd(X, full_matrices=False)
    share = Vt @ notebook.ridge(X, y, lam) / (Vt @ notebook.ridge(X, y, 0))
    return below(np.abs(share - s**2 / (s**2 + lam)).max(), 1e-8)


@claim(seeds=1)
def one_sample_by_hand(notebook, seed):
    X, y = np.array([[3.0, 4.0]]), np.array([25.0])
    primal = X.T @ X + 25 * np.eye(2)
    return (below(np.abs(notebook.ridge_dual(X, y, 25.0) - [1.5, 2]).max(), 1e-9),
            below(np.abs(notebook.ridge_primal(X, y, 25.0) - [1.5, 2]).max(), 1e-9),
            holds(primal.tolist() == [[34, 12], [12, 41]] and (y @ X).tolist() == [75, 100]))


@claim()
def digits_lost(notebook, seed):
    """Three samples with eight features at lam = 1e-10, and the other way round."""
    rng, margins = np.random.default_rng(seed), []
    for n, d in ((3, 8), (8, 3)):
        X, y = notebook.matrix_with((2, 1.5, 1), n, d, seed), rng.normal(size=n)
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
        right = Vt.T @ (s / (s**2 + 1e-10) * (U.T @ y))
        lost = [np.log10(np.linalg.norm(solve(X, y, 1e-10) - right) / np.linalg.norm(right))
                for solve in (notebook.ridge_primal, notebook.ridge_dual)]
        larger, smaller = lost if n < d else lost[::-1]
        margins += [near(larger, -6, within=1.2), below(smaller, -14.5)]
    return tuple(margins)


@claim(seeds=1)
def related_blood_values(notebook, seed):
    correlations = np.corrcoef(notebook.X_patients.T)[np.ix_(notebook.four, notebook.four)]
    return (near(correlations[0, 1], 0.90, within=0.005),
            above(np.abs(correlations[:2, 2:]).max(axis=0).min(), 0.15))


@claim(title="442 patients: four weights quarrel until the penalty makes peace", seeds=1)
def quarrel_of_four(notebook, seed):
    (start, four), (end, later) = weights_of(notebook, 0), weights_of(notebook, 15.0)
    left = later / four
    moved = np.abs(end - start)
    others = np.delete(moved, notebook.four)
    return (below(four[0], -0.4), above(four[1], 0.25), near(left[0], 0.25, within=0.05),
            near(left[1], 0, within=0.03), below(left[2], 0), near(left[3], 2 / 3, within=0.04),
            near(explained(notebook, start), 0.518, within=5e-4),
            near(explained(notebook, end), 0.515, within=5e-4),
            above(moved[notebook.four].min(), others.max()))


@claim(seeds=1)
def along_the_weakest(notebook, seed):
    errors, combinations = notebook.combinations_of_four()
    _, s, Vt = np.linalg.svd(notebook.X_patients, full_matrices=False)
    worst, four = combinations[-1], weights_of(notebook, 0)[1]
    return (below(np.abs(worst - [-0.7, 0.6, 0.3, 0.3]).max(), 0.05),
            above(abs(worst @ Vt[-1][notebook.four]), 0.99), near(s[-1] ** 2, 3.8, within=0.05),
            near(s[0] ** 2, 1779, within=1),
            near(worst @ weights_of(notebook, 15.0)[1] / (worst @ four), 0.2, within=0.03))


@claim(title="The sum of two is not what the data determine", seeds=1)
def sum_is_not_safe(notebook, seed):
    sums = [weights_of(notebook, lam)[1][:2].sum() for lam in (0, 15.0)]
    return near(sums[0], -0.195, within=5e-4), near(sums[1], -0.115, within=5e-4)


@claim(seeds=1)
def best_combination(notebook, seed):
    errors, combinations = notebook.combinations_of_four()
    values = [combinations[0] @ weights_of(notebook, float(lam))[1]
              for lam in np.geomspace(0.01, 15, 30)]
    return (below(np.abs(combinations[0] - [0.7, 0.6, 0.5, 0]).max(), 0.05),
            near(errors[-1] / errors[0], 12.5, within=1), above(min(values), -0.12),
            below(max(values), -0.10))


@claim(seeds=1)
def bmi_is_determined(notebook, seed):
    place = notebook.names.index("bmi")
    left = [weights_of(notebook, lam)[0][place] / weights_of(notebook, 0)[0][place]
            for lam in np.geomspace(0.01, 50, 20)]
    return below(np.abs(np.array(left) - 1).max(), 0.1)


@claim()
def small_rate(notebook, seed):
    """The fraction of a descent against 1 - exp(-2 eta t sigma^2), at a hundredth of the bound."""
    X, y, _ = data(seed, 6, 4)
    _, s, Vt = np.linalg.svd(X, full_matrices=False)
    eta = 0.01 / s[0] ** 2
    share = Vt @ notebook.gd_closed_form(X, y, eta, 60) / (Vt @ notebook.ridge(X, y, 0))
    return below(np.abs(share - (1 - np.exp(-120 * eta * s**2))).max(), 0.01)


@claim(title="Stopping keeps more of the strong directions", seeds=1)
def fractions_on_paper(notebook, seed):
    x = np.geomspace(0.01, 100, 4001)
    penalised, stopped = x / (1 + x), 1 - np.exp(-x)
    gap = stopped - penalised
    at = [np.abs(x - value).argmin() for value in (1, 3)]
    return (below(np.abs(np.array([stopped[at], penalised[at]])
                         - [[0.63, 0.95], [0.5, 0.75]]).max(), 0.006),
            near(gap.max(), 0.20, within=0.005), near(x[gap.argmax()], 2.5, within=0.1),
            above(gap[x > 0.1].min(), 0), below(np.abs(gap[[0, -1]]).max(), 0.011))


@claim(seeds=1)
def dots_on_the_curves(notebook, seed):
    margins = []
    for lam in (20.0, 100.0, 500.0):
        x, penalised, stopped = notebook.fractions(lam)
        margins += [below(np.abs(penalised - x / (1 + x)).max(), 1e-6),
                    below(np.abs(stopped - 1 + np.exp(-x)).max(), 0.01)]
    return tuple(margins)


@claim(title="Different curves, and nearly the same best error")
def nearly_the_same_best(notebook, seed):
    ridge, stopped = stopped_and_ridge(notebook, seed)
    return (below(abs(stopped.min() / ridge.min() - 1), 0.02),
            near(np.abs(stopped / ridge - 1).max(), 0.07, within=0.01))


@claim()
def twice_the_penalty(notebook, seed):
    best = notebook.STRENGTHS[stopped_and_ridge(notebook, seed).argmin(axis=1)]
    return between(best[1] / best[0], 1.5, 2.1)


@claim(seeds=1)
def conditional_by_hand(notebook, seed):
    numbers = [np.array([1.0]), np.array([2.0]), *(np.array([[v]]) for v in (2.0, 1.0, 4.0))]
    (mean, cov), (_, other) = (notebook.gaussian_conditional(*numbers, np.array([y]))
                               for y in (6.0, -50.0))
    return (near(mean[0], 2, within=1e-9), near(cov[0, 0], 1.75, within=1e-9),
            near(other[0, 0], 1.75, within=1e-9))


@claim(seeds=1)
def posterior_by_hand(notebook, seed):
    mean, cov = notebook.map_ridge(np.array([[2.0]]), np.array([3.0]), 0.5)
    nothing = notebook.map_ridge(np.ones((2, 3)), np.ones(2), 1e12)[1]
    return (near(mean[0], 4 / 3, within=1e-9), near(cov[0, 0], 1 / 9, within=1e-9),
            below(np.abs(nothing - np.eye(3)).max(), 1e-9))


@claim()
def mean_is_ridge(notebook, seed):
    X, y, lam = data(seed)
    return below(np.abs(notebook.map_ridge(X, y, lam)[0] - notebook.ridge(X, y, lam)).max(), 1e-8)


@claim(title="Ridge knows where it does not know")
def band_covers(notebook, seed):
    """Weights drawn from the prior: how often the band holds the truth, near and far from data."""
    rng, places = np.random.default_rng(seed), np.array([-1.1, -0.6, 0.1, 0.5, 1.1])
    seen, new, inside = notebook.bumps(notebook.seen), notebook.bumps(places), []
    for w in rng.normal(size=(400, 20)):
        mean, cov = notebook.map_ridge(seen, seen @ w + 0.1 * rng.normal(size=6), 0.01)
        spread = np.sqrt(np.einsum("ij,jk,ik->i", new, cov, new))
        inside.append(np.abs(new @ (w - mean)) < 2 * spread)
    spread = notebook.belief_at(places)[1]
    return (below(np.abs(np.mean(inside, axis=0) - 0.95).max(), 0.04),
            above(spread[[0, 3, 4]].min() / spread[[1, 2]].max(), 2))


@claim()
def go_their_own_ways(notebook, seed):
    seen = notebook.bumps(notebook.seen)
    belief = notebook.map_ridge(seen, np.sin(5 * notebook.seen), 0.01)
    draws = np.random.default_rng(seed).multivariate_normal(*belief, size=4, method="svd")
    near_by = np.abs(draws @ seen.T - np.sin(5 * notebook.seen)).max()
    between = np.ptp(draws @ notebook.bumps(np.linspace(0.3, 0.8, 11)).T, axis=0).max()
    return below(near_by, 0.5), above(between, 1)


@claim(seeds=1)
def close_by_luck(notebook, seed):
    centre, spread = notebook.belief_at(np.array([0.5]))
    off = abs(centre[0] - np.sin(2.5))
    return below(off, 0.3), above(spread[0], 3 * off)


@claim()
def both_forms_agree(notebook, seed):
    """A prior with covariance S and noise with covariance C: primal, dual, and conditioning."""
    X, y, _ = data(seed)
    rng = np.random.default_rng(seed)
    S, C = (a @ a.T + np.eye(len(a)) for a in (rng.normal(size=(k, k)) for k in (6, 4)))
    Si, Ci = np.linalg.inv(S), np.linalg.inv(C)
    primal = np.linalg.solve(X.T @ Ci @ X + Si, X.T @ Ci @ y)
    dual = S @ X.T @ np.linalg.solve(X @ S @ X.T + C, y)
    mean = notebook.gaussian_conditional(np.zeros(6), np.zeros(4), S, S @ X.T, X @ S @ X.T + C,
                                         y)[0]
    return below(np.abs(primal - dual).max(), 1e-8), below(np.abs(mean - dual).max(), 1e-8)


@claim(seeds=1)
def rows_and_features_by_hand(notebook, seed):
    one, solves = np.ones((1, 1)), (notebook.ridge_by_rows, notebook.ridge_by_features)
    shortest = notebook.min_norm_solution(np.ones((1, 2)), np.ones(1))
    return (*(near(solve(one, np.ones(1), lam)[0], right, within=1e-9)
              for lam, right in ((1.0, 0.5), (0.25, 0.8)) for solve in solves),
            below(np.abs(shortest - 0.5).max(), 1e-9))


@claim()
def five_descriptions(notebook, seed):
    """Ridge is noise in the inputs (on average), a prior, extra rows and private features."""
    X, y, lam = data(seed)
    ridge = notebook.ridge(X, y, lam)
    others = [notebook.ridge_primal(X, y, lam), notebook.ridge_dual(X, y, lam),
              notebook.map_ridge(X, y, lam)[0], notebook.ridge_by_rows(X, y, lam),
              notebook.ridge_by_features(X, y, lam)]
    tau = np.sqrt(lam / len(X))
    expected = X.T @ X + len(X) * tau**2 * np.eye(6)  # E of (X + tau N)^T (X + tau N)
    noisy = X + tau * np.random.default_rng(seed).normal(size=(40_000, *X.shape))
    measured = np.einsum("kij,kil->jl", noisy, noisy) / len(noisy)
    others.append(np.linalg.solve(expected, X.T @ y))
    return (below(max(np.abs(each - ridge).max() for each in others), 1e-8),
            below(np.abs(measured - expected).max(), 0.2),
            near(notebook.noise_ridge_lambda(len(X), tau), lam, within=1e-9))
