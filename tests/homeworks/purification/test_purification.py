"""The reference of `purification` against oracles that were not written here."""

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from viva.kits.purification.data import make_low_rank
from viva_course.reference import purification as reference

SHAPES = [(3, 7), (7, 3), (4, 4), (1, 5), (5, 1)]
TOY = np.array([[-2.17, 1.98, 2.41, -2.03], [0.02, -0.01, 0.01, -0.02]])
EIGHT = np.array([10, 8, 4, 1, 0.5, 0.36, 0.16, 0.01])


def sample(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def with_singular_values(s, n, seed=0):
    """A dense (len(s), n) matrix with these singular values, n >= len(s)."""
    U, _ = np.linalg.qr(sample(len(s), len(s), seed=seed))
    V, _ = np.linalg.qr(sample(n, len(s), seed=seed + 1))
    return (U * s) @ V.T


# ---- losses

@pytest.mark.parametrize("m, n", SHAPES)
def test_losses_against_a_triple_loop(m, n):
    W, X = sample(m, m), sample(m, n)
    recon = 0.0
    for i in range(m):
        for j in range(n):
            recon += (X[i, j] - sum(W[i, k] * X[k, j] for k in range(m))) ** 2
    reg = 0.3 * np.linalg.norm(W, "fro") ** 2
    np.testing.assert_allclose(reference.purification_losses(W, X, 0.3),
                               (recon, reg, recon + reg), rtol=1e-12)


def test_losses_of_the_toy_data():
    D = np.diag([1.0, 0.0])
    np.testing.assert_allclose(reference.purification_losses(np.eye(2), TOY, 0.7), (0, 1.4, 1.4))
    np.testing.assert_allclose(reference.purification_losses(D, TOY, 0.7), (0.001, 0.7, 0.701))
    assert reference.purification_losses(np.zeros((2, 2)), TOY, 1)[0] == pytest.approx(18.5593)
    assert reference.tie_lambda(np.eye(2), D, TOY) == pytest.approx(0.001)
    assert reference.tie_lambda(D, np.zeros((2, 2)), TOY) == pytest.approx(18.5583)


def test_tie_lambda_refuses_lines_that_do_not_cross():
    with pytest.raises(ValueError, match="never cross"):
        reference.tie_lambda(np.diag([1.0, 0]), np.diag([0, 1.0]), TOY)
    with pytest.raises(ValueError, match="better for every lam"):
        reference.tie_lambda(np.eye(2), 2 * np.eye(2), TOY)


# ---- the purifier

@pytest.mark.parametrize("m, n", SHAPES)
def test_purifier_is_ridge_regression_of_every_channel(m, n):
    """Oracle: least squares on data augmented by sqrt(lam) I, one channel at a time."""
    X, lam = sample(m, n), 0.7
    augmented = np.vstack([X.T, np.sqrt(lam) * np.eye(m)])  # (n + m, m)
    rows = [scipy.linalg.lstsq(augmented, np.concatenate([X[i], np.zeros(m)]))[0]
            for i in range(m)]
    np.testing.assert_allclose(reference.purifier(X, lam), rows, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(reference.purifier_svd(X, lam), rows, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("purify", [reference.purifier, reference.purifier_svd])
def test_purifier_at_zero_is_the_projector(purify):
    tall, deficient = sample(6, 2), sample(4, 2) @ sample(2, 9)
    for X in (tall, deficient, sample(3, 8)):
        np.testing.assert_allclose(purify(X, 0), X @ np.linalg.pinv(X), atol=1e-10)
    assert not purify(np.zeros((3, 4)), 0).any()


@pytest.mark.parametrize("purify", [reference.purifier, reference.purifier_svd])
@pytest.mark.parametrize("lam", [-1e-9, -3, float("nan")])
def test_purifier_refuses_a_negative_weight(purify, lam):
    with pytest.raises(ValueError):
        purify(sample(3, 4), lam)


def test_purifier_refuses_what_is_not_a_finite_matrix():
    with pytest.raises(ValueError):
        reference.purifier(np.ones(3), 1.0)
    with pytest.raises(ValueError):
        reference.purifier(np.full((2, 3), np.nan), 1.0)


def test_purifier_batches_and_takes_float32_and_lists():
    X, lam = sample(2, 3, 4, 6), np.array([[0.5, 1, 2], [0, 3, 4]])
    one_by_one = [[reference.purifier(X[i, j], lam[i, j]) for j in range(3)] for i in range(2)]
    np.testing.assert_allclose(reference.purifier(X, lam), one_by_one, rtol=1e-9, atol=1e-10)
    assert reference.purifier(TOY.astype(np.float32), 1).dtype == np.float64
    np.testing.assert_allclose(reference.purifier(TOY.tolist(), 1),
                               [[0.948871, 0.000077], [0.000077, 0.000999]], atol=5e-7)


def test_torch_purifier_agrees_and_has_the_right_gradients():
    X, lam = torch.tensor(sample(2, 3, 5)), torch.tensor([0.4, 2.0], dtype=torch.float64)
    np.testing.assert_allclose(reference.torch_purifier(X, lam),
                               reference.purifier(X.numpy(), lam.numpy()), rtol=1e-9, atol=1e-10)
    inputs = (X.clone().requires_grad_(), lam.clone().requires_grad_())
    assert torch.autograd.gradcheck(reference.torch_purifier, inputs)
    assert reference.torch_purifier(X.float(), 1.0).dtype == torch.float32


# ---- the filter

def test_shrink_of_the_eight_singular_values():
    np.testing.assert_allclose(
        reference.shrink(EIGHT, 1),
        [0.990099, 0.984615, 0.941176, 0.5, 0.2, 0.114731, 0.024961, 0.0001], atol=5e-7)
    np.testing.assert_allclose(
        reference.shrink(EIGHT, 4),
        [0.961538, 0.941176, 0.8, 0.2, 0.058824, 0.031383, 0.006359, 0.000025], atol=5e-7)


@given(st.floats(1e-140, 1e150), st.floats(0, 1e300))
def test_shrink_is_the_formula_wherever_the_formula_works(sigma, lam):
    expected = sigma**2 / (sigma**2 + lam)
    assert reference.shrink(sigma, lam) == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_shrink_at_the_ends_of_the_number_range():
    np.testing.assert_array_equal(reference.shrink([0, 0, 1e200, 1e-200], [0, 1, 1, 0]),
                                  [0, 0, 1, 1])


def test_svd_route_keeps_small_eigenvalues_that_the_gram_route_loses():
    s, lam = np.logspace(3, -3, 7), 1e-5
    X = with_singular_values(s, 9)
    expected = np.sort(s**2 / (s**2 + lam))
    by_svd = np.linalg.eigvalsh(reference.purifier_svd(X, lam))
    by_gram = np.linalg.eigvalsh(reference.purifier(X, lam))
    np.testing.assert_allclose(by_svd, expected, rtol=1e-8)
    assert np.abs(by_gram / expected - 1).max() > 1e-6


# ---- the interval

def test_lambda_range_worked_numbers():
    assert reference.lambda_range(EIGHT, 3) == pytest.approx((1, 4))
    assert reference.lambda_range(EIGHT, 2, 0.7, 0.5) == pytest.approx((16, 27.428571))
    assert reference.lambda_range(EIGHT[::-1], 4, 0.7, 0.45) == pytest.approx((0.305556, 0.428571),
                                                                              rel=1e-5)
    assert reference.lambda_range(EIGHT, 0) == (100.0, np.inf)
    assert reference.lambda_range(EIGHT, 8)[0] == 0
    assert reference.lambda_range(EIGHT, 4) == pytest.approx((0.25, 0.25))
    with pytest.raises(ValueError):
        reference.lambda_range([1, 0.5], 1, keep=0.99, kill=0.1)
    for bad in ({"k": 9}, {"k": -1}, {"k": 3, "keep": 0}, {"k": 3, "kill": 1.5}):
        with pytest.raises(ValueError):
            reference.lambda_range(EIGHT, **bad)


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=6, unique=True), st.data())
def test_lambda_range_against_a_root_finder(sigmas, data):
    k = data.draw(st.integers(1, len(sigmas) - 1))
    weakest_kept, strongest_killed = sorted(sigmas)[-k], sorted(sigmas)[-k - 1]

    def lam_where(sigma, factor):
        return scipy.optimize.brentq(lambda lam: sigma**2 - factor * (sigma**2 + lam), 0, 1e7)

    lo, hi = lam_where(strongest_killed, 0.6), lam_where(weakest_kept, 0.6)
    if lo <= hi * (1 - 1e-9):
        assert reference.lambda_range(sigmas, k, 0.6, 0.6) == pytest.approx((lo, hi), rel=1e-6)


# ---- gradient descent

def test_gradient_against_autograd():
    W, X = torch.tensor(sample(4, 4)).requires_grad_(), torch.tensor(sample(4, 6))
    (((X - W @ X) ** 2).sum() + 0.3 * (W**2).sum()).backward()
    np.testing.assert_allclose(reference.purifier_grad(W.detach().numpy(), X.numpy(), 0.3),
                               W.grad, rtol=1e-12, atol=1e-12)


def test_gradient_descent_against_torch_sgd():
    X, W = torch.tensor(sample(3, 5)), torch.tensor(sample(3, 3, seed=1)).requires_grad_()
    start, sgd, losses = W.detach().numpy().copy(), torch.optim.SGD([W], lr=0.01), []
    for _ in range(20):
        loss = ((X - W @ X) ** 2).sum() + 0.4 * (W**2).sum()
        losses.append(loss.item())
        sgd.zero_grad()
        loss.backward()
        sgd.step()
    got, history = reference.purify_gd(X.numpy(), 0.4, 0.01, 20, start)
    np.testing.assert_allclose(got, W.detach(), rtol=1e-10)
    np.testing.assert_allclose(history[:-1], losses, rtol=1e-10)
    assert history.shape == (21,)


@pytest.mark.parametrize("m, n", [(3, 6), (6, 3)])
def test_step_sizes_are_those_of_the_hessian(m, n):
    """Oracle: autograd's Hessian. Stable below 2 / largest, best 2 / (largest + smallest)."""
    X, lam = torch.tensor(sample(m, n)), 0.8

    def loss(W):
        return ((X - W @ X) ** 2).sum() + lam * (W**2).sum()

    hessian = torch.autograd.functional.hessian(loss, torch.zeros(m, m, dtype=torch.float64))
    curvature = torch.linalg.eigvalsh(hessian.reshape(m * m, m * m))
    assert reference.max_stable_step(X.numpy(), lam) == pytest.approx(2 / curvature[-1].item())
    assert reference.best_constant_step(X.numpy(), lam) == pytest.approx(
        2 / (curvature[0] + curvature[-1]).item())


# ---- denoising

def test_denoising_loss_has_the_mean_of_purification():
    W, X, s = sample(3, 3), sample(3, 5), 0.6
    draws = [reference.denoising_loss(W, X, s, np.random.default_rng(i), 1) for i in range(4000)]
    lam = reference.denoising_lambda(s, X.shape[1])
    expected = reference.purification_losses(W, X, lam)[2]
    assert abs(np.mean(draws) - expected) < 5 * np.std(draws) / np.sqrt(len(draws))
    assert reference.denoising_lambda(0.5, 8) == 2.0


def test_denoising_loss_is_the_mean_of_its_draws():
    W, X, rng = sample(2, 2), sample(2, 4), np.random.default_rng(3)
    noise = 0.7 * np.random.default_rng(3).normal(size=(50, 2, 4))
    expected = torch.nn.functional.mse_loss(
        torch.tensor(W @ (X + noise)), torch.tensor(X).expand(50, 2, 4), reduction="sum") / 50
    assert reference.denoising_loss(W, X, 0.7, rng, 50) == pytest.approx(expected.item())


# ---- degrees of freedom, bottleneck, zero diagonal

def test_effective_dof_is_the_trace():
    X = sample(2, 4, 6)
    np.testing.assert_allclose(reference.effective_dof(X, 0.9),
                               np.trace(reference.purifier(X, 0.9), axis1=-2, axis2=-1))
    X = with_singular_values(EIGHT, 11)
    assert [reference.effective_dof(X, lam) for lam in (1, 2, 4)] == pytest.approx(
        [3.75568, 3.35697, 2.99931], abs=5e-6)
    assert reference.lambda_for_dof(X, 3) == pytest.approx(3.9945, abs=5e-5)


@settings(deadline=None, max_examples=50)
@given(st.floats(0.01, 0.99), st.integers(1, 4))
def test_lambda_for_dof_against_brentq(fraction, rank):
    X = sample(4, rank) @ sample(rank, 7)
    dof = fraction * rank
    s2 = np.linalg.svd(X, compute_uv=False)[:rank] ** 2
    root = scipy.optimize.brentq(lambda t: (s2 / (s2 + np.exp(t))).sum() - dof, -50, 50,
                                 xtol=1e-13)
    assert reference.lambda_for_dof(X, dof) == pytest.approx(np.exp(root), rel=1e-9)


@pytest.mark.parametrize("dof", [0, -1, 2, 3, float("nan")])
def test_lambda_for_dof_refuses_what_no_lam_reaches(dof):
    with pytest.raises(ValueError):
        reference.lambda_for_dof(sample(4, 2) @ sample(2, 6), dof)


@pytest.mark.parametrize("k", [0, 1, 3, 4])
def test_rank_k_is_torchs_low_rank_approximation(k):
    X = sample(4, 6)
    U, s, Vh = torch.linalg.svd(torch.tensor(X), full_matrices=False)
    np.testing.assert_allclose(reference.rank_k_purifier(X, k) @ X,
                               (U[:, :k] * s[:k]) @ Vh[:k], atol=1e-12)


def test_rank_k_refuses_impossible_ranks():
    for k in (-1, 5):
        with pytest.raises(ValueError):
            reference.rank_k_purifier(sample(4, 6), k)


@pytest.mark.parametrize("m, n", [(4, 7), (6, 3)])
def test_zero_diagonal_rows_are_regressions_on_the_others(m, n):
    X, lam = sample(m, n), 0.5
    W = reference.zero_diag_purifier(X, lam)
    for i in range(m):
        others = np.delete(np.arange(m), i)
        augmented = np.vstack([X[others].T, np.sqrt(lam) * np.eye(m - 1)])
        row = np.linalg.lstsq(augmented, np.concatenate([X[i], np.zeros(m - 1)]), rcond=None)[0]
        np.testing.assert_allclose(W[i, others], row, rtol=1e-9, atol=1e-10)
        assert W[i, i] == 0
    np.testing.assert_array_equal(reference.zero_diag_purifier(X[None], lam), W[None])
    with pytest.raises(ValueError):
        reference.zero_diag_purifier(X, 0)


# ---- the experiment

def test_best_lambda_against_a_plain_loop():
    Y, S = make_low_rank(6, 15, 2, signal=2.0, noise=0.5, seed=4)
    grid = np.append(0, np.logspace(-2, 3, 12))
    errors = [np.mean((reference.purifier(Y, lam) @ Y - S) ** 2) for lam in grid]
    lam, got = reference.best_lambda(Y, S, grid)
    np.testing.assert_allclose(got, errors, rtol=1e-9)
    assert lam == grid[np.argmin(errors)]


def test_the_headline_experiment():
    """m = 20, n = 200, rank 3, noise 1: purification removes most of the noise."""
    Y, S = make_low_rank(20, 200, 3, signal=1.0, noise=1.0, seed=0)
    assert np.linalg.matrix_rank(S) == 3
    lam, errors = reference.best_lambda(Y, S, np.logspace(-1, 4, 40))
    raw, hard = np.mean((Y - S) ** 2), np.mean((reference.rank_k_purifier(Y, 3) @ Y - S) ** 2)
    assert raw == pytest.approx(0.997245, abs=1e-6)
    assert hard < errors.min() < 0.25 * raw
    assert reference.denoising_lambda(1.0, 200) < lam  # singular values of Y contain the noise
