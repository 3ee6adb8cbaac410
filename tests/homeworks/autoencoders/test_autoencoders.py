"""The reference of `autoencoders` against oracles that were not written here."""

import numpy as np
import pytest
import torch
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import RidgeClassifier

from viva.datasets import digits
from viva.kits.autoencoders import factor_data, tricky_data
from viva_course.reference import autoencoders as reference

SHAPES = [(4, 2, 6), (5, 3, 3), (3, 1, 8)]  # m, k, n


def sample(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def with_sigmas(sigmas, m, n, seed=0):
    left, right = (np.linalg.qr(sample(size, len(sigmas), seed=seed))[0] for size in (m, n))
    return (left * sigmas) @ right.T


def objective(W1, W2, X, lam):
    fit = torch.sum((X - W2 @ W1 @ X) ** 2) / X.shape[1]
    return fit + lam * (torch.sum(W1**2) + torch.sum(W2**2))


# ---- loss and gradients

@pytest.mark.parametrize("m, k, n", SHAPES)
def test_loss_and_gradients_are_those_of_torch(m, k, n):
    W1, W2, X = sample(k, m), sample(m, k, seed=1), sample(m, n, seed=2)
    weights = [torch.tensor(w, requires_grad=True) for w in (W1, W2)]
    data = torch.tensor(X)
    loss = torch.sum((data - weights[1] @ weights[0] @ data) ** 2)
    loss.backward()
    assert reference.ae_loss(W1, W2, X) == pytest.approx(loss.item())
    for found, weight in zip(reference.ae_grads(W1, W2, X), weights):
        np.testing.assert_allclose(found, weight.grad, rtol=1e-9, atol=1e-10)


# ---- PCA

def test_pca_spans_what_scikit_learn_finds():
    X = digits()[0][0].reshape(-1, 64).T
    W1, W2 = reference.pca_autoencoder(X, 5)
    known = TruncatedSVD(5, algorithm="arpack").fit(X.T).components_  # (5, 64), no centring
    np.testing.assert_allclose(W2 @ W1, known.T @ known, atol=1e-8)
    np.testing.assert_allclose(W1 @ W1.T, np.eye(5), atol=1e-10)


def test_training_never_ends_below_pca():
    X = torch.tensor(with_sigmas([4, 3, 2, 1.0], 5, 9))
    best = reference.ae_loss(*reference.pca_autoencoder(X.numpy(), 2), X.numpy())
    assert best == pytest.approx(5)
    generator, ends = torch.Generator().manual_seed(0), []
    for _ in range(5):
        weights = [torch.randn(shape, dtype=torch.float64, generator=generator, requires_grad=True)
                   for shape in ((2, 5), (5, 2))]
        optimizer = torch.optim.Adam(weights, lr=0.03)
        for _ in range(400):
            optimizer.zero_grad()
            loss = torch.sum((X - weights[1] @ weights[0] @ X) ** 2)
            loss.backward()
            optimizer.step()
        ends.append(loss.item())
    assert best - 1e-9 <= min(ends) < best + 0.01  # one of the others may wait at a saddle


# ---- saddles

def test_every_subset_is_a_critical_point_and_only_one_is_a_minimum():
    X = with_sigmas([5, 4, 3, 2.0], 4, 7)
    for idx in ([0, 1], [0, 2], [3, 1], [2, 3]):
        W1, W2 = reference.subset_critical_point(X, idx)
        for gradient in reference.ae_grads(W1, W2, X):
            np.testing.assert_allclose(gradient, 0, atol=1e-10)
        here = reference.ae_loss(W1, W2, X)
        assert here == pytest.approx(54 - sum([25, 16, 9, 4][i] for i in idx))
        for missing in set(range(max(idx))) - set(idx):
            D1, D2 = reference.escape_direction(X, idx, missing)
            assert reference.ae_loss(W1 + 0.05 * D1, W2 + 0.05 * D2, X) < here
    W1, W2 = reference.subset_critical_point(X, [0, 1])
    rng = np.random.default_rng(0)
    for _ in range(200):
        D1, D2 = rng.normal(size=(2, 4)), rng.normal(size=(4, 2))
        assert reference.ae_loss(W1 + 0.01 * D1, W2 + 0.01 * D2, X) >= 13 - 1e-9


# ---- weight decay

def test_worked_gains():
    X = with_sigmas([6, 4, 2, 1.0], 5, 10)
    W1, W2 = reference.regularised_ae(X, 2, 0.3)
    np.testing.assert_allclose(np.diag(W2.T @ W2), [0.916667, 0.8125], atol=1e-6)
    value = objective(*(torch.tensor(each) for each in (W1, W2, X)), 0.3)
    assert value.item() == pytest.approx(1.61875)


@pytest.mark.parametrize("lam", [0.05, 0.5, 2.0])
def test_training_with_weight_decay_ends_where_the_formula_says(lam):
    X = torch.tensor(with_sigmas([4, 3, 2.0], 4, 6))
    known = map(torch.tensor, reference.regularised_ae(X.numpy(), 2, lam))
    best = objective(*known, X, lam)
    generator = torch.Generator().manual_seed(1)
    weights = [torch.randn(shape, dtype=torch.float64, generator=generator, requires_grad=True)
               for shape in ((2, 4), (4, 2))]
    optimizer = torch.optim.Adam(weights, lr=0.02)
    for _ in range(1000):
        optimizer.zero_grad()
        loss = objective(*weights, X, lam)
        loss.backward()
        optimizer.step()
    assert best.item() - 1e-9 <= loss.item() < best.item() + 1e-4


# ---- denoising

@pytest.mark.parametrize("m, k, n", SHAPES)
def test_the_denoiser_is_best_of_its_rank(m, k, n):
    """Oracle: reduced-rank regression on data augmented by the noise's covariance."""
    X, std = sample(m, n), 0.6
    more = np.hstack([X, std * np.sqrt(n) * np.eye(m)])  # (m, n + m)
    target = np.hstack([X, np.zeros((m, m))])
    free = target @ np.linalg.pinv(more)
    U = np.linalg.svd(free @ more)[0][:, :k]
    np.testing.assert_allclose(reference.denoising_linear_ae(X, k, std), U @ U.T @ free, atol=1e-9)


def test_corruption():
    X, rng = sample(200, 100) + 5, np.random.default_rng(0)
    noise = reference.corrupt(X, "gaussian", 0.3, rng) - X
    assert noise.std() == pytest.approx(0.3, rel=0.02) and abs(noise.mean()) < 0.01
    masked = reference.corrupt(X, "mask", 0.3, rng)
    assert np.mean(masked == 0) == pytest.approx(0.3, abs=0.02)
    assert (masked[masked != 0] == X[masked != 0]).all()
    with pytest.raises(ValueError, match="salt"):
        reference.corrupt(X, "salt", 0.3, rng)


# ---- probes and data

def test_the_probe_is_scikit_learns_ridge_classifier():
    (train, labels), (test, truth) = digits()
    Z, Z_test = train[:300].reshape(-1, 64), test.reshape(-1, 64)
    known = RidgeClassifier(alpha=2.0, solver="cholesky").fit(Z, labels[:300])
    found = reference.probe_accuracy(Z.T, labels[:300], Z_test.T, truth, 2.0)
    assert found == pytest.approx(known.score(Z_test, truth), abs=2 / len(truth))


def test_tricky_data_are_tricky():
    (X, y, directions), (X2, y2, _) = tricky_data(400, 0), tricky_data(400, 1)
    W1, W2 = reference.pca_autoencoder(X, 3)
    assert reference.ae_loss(W1, W2, X2) < 0.01 * np.sum(X2**2)
    assert reference.probe_accuracy(W1 @ X, y, W1 @ X2, y2) < 0.6
    quiet = directions[3:]
    assert reference.ae_loss(quiet, quiet.T, X2) > 0.98 * np.sum(X2**2)
    assert reference.probe_accuracy(quiet @ X, y, quiet @ X2, y2) > 0.95


def test_a_code_helps_where_labels_are_few():
    code = reference.pca_autoencoder(factor_data(1000, 99)[0], 5)[0]
    X, y = factor_data(2000, 98)
    X2, y2 = factor_data(100, 0)
    raw = reference.probe_accuracy(X2, y2, X, y)
    assert raw < 0.7 < 0.85 < reference.probe_accuracy(code @ X2, y2, code @ X, y)
