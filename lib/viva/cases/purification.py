"""Public inputs of the homework `purification`. Columns of X are samples, rows are channels."""

import numpy as np

from viva.case import case
from viva.data import make_low_rank

TOY = np.array([[-2.17, 1.98, 2.41, -2.03], [0.02, -0.01, 0.01, -0.02]])  # (2, 4)
EIGHT = np.array([10, 8, 4, 1, 0.5, 0.36, 0.16, 0.01])  # singular values of the worked example


def orthogonal(rng, rows, columns):
    """A random (rows, columns) matrix with orthonormal columns."""
    return np.linalg.qr(rng.normal(size=(rows, columns)))[0]


def with_singular_values(rng, sigmas, m, n):
    """A random (m, n) matrix with exactly these non-zero singular values."""
    r = len(sigmas)
    pair = np.zeros((2, max(m, n), r))  # rows of zeros change nothing; one call costs half of two
    pair[0, :m], pair[1, :n] = rng.normal(size=(m, r)), rng.normal(size=(n, r))
    U, V = np.linalg.qr(pair)[0]
    return (U[:m] * np.asarray(sigmas, float)) @ V[:n].T


def fresh(rng):
    """A new generator: a candidate draws from it without advancing the case's own."""
    return np.random.default_rng(int(rng.integers(2**32)))


# ---- purification_losses

@case("purification_losses")
def toy_identity(rng, purification_losses):
    """toy data, W = I, lam = 0.7: (0, 1.4, 1.4)"""
    return purification_losses(np.eye(2), TOY, 0.7)


@case("purification_losses")
def toy_first_channel(rng, purification_losses):
    """toy data, W = diag(1, 0), lam = 0.7: (0.001, 0.7, 0.701)"""
    return purification_losses(np.diag([1.0, 0.0]), TOY, 0.7)


@case("purification_losses")
def wide_data(rng, purification_losses):
    """a random W on three channels and five samples"""
    return purification_losses(rng.normal(size=(3, 3)), rng.normal(size=(3, 5)),
                               float(rng.uniform(0.2, 0.8)))


# ---- tie_lambda

@case("tie_lambda")
def identity_and_first_channel(rng, tie_lambda):
    """toy data: I and diag(1, 0)"""
    return tie_lambda(np.eye(2), np.diag([1.0, 0.0]), TOY)


@case("tie_lambda")
def first_channel_and_nothing(rng, tie_lambda):
    """toy data: diag(1, 0) and 0"""
    return tie_lambda(np.diag([1.0, 0.0]), np.zeros((2, 2)), TOY)


@case("tie_lambda", rtol=1e-8)  # a difference of two errors: a digit more than a sum loses
def two_matrices(rng, tie_lambda):
    """a matrix near the identity and one much smaller"""
    A = np.eye(3) + rng.uniform(-0.1, 0.1, (3, 3))
    return tie_lambda(A, 0.4 * A + rng.uniform(-0.05, 0.05, (3, 3)), 2 * rng.normal(size=(3, 6)))


# ---- purifier

@case("purifier")
def toy_purifier(rng, purifier):
    """toy data, lam = 1"""
    return purifier(TOY, 1.0)


@case("purifier")
def wide_purifier(rng, purifier):
    """three channels, seven samples"""
    return purifier(with_singular_values(rng, [3, 1.5, 0.6], 3, 7), float(rng.uniform(1.2, 3)))


@case("purifier", rtol=0, atol=1e-8)  # ||X|| = 3: rounding of the gradient is 1e-14
def stationary(rng, purifier):
    """the gradient at your W vanishes, for five problems"""
    gradients = []
    for m, n in ((2, 6), (3, 5), (4, 4), (4, 3), (5, 2)):
        X = with_singular_values(rng, np.linspace(3, 0.8, min(m, n)), m, n)
        lam = float(rng.uniform(0.3, 3))
        W = np.asarray(purifier(X, lam), float)
        gradients.append(-2 * (X - W @ X) @ X.T + 2 * lam * W)  # (m, m)
    return gradients


# ---- shrink, purifier_svd

@case("shrink")
def eight_factors(rng, shrink, purifier_svd):
    """factors of the eight singular values at lam = 1 and 4"""
    return [shrink(EIGHT, lam) for lam in (1.0, 4.0)]


@case("shrink")
def random_factors(rng, shrink, purifier_svd):
    """factors of five singular values"""
    return shrink(rng.uniform(0.1, 5, 5), float(rng.uniform(1.5, 4)))


@case("shrink")
def wide_svd(rng, shrink, purifier_svd):
    """three channels, five samples"""
    return purifier_svd(rng.normal(size=(3, 5)), float(rng.uniform(0.2, 0.8)))


@case("shrink")
def tall_svd(rng, shrink, purifier_svd):
    """five channels, two samples"""
    return purifier_svd(rng.normal(size=(5, 2)), float(rng.uniform(0.2, 0.8)))


@case("shrink")
def square_svd(rng, shrink, purifier_svd):
    """four channels, four samples"""
    return purifier_svd(rng.normal(size=(4, 4)), float(rng.uniform(1.5, 3)))


# ---- lambda_range

@case("lambda_range")
def worked_interval(rng, lambda_range):
    """the eight singular values, k = 3, keep 0.8, kill 0.5: (1, 4)"""
    return lambda_range(EIGHT, 3)


@case("lambda_range")
def other_factors(rng, lambda_range):
    """seven singular values, k = 4, other keep and kill"""
    strong, weak = rng.uniform(3, 9, 4), rng.uniform(0.1, 1, 3)
    sigmas = np.sort(np.concatenate([strong, weak]))[::-1]
    keep, kill = float(rng.uniform(0.6, 0.75)), float(rng.uniform(0.35, 0.45))
    return lambda_range(sigmas, 4, keep=keep, kill=kill)


# ---- purifier_grad, purify_gd, max_stable_step

@case("purifier_grad", rtol=0, atol=1e-6)  # central differences with h = 1e-6: rounding 1e-9
def central_differences(rng, purifier_grad, purify_gd, max_stable_step):
    """your gradient minus central differences of the loss"""
    W, X, lam, h = rng.normal(size=(3, 3)), rng.normal(size=(3, 4)), 0.7, 1e-6

    def loss(W):
        return ((X - W @ X) ** 2).sum() + lam * (W**2).sum()

    numeric = np.zeros((3, 3))
    for i, j in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[i, j] = h
        numeric[i, j] = (loss(W + step) - loss(W - step)) / (2 * h)
    gradient = np.asarray(purifier_grad(W, X, lam), float)
    return gradient - numeric if gradient.shape == (3, 3) else gradient


@case("purifier_grad", rtol=1e-8, atol=1e-9, log=False)  # a step leaves at most 0.32 of the error
def descent(rng, purifier_grad, purify_gd, max_stable_step):
    """70 steps with half the largest stable step; and: the loss never grows"""
    X, lam = with_singular_values(rng, [2, 1.8, 1.6], 3, 6), float(rng.uniform(0.5, 1.5))
    W, history = purify_gd(X, lam, 0.5 * max_stable_step(X, lam), 70)
    history = np.asarray(history, float)
    return W, bool((np.diff(history) <= 1e-9).all())


@case("purifier_grad")
def three_steps(rng, purifier_grad, purify_gd, max_stable_step):
    """three steps from a given W0: W and the four losses"""
    X, W0 = rng.normal(size=(3, 4)), rng.normal(size=(3, 3))
    W, history = purify_gd(X, 0.4, 0.02, 3, W0=W0)
    return W, np.asarray(history, float)


@case("purifier_grad")
def stable_step(rng, purifier_grad, purify_gd, max_stable_step):
    """the largest stable step of three channels and five samples"""
    X = with_singular_values(rng, [2, 1.2, 0.5], 3, 5)
    return max_stable_step(X, float(rng.uniform(1.5, 3)))


# ---- denoising_lambda, denoising_loss

@case("denoising_lambda")
def worked_noise(rng, denoising_lambda, denoising_loss):
    """noise 0.5 on 8 columns: lam = 2"""
    return denoising_lambda(0.5, 8)


@case("denoising_lambda")
def other_noise(rng, denoising_lambda, denoising_loss):
    """another noise, another number of columns"""
    return denoising_lambda(float(rng.uniform(0.2, 0.9)), int(rng.integers(3, 40)))


@case("denoising_lambda")
def one_draw(rng, denoising_lambda, denoising_loss):
    """one draw of noise on three channels, five samples"""
    W, X, noise = rng.normal(size=(3, 3)), rng.normal(size=(3, 5)), float(rng.uniform(0.3, 0.8))
    return denoising_loss(W, X, noise, fresh(rng), 1)


@case("denoising_lambda")
def twenty_draws(rng, denoising_lambda, denoising_loss):
    """the mean over twenty draws"""
    W, X, noise = rng.normal(size=(2, 2)), rng.normal(size=(2, 4)), float(rng.uniform(0.3, 0.8))
    return denoising_loss(W, X, noise, fresh(rng), 20)


# ---- effective_dof, lambda_for_dof

@case("effective_dof")
def eight_directions(rng, effective_dof, lambda_for_dof):
    """the eight singular values at lam = 1, 2, 4: 3.75568, 3.35697, 2.99931"""
    X = with_singular_values(rng, EIGHT, 8, 10)
    return [effective_dof(X, lam) for lam in (1.0, 2.0, 4.0)]


@case("effective_dof")
def tall_directions(rng, effective_dof, lambda_for_dof):
    """six channels, three samples"""
    return effective_dof(rng.normal(size=(6, 3)), float(rng.uniform(1.5, 3)))


@case("effective_dof", rtol=1e-6, atol=0, log=False)  # a search, told to stop at 1e-8
def three_directions(rng, effective_dof, lambda_for_dof):
    """the lam that leaves three directions of eight: 3.9945"""
    return lambda_for_dof(with_singular_values(rng, EIGHT, 8, 10), 3)


# ---- rank_k_purifier

@case("rank_k_purifier")
def two_of_four(rng, rank_k_purifier):
    """the best two directions of four channels"""
    return rank_k_purifier(with_singular_values(rng, [4, 3, 1.5, 0.5], 4, 7) + 0.1, 2)


@case("rank_k_purifier")
def discarded(rng, rank_k_purifier):
    """the error of k = 1, 2, 3 is the sum of the discarded sigma squared"""
    sigmas = [4, 3, 1.5, 0.5]
    X = with_singular_values(rng, sigmas, 4, 7)
    return [float(((X - np.asarray(rank_k_purifier(X, k)) @ X) ** 2).sum()) for k in (1, 2, 3)]


# ---- zero_diag_purifier

@case("zero_diag_purifier")
def from_the_others(rng, zero_diag_purifier):
    """four channels, each from the other three"""
    return zero_diag_purifier(rng.normal(size=(4, 9)), float(rng.uniform(0.5, 2)))


@case("zero_diag_purifier")
def diagonal(rng, zero_diag_purifier):
    """the diagonal is exactly zero, the rest is not"""
    W = np.asarray(zero_diag_purifier(rng.normal(size=(3, 5)), 0.7))
    return bool((np.diagonal(W) == 0).all()), bool((W != 0).any())


# ---- best_lambda

@case("best_lambda")
def low_rank_errors(rng, best_lambda):
    """rank 2 in six channels, forty samples, six values of lam"""
    Y, S = make_low_rank(6, 40, 2, signal=1.5, noise=0.7, seed=int(rng.integers(2**32)))
    lam, errors = best_lambda(Y, S, np.logspace(-1, 4, 6))
    return lam, np.asarray(errors, float)


@case("best_lambda")
def valley(rng, best_lambda):
    """the error falls, then rises; the best lam is inside; purified beats raw"""
    Y, S = make_low_rank(8, 60, 2, signal=1.5, noise=1.0, seed=int(rng.integers(2**32)))
    grid = np.logspace(-3, 5, 25)
    lam, errors = best_lambda(Y, S, grid)
    errors = np.asarray(errors, float)
    lowest = int(np.argmin(errors))
    falls, rises = np.diff(errors[: lowest + 1]) < 0, np.diff(errors[lowest:]) > 0
    shape = bool(falls.all() and rises.all())
    return shape, bool(grid[0] < lam < grid[-1]), bool(errors.min() < np.mean((Y - S) ** 2))
