"""What section 5 states about noise in the inputs."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, near


@functools.cache
def runs(notebook, eta, seed):
    return notebook.noisy_runs(eta, seed)


def grows_by(eta):
    """E (1 - eta x~^2)^2 for x = tau = 1."""
    return 1 - 4 * eta + 10 * eta**2


@claim()
def noise_is_a_penalty(notebook, seed):
    rng = np.random.default_rng(seed)
    X, y, w, tau = rng.normal(size=(6, 3)), rng.normal(size=6), rng.normal(size=3), 0.7
    noisy = X + tau * rng.normal(size=(10_000, 6, 3))
    extra = np.mean(np.sum((noisy @ w - y) ** 2, axis=1)) - np.sum((X @ w - y) ** 2)
    return near(extra / (notebook.noise_ridge_lambda(6, tau) * w @ w), 1, within=0.1)


@claim(seeds=1)
def moments_by_hand(notebook, seed):
    x, weights = np.polynomial.hermite_e.hermegauss(12)
    moments = [weights @ (1 + x) ** k / weights.sum() for k in (2, 4)]
    return near(moments[0], 2, within=1e-9), near(moments[1], 10, within=1e-9)


@claim(seeds=1)
def four_numbers(notebook, seed):
    return (near(notebook.noise_ridge_lambda(20, 0.5), 5, within=1e-9),
            near(notebook.noisy_sgd_mean_limit(1.0, 1.0), 1, within=1e-9),
            near(notebook.noisy_sgd_ms_limit(1.0, 1.0), 0.4, within=1e-9),
            near(notebook.noisy_sgd_fixed_point(1.0, 3.0, 1.0), 1.5, within=1e-9))


@claim()
def second_is_stricter(notebook, seed):
    x, tau = np.random.default_rng(seed).normal(size=2)
    return below(notebook.noisy_sgd_ms_limit(x, tau), notebook.noisy_sgd_mean_limit(x, tau))


@claim()
def calm_below_the_limit(notebook, seed):
    margins = []
    for eta in (0.1, 0.3):
        average, square, _ = runs(notebook, eta, seed)
        margins += [below(np.abs(average[40:] - 0.5).max(), 0.03), below(square.max(), 1)]
    return tuple(margins)


@claim(title=("The mean converges on paper …", "… the mean square only below η = {}"))
def converges_on_paper(notebook, seed):
    """The recursions of the mean and of the mean square, and the first steps of the runs."""
    margins = [near(notebook.noisy_sgd_ms_limit(1.0, 1.0), 0.4, within=1e-9)]
    for eta in (0.1, 0.3, 0.6):
        mean = square = 0.0
        average, squares, _ = runs(notebook, eta, seed)
        for t in range(200):
            # E[x~] = 1, E[x~^2] = 2, E[x~^3] = 4
            square = grows_by(eta) * square + 2 * eta * (1 - 4 * eta) * mean + 2 * eta**2
            mean = (1 - 2 * eta) * mean + eta
            if t < 3:
                margins += [near(average[t], mean, within=0.06),
                            near(squares[t] / square, 1, within=0.3)]
        margins += [near(mean, 0.5, within=1e-9),
                    below(square, 1) if eta < 0.4 else above(square, 1e50)]
    return tuple(margins)


@cause(control="the same runs with η = 0.1")
def a_few_runs_dominate(notebook, seed):
    """The share of the squares that 20 of the 20,000 runs hold; how the average staggers."""
    shares, staggers = [], []
    for eta in (0.6, 0.1):
        average, _, w = runs(notebook, eta, seed)
        shares.append(np.sort(w**2)[-20:].sum() / np.sum(w**2))
        staggers.append(np.std(average[30:]))
    return (min(above(shares[0], 0.8), above(staggers[0], 0.1)),
            min(below(shares[1], 0.05), below(staggers[1], 0.01)))


@claim()
def grows_and_stops_growing(notebook, seed):
    square = runs(notebook, 0.6, seed)[1]
    return above(square[-20:].mean() / square[0], 300), below(square[-1], 1e-9 * grows_by(0.6)**60)


@cause(control="η = 0.3, where 200 runs give the same mean square as 20,000")
def too_few_runs(notebook, seed):
    """What 200 and 20,000 runs make of the mean square in their last 20 steps."""
    def many_for_few(eta):
        many, few = runs(notebook, eta, seed)[1], notebook.noisy_runs(eta, seed, runs=200)[1]
        return many[-20:].mean() / few[-20:].mean()

    return above(many_for_few(0.6), 1), near(many_for_few(0.3), 1, within=0.2)


@claim()
def calm_median(notebook, seed):
    return near(np.median(runs(notebook, 0.6, seed)[2]), 0.7, within=0.05)


@claim()
def other_noise(notebook, seed):
    """Uniform noise; noise that is correlated within a row; one draw, fitted by least squares."""
    rng = np.random.default_rng(seed)
    X, y, w = rng.normal(size=(6, 3)), rng.normal(size=6), rng.normal(size=3)
    mix, plain = rng.normal(size=(3, 3)), np.sum((X @ w - y) ** 2)

    def extra(noise):
        return np.mean(np.sum(((X + noise) @ w - y) ** 2, axis=1)) - plain

    uniform = rng.uniform(-np.sqrt(3), np.sqrt(3), size=(60_000, 6, 3))
    frozen = X + uniform[0]
    fitted = np.linalg.lstsq(frozen, y, rcond=None)[0]
    gradient = np.abs(frozen.T @ (frozen @ fitted - y)).max()
    ridge = notebook.ridge(X, y, notebook.noise_ridge_lambda(6, 1.0))
    return (near(extra(uniform) / (6 * w @ w), 1, within=0.1),
            near(extra(uniform @ mix.T) / (6 * np.sum((mix.T @ w) ** 2)), 1, within=0.1),
            below(gradient, 1e-9), above(np.linalg.norm(fitted - ridge), 0.01))
