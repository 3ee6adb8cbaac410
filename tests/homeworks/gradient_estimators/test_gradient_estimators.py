"""The reference of `gradient_estimators` against oracles that were not written here."""

import numpy as np
import pytest
import scipy.integrate
import scipy.stats
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from viva.kits.gradient_estimators import (
    Ditch,
    dark_steps,
    draw_points,
    label,
    landscape,
    landscape_gradient,
    reward,
    staircase,
)
from viva_course.reference import gradient_estimators as reference


def rng(seed=0):
    return np.random.default_rng(seed)


def square(x):
    return (x**2).sum(axis=-1)


# ---- two estimators

def test_the_score_is_the_gradient_of_scipys_log_density():
    x, mu, eps = rng().normal(size=3), rng(1).normal(size=3), 1e-5
    slopes = [(scipy.stats.norm.logpdf(x, mu + e, 0.7) - scipy.stats.norm.logpdf(x, mu - e, 0.7))
              .sum() / (2 * eps) for e in eps * np.eye(3)]
    np.testing.assert_allclose(reference.score_gaussian(x, mu, 0.7), slopes, rtol=1e-7)


@pytest.mark.parametrize("sigma", [0.3, 1.5])
@pytest.mark.parametrize("baseline", [0.0, 4.0])
def test_both_estimators_are_near_the_gradient_of_an_integral(sigma, baseline):
    def mean(m):
        return scipy.integrate.quad(lambda t: np.sin(2 * t) * scipy.stats.norm.pdf(t, m, sigma),
                                    m - 9 * sigma, m + 9 * sigma)[0]

    exact = (mean(0.4 + 1e-4) - mean(0.4 - 1e-4)) / 2e-4
    mu = np.array([0.4])
    for found, variance in (
        reference.score_grad(lambda x: np.sin(2 * x[:, 0]), mu, sigma, 100_000, rng(), baseline),
        reference.reparam_grad(lambda x: 2 * np.cos(2 * x), mu, sigma, 100_000, rng()),
    ):
        assert abs(found[0] - exact) < 5 * np.sqrt(variance[0])


def test_variances_of_the_worked_example():
    mu, n = np.ones(10), 5000
    score = reference.score_grad(square, mu, 0.1, n, rng())[1].sum()
    baseline = reference.score_grad(square, mu, 0.1, n, rng(), 10.0)[1].sum()
    reparam = reference.reparam_grad(lambda x: 2 * x, mu, 0.1, n, rng())[1].sum()
    assert 10 < score < 30 and 0.05 < baseline < 0.15 and 5e-5 < reparam < 1.2e-4


def test_the_derivative_by_sigma():
    found, variance = reference.reparam_grad_sigma(lambda x: 2 * x, np.ones(4), 0.6, 50_000, rng())
    assert abs(found - 2 * 4 * 0.6) < 5 * np.sqrt(variance)


# ---- policies

@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_the_policy_gradient_is_autograds(seed, m):
    logits, rewards = rng(seed).normal(size=(2, m))
    z = torch.tensor(logits, requires_grad=True)
    (torch.softmax(z, dim=0) @ torch.tensor(rewards)).backward()
    found = reference.exact_policy_gradient(logits, rewards)
    np.testing.assert_allclose(found, z.grad.numpy(), atol=1e-12)
    assert abs(found.sum()) < 1e-12


@pytest.mark.parametrize("baseline", [0.0, 2.0])
def test_reinforce_is_unbiased(baseline):
    logits, rewards = np.array([0.5, -0.3, 1.2]), np.array([1.0, 3.0, -0.5])
    found = reference.reinforce(logits, lambda a: rewards[a], 200_000, rng(), baseline)
    np.testing.assert_allclose(found, reference.exact_policy_gradient(logits, rewards), atol=0.015)


# ---- the landscape

def test_the_landscapes_gradient_is_autograds():
    x, y = (torch.tensor(v, requires_grad=True) for v in rng().uniform(-1, 3, size=(2, 20)))
    f = (torch.sin(2.5 * x - 5 * y) + torch.cos(4 * x + 8 * y) - (x - 2) ** 2 - (y - 2) ** 2)
    f.sum().backward()
    at = x.detach().numpy(), y.detach().numpy()
    np.testing.assert_allclose(landscape(*at), f.detach().numpy())
    np.testing.assert_allclose(landscape_gradient(*at), [x.grad.numpy(), y.grad.numpy()])


def test_the_smoothed_landscape_is_an_integral():
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    u, v = np.meshgrid(nodes, nodes)
    w = np.outer(weights, weights) / (2 * np.pi)
    for x, y, s in ((0.3, 0.9, 0.3), (1.7, -0.4, 0.15), (2.0, 2.0, 0.5)):
        exact = (w * landscape(x + s * u, y + s * v)).sum()
        assert reference.smoothed_exact(x, y, s) == pytest.approx(exact, abs=1e-9)
        slopes = [(w * each).sum() for each in landscape_gradient(x + s * u, y + s * v)]
        np.testing.assert_allclose(reference.smoothed_grad_exact(x, y, s), slopes, atol=1e-9)
    np.testing.assert_allclose(reference.smoothed_grad_exact(0.3, 0.9, 0.3), [2.80388, 3.018627],
                               atol=1e-5)


@pytest.mark.parametrize("kind, variance", [("score", 25.8), ("reparam", 2.70), ("fd", 2.19)])
def test_variances_at_the_worked_point(kind, variance):
    generator = rng(4)
    found = np.array([reference.smoothed_estimators(0.3, 0.9, 0.3, 20, generator, kind)
                      for _ in range(2000)])
    assert found.var(axis=0).sum() == pytest.approx(variance, rel=0.2)
    if kind != "fd":
        exact, error = reference.smoothed_grad_exact(0.3, 0.9, 0.3), found.std(axis=0) / 2000**0.5
        assert (np.abs(found.mean(axis=0) - exact) < 5 * error).all()


def test_plain_ascent_is_stuck_and_the_staircase_is_climbed():
    end = reference.ascend("plain", (-0.3, 0.5), 0.3, 5, 0.01, 500, rng())[-1]
    np.testing.assert_allclose(end, [0.045372, 0.848328], atol=1e-5)
    assert landscape(*end) == pytest.approx(-3.538288, abs=1e-5)
    ends = [reference.ascend_quantized((-0.3, 0.5), 0.3, 50, 0.5, 60, rng(seed))[-1]
            for seed in range(20)]
    assert sum(float(staircase(*each)) == 1 for each in ends) >= 16


# ---- kit

def test_the_black_box():
    points = draw_points(20_000, rng())
    shares = np.bincount(label(points)) / 20_000
    assert shares.min() > 0.13 and shares.max() < 0.36
    answers = reward(points, label(points))
    assert (answers == 3).all() and (reward(points, (label(points) + 1) % 4) == -1).all()


def test_the_dark_corridor():
    places, rewards = dark_steps(np.array([0, 0, 1, 1, 2, 2, 3]), np.array([0, 1, 0, 1, 0, 1, 1]))
    assert places.tolist() == [0, 1, 2, 0, 1, 3, 3]
    assert rewards.tolist() == [-1, -1, -1, -1, -1, -1, 0]


# ---- rewards

@pytest.mark.parametrize("points", [1, 3])
def test_the_mean_gradient_of_the_loss_is_the_exact_one(points):
    logits = torch.tensor(rng().normal(size=(points, 4)), requires_grad=True)
    worth, generator = 3 * rng(1).normal(size=(points, 4)), rng(2)
    found = np.array([torch.autograd.grad(
        reference.reward_loss(logits, lambda a: worth[np.arange(points), a], generator),
        logits)[0].numpy() for _ in range(3000)])
    (torch.softmax(logits, dim=1) * torch.tensor(worth)).sum(dim=1).mean().neg().backward()
    error = found.std(axis=0) / 3000**0.5
    assert (np.abs(found.mean(axis=0) - logits.grad.numpy()) < 5 * error).all()


def test_the_best_baseline_has_the_least_variance():
    z = rng(5).standard_normal((2, 100_000))
    for x, y in ((-0.3, 0.5), (0.6, 1.1), (2.18, 2.045)):
        heights = staircase(x + 0.3 * z[0], y + 0.3 * z[1])
        grid = np.linspace(-2, 1, 301)
        spread = [((heights - b) * z).var(axis=1).sum() for b in grid]
        found = reference.best_baseline((x, y), 0.3, 100_000, rng(6))
        assert abs(found - grid[np.argmin(spread)]) < 0.03


def test_credit_and_gradient_of_walks_are_autograds():
    T, E, S, m = 5, 4, 3, 2
    states, actions = rng().integers(S, size=(T, E)), rng(1).integers(m, size=(T, E))
    rewards, values = rng(2).normal(size=(T, E)), rng(3).normal(size=(S, m))
    to_go = np.array([[rewards[t:, e].sum() for e in range(E)] for t in range(T)])
    np.testing.assert_allclose(reference.reward_to_go(rewards), to_go)
    credit = np.array([[to_go[t, e] - np.delete(to_go[t], e).mean() for e in range(E)]
                       for t in range(T)])
    np.testing.assert_allclose(reference.walk_credit(rewards), credit)
    logits = torch.tensor(values, requires_grad=True)
    log_p = torch.log_softmax(logits, dim=1)[torch.tensor(states), torch.tensor(actions)]
    (torch.tensor(credit) * log_p).sum().div(E).backward()
    np.testing.assert_allclose(reference.walk_gradient(values, states, actions, credit),
                               logits.grad.numpy(), atol=1e-12)


def test_the_world():
    world = Ditch(slip=0.0)
    path, total = np.array([world.start]), 0.0
    for move in [0] + [1] * 6 + [2]:
        path, gained = world.step(path, np.array([move]), rng())
        total += gained[0]
    assert path[0] == world.goal and total == 13
    assert world.step(path, np.array([0]), rng()) == (path, 0.0)
    wet, cost = world.step(np.array([world.start]), np.array([1]), rng())
    assert wet[0] == world.start and cost[0] == -5


# ---- refusals

@pytest.mark.parametrize("call", [
    lambda r: r.score_gaussian(np.ones(2), np.ones(2), 0.0),
    lambda r: r.score_grad(square, np.ones(2), -1.0, 5, rng()),
    lambda r: r.reparam_grad(lambda x: x, np.ones(2), -1.0, 5, rng()),
    lambda r: r.reparam_grad_sigma(lambda x: x, np.ones(2), -1.0, 5, rng()),
    lambda r: r.smoothed_estimators(0.0, 0.0, 0.3, 5, rng(), "magic"),
    lambda r: r.smoothed_estimators(0.0, 0.0, 0.0, 5, rng(), "fd"),
    lambda r: r.ascend("magic", (0, 0), 0.3, 5, 0.1, 1, rng()),
    lambda r: r.best_baseline((0, 0), 0.0, 5, rng()),
])
def test_refusals(call):
    with pytest.raises(ValueError):
        call(reference)
