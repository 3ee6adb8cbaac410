"""What Part B states about weight decay, noise and masks."""

import functools

import numpy as np

from viva_course.claiming import above, below, claim, holds, near

POWERS = np.array([3.6, 1.6, 0.4])


@functools.cache
def errors(notebook, seed):
    """The mean squared errors of the figure."""
    return {name: np.mean((X - notebook.X_test) ** 2)
            for name, X in notebook.restored(seed).items()}


@claim(seeds=1)
def decay_by_hand(notebook, seed):
    X = np.diag([6.0, 4, 2, 1]) @ np.eye(4, 10)
    W1, W2 = notebook.regularised_ae(X, 2, 0.3)
    value = notebook.ae_loss(W1, W2, X) / 10 + 0.3 * (np.sum(W1**2) + np.sum(W2**2))
    gains = np.linalg.svd(W2 @ W1, compute_uv=False)[:2]
    return below(np.abs(gains - [0.916667, 0.8125]).max(), 1e-6), near(value, 1.61875, within=1e-6)


@claim()
def nuclear_norm(notebook, seed):
    """Reached by the balanced factors, and no other factors of the same product are smaller."""
    rng = np.random.default_rng(seed)
    P = rng.normal(size=(4, 2)) @ rng.normal(size=(2, 4))
    U, s, Vt = np.linalg.svd(P)
    left, right = U[:, :2] * np.sqrt(s[:2]), np.sqrt(s[:2])[:, None] * Vt[:2]
    least, rivals = 2 * s.sum(), []
    for _ in range(50):
        C = rng.normal(size=(2, 2))
        rivals.append(np.sum((C @ right) ** 2) + np.sum((left @ np.linalg.inv(C)) ** 2))
    return (near(np.sum(left**2) + np.sum(right**2), least, within=1e-9),
            above(min(rivals), least))


@claim(title="Weight decay is a straight line to zero (dots: trained, dotted: ridge)")
def straight_to_zero(notebook, seed):
    found = []
    for lam in (0.1, 0.6, 2.0):
        lines = np.maximum(1 - lam / POWERS, 0)
        for pair in (notebook.regularised_ae(notebook.X_decay, 3, lam),
                     notebook.train_decayed(notebook.X_decay, 3, lam, seed=seed)):
            found.append(np.abs(notebook.gains_of(*pair) - lines).max())
    return below(max(found), 0.01)


@claim(seeds=1)
def columns_of_the_formula(notebook, seed):
    U = np.linalg.svd(notebook.X_decay)[0][:, :3]
    W2 = U * np.sqrt(1 - 0.3 / POWERS)
    right = notebook.regularised_ae(notebook.X_decay, 3, 0.3)
    inner = W2.T @ W2
    return (below(np.abs(np.diag(inner) - [0.917, 0.8125, 0.25]).max(), 5e-4),
            below(np.abs(inner - np.diag(np.diag(inner))).max(), 1e-9),
            below(np.abs(W2 @ W2.T - right[1] @ right[0]).max(), 1e-9))


@claim()
def trained_columns_are_not_orthogonal(notebook, seed):
    inner = [W2.T @ W2 for _, W2 in (notebook.train_decayed(notebook.X_decay, 3, 0.3, seed=each)
                                     for each in (seed, seed + 1))]
    beside = [np.abs(each - np.diag(np.diag(each))).max() for each in inner]
    return above(min(beside), 0.1), above(np.abs(inner[0] - inner[1]).max(), 0.05)


@claim(seeds=1)
def denoiser_by_hand(notebook, seed):
    W = notebook.denoising_linear_ae(np.diag([2.0, 1.0]), 1, 1.0)
    return below(np.abs(W - np.diag([2 / 3, 0])).max(), 1e-9)


@claim()
def moments_of_a_mask(notebook, seed):
    """Means over 4,000 masks with rho = 0.7, to five standard errors and more."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3, 5))
    G = X @ X.T
    masked = X * (rng.random((4000, 3, 5)) < 0.7)
    cross = np.mean(X @ masked.swapaxes(1, 2), axis=0)
    own = np.mean(masked @ masked.swapaxes(1, 2), axis=0)
    scale = 0.1 * np.trace(G) / 3
    return (below(np.abs(cross - 0.7 * G).max(), scale),
            below(np.abs(own - 0.49 * G - 0.21 * np.diag(np.diag(G))).max(), scale))


@claim(seeds=1)
def directions_without_noise(notebook, seed):
    W = notebook.denoising_linear_ae(notebook.X_train, 20, 0.0)
    return holds(64 - np.linalg.matrix_rank(W, tol=1e-6) == 44)


@claim(title="Linear maps that know digits: noise removed, half of the pixels guessed")
def denoiser_halves(notebook, seed):
    found = errors(notebook, seed)
    return (near(found["denoiser, k = 20"] / found["PCA, k = 20"], 0.5, within=0.1),
            below(found["denoiser, k = 64"], found["denoiser, k = 20"]),
            below(found["denoiser, k = 64"] / found["noisy"], 0.25))


@claim()
def unmasker_guesses(notebook, seed):
    found = errors(notebook, seed)
    return near(1 - found["unmasked"] / found["masked"], 0.6, within=0.06)
