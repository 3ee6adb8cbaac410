"""The reference of `linear_foundations` against oracles that were not written here."""

import numpy as np
import pytest
import scipy.linalg
import scipy.stats
import torch

from viva_course.reference import linear_foundations as reference

SHAPES = [(7, 3), (3, 7), (4, 4), (5, 1), (1, 5)]


def sample(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


# ---- one weight

@pytest.mark.parametrize("sigma, y, eta, w0, t", [
    (1.0, 1.0, 0.1, 0.0, 2), (2.0, -1.0, 0.2, 3.0, 9), (-0.7, 2.0, 1.5, 1.0, 6), (1, 2, 0.6, 5, 0),
])
def test_the_weight_is_that_of_torch(sigma, y, eta, w0, t):
    w = torch.tensor(float(w0), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=eta)
    for _ in range(t):
        optimizer.zero_grad()
        ((y - sigma * w) ** 2).backward()
        optimizer.step()
    assert reference.gd_scalar(sigma, y, eta, w0, t) == pytest.approx(w.item(), rel=1e-9)


def test_worked_numbers_of_one_weight():
    assert [reference.steps_to_tol(1, 0.1, eps) for eps in (1e-3, 1e-6)] == [31, 62]
    assert reference.steps_to_tol(1, 0.9, 1e-3) == 31
    assert reference.steps_to_tol(1, 0.5, 1e-3) == 1
    assert reference.steps_to_tol(1, 1.0, 1e-3) == reference.steps_to_tol(1, -1, 0.1) == np.inf
    assert reference.max_lr_scalar(2) == 0.25


def test_the_step_is_the_first_one():
    rng = np.random.default_rng(0)
    for _ in range(100):
        sigma, share, eps = rng.uniform(0.2, 3), rng.uniform(0.01, 0.99), 10 ** rng.uniform(-8, -1)
        t = reference.steps_to_tol(sigma, share / sigma**2, eps)
        before, after = (abs(reference.gd_scalar(sigma, sigma, share / sigma**2, 0.0, k) - 1)
                         for k in (t - 1, t))
        assert after < eps <= before


# ---- rates and paths

@pytest.mark.parametrize("n, d", SHAPES)
def test_the_best_rate_beats_a_grid(n, d):
    X = sample(n, d)
    best, bound = reference.best_lr(X), reference.max_lr(X)
    grid = np.linspace(0, 1.2 * bound, 501)[1:]
    assert reference.contraction(X, best) <= min(reference.contraction(X, e) for e in grid) + 1e-12
    assert reference.contraction(X, bound) == pytest.approx(1)
    assert best <= bound


def test_zero_singular_values_do_not_count():
    X = np.zeros((4, 3))
    X[0, 0], X[1, 1] = 3, 1
    assert reference.best_lr(X) == pytest.approx(0.1)
    assert reference.contraction(X, 0.1) == pytest.approx(0.8)


@pytest.mark.parametrize("n, d", SHAPES)
@pytest.mark.parametrize("t", [0, 1, 17])
def test_the_path_is_that_of_torch(n, d, t):
    X, y = sample(n, d), sample(n, seed=1)
    eta = 0.7 * reference.max_lr(X)
    inputs, targets = torch.tensor(X), torch.tensor(y)
    w = torch.zeros(d, dtype=torch.float64, requires_grad=True)
    for _ in range(t):
        (gradient,) = torch.autograd.grad(((inputs @ w - targets) ** 2).sum(), w)
        w = (w - eta * gradient).detach().requires_grad_()
    np.testing.assert_allclose(reference.gd_closed_form(X, y, eta, t), w.detach(), atol=1e-10)


@pytest.mark.parametrize("n, d", [(3, 7), (1, 5), (4, 4)])
def test_the_end_of_the_path_is_the_shortest_solution(n, d):
    X, y = sample(n, d), sample(n, seed=1)
    np.testing.assert_allclose(reference.min_norm_solution(X, y), scipy.linalg.lstsq(X, y)[0],
                               atol=1e-9)
    end = reference.gd_closed_form(X, y, reference.best_lr(X), 10**6)
    np.testing.assert_allclose(end, reference.min_norm_solution(X, y), atol=1e-8)


# ---- SGD and noise

def test_the_expectation_is_that_of_a_simulation():
    X, w, eta = sample(4, 6), sample(6), 0.05
    draws = np.random.default_rng(0).integers(4, size=20_000)
    losses = np.array([np.sum((X @ (w - eta * 2 * (x @ w) * x)) ** 2) for x in X])[draws]
    error = losses.std() / np.sqrt(len(draws))
    assert abs(reference.expected_next_loss(X, w, eta) - losses.mean()) < 5 * error
    assert reference.expected_next_loss(X, w, 0) == pytest.approx(np.sum((X @ w) ** 2))


@pytest.mark.parametrize("n, d", [(4, 4), (3, 8), (6, 2)])
def test_the_bound_of_sgd(n, d):
    X = sample(n, d)
    c1, c2, best = reference.sgd_constants(X)
    for w in sample(50, n, seed=2) @ X:
        for eta in best * np.array([0.1, 1, 5]):
            bound = (1 - c1 * eta + c2 * eta**2) * np.sum((X @ w) ** 2)
            assert reference.expected_next_loss(X, w, eta) <= bound * (1 + 1e-12)


def test_constants_by_hand():
    assert reference.sgd_constants(np.diag([2.0, 1.0])) == pytest.approx((2, 32, 1 / 32))


def test_noise_is_ridge():
    X, y, w, std = sample(6, 3), sample(6, seed=1), sample(3, seed=2), 0.6
    noise = np.random.default_rng(0).normal(size=(40_000, 6, 3))
    losses = np.sum(((X + std * noise) @ w - y) ** 2, axis=1)
    expected = np.sum((X @ w - y) ** 2) + reference.noise_ridge_lambda(6, std) * w @ w
    assert abs(losses.mean() - expected) < 5 * losses.std() / 200


@pytest.mark.parametrize("x, std", [(1.0, 1.0), (2.0, 0.3), (0.0, 0.7), (1.5, 0.0)])
def test_limits_of_noisy_sgd_from_the_moments_of_scipy(x, std):
    second, fourth = (scipy.stats.norm.moment(k, x, std) if std else x**k for k in (2, 4))
    mean, square = reference.noisy_sgd_mean_limit(x, std), reference.noisy_sgd_ms_limit(x, std)
    assert mean * second == pytest.approx(2)
    assert 1 - 2 * square * second + square**2 * fourth == pytest.approx(1)
    assert reference.noisy_sgd_fixed_point(x, 3.0, std) == pytest.approx(3 * x / second)


# ---- ridge

@pytest.mark.parametrize("n, d", SHAPES)
@pytest.mark.parametrize("lam", [0.3, 4.0])
def test_every_ridge_is_the_same(n, d, lam):
    X, y = sample(n, d), sample(n, seed=1)
    more, targets = np.vstack([X, np.sqrt(lam) * np.eye(d)]), np.append(y, np.zeros(d))
    expected = scipy.linalg.lstsq(more, targets)[0]
    for solve in (reference.ridge_primal, reference.ridge_dual, reference.ridge,
                  reference.ridge_by_rows, reference.ridge_by_features):
        np.testing.assert_allclose(solve(X, y, lam), expected, rtol=1e-9, atol=1e-10)
    mean, cov = reference.map_ridge(X, y, lam)
    np.testing.assert_allclose(mean, expected, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(cov, np.linalg.inv(np.eye(d) + X.T @ X / lam), atol=1e-10)


def test_ridge_without_a_penalty_and_with_a_negative_one():
    X, Y = np.insert(sample(6, 3), 1, 0.0, axis=1), sample(6, 2, seed=1)
    np.testing.assert_allclose(reference.ridge(X, Y, 0), np.linalg.pinv(X, rcond=1e-10) @ Y,
                               atol=1e-10)
    with pytest.raises(ValueError, match="negative"):
        reference.ridge(X, Y, -1e-9)


# ---- conditional Gaussians

def test_the_conditional_is_a_ratio_of_densities():
    """Oracle: log p(w, y) - log p(y) of scipy, whatever w is."""
    root = sample(5, 8)
    S, mu, y = root @ root.T, sample(5, seed=1), sample(2, seed=2)
    mean, cov = reference.gaussian_conditional(mu[:3], mu[3:], S[:3, :3], S[:3, 3:], S[3:, 3:], y)
    joint = scipy.stats.multivariate_normal(mu, S)
    margin = scipy.stats.multivariate_normal(mu[3:], S[3:, 3:])
    for w in sample(5, 3, seed=3):
        found = scipy.stats.multivariate_normal(mean, cov).logpdf(w)
        assert found == pytest.approx(joint.logpdf(np.r_[w, y]) - margin.logpdf(y))


def test_the_scalar_example():
    one = np.ones(1)
    mean, cov = reference.gaussian_conditional(one, 2 * one, 2 * one[None], one[None],
                                               4 * one[None], 6 * one)
    assert mean == pytest.approx(2) and cov == pytest.approx(1.75)
