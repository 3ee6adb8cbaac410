"""Self-supervised linear purification: a small W that still reproduces X from itself.

    L(W) = ||X - W X||_F^2 + lam ||W||_F^2
    What = X X^T (X X^T + lam I)^-1 = U diag(s^2 / (s^2 + lam)) U^T,   X = U diag(s) V^T

Columns of X (..., m, n) are samples and rows are channels. numpy functions take lists, float32 or
float64, compute in float64, accept leading batch axes unless they say otherwise, and modify none
of their arguments; `lam` is a number, or an array over the batch axes. `torch_purifier` is the
differentiable twin. Wrong arguments raise ValueError.
"""

import numpy as np
import torch


def _data(X):
    """X as float64, refused unless it is at least a matrix of finite numbers."""
    X = np.asarray(X, dtype=np.float64)
    if X.ndim < 2 or not np.isfinite(X).all():
        raise ValueError("X must be a (..., m, n) array of finite numbers")
    return X


def _weight(lam):
    """lam as float64 array, refused if negative or NaN."""
    lam = np.asarray(lam, dtype=np.float64)
    if not (lam >= 0).all():
        raise ValueError("lam must not be negative")
    return lam


def _transpose(A):
    return A.swapaxes(-1, -2)


def _singular(X):
    """Thin SVD of X, with singular values below its rounding error set to exactly zero.

    Returns U (..., m, r) and s (..., r), r = min(m, n). The threshold max(m, n) eps s_1 is the one
    of `np.linalg.matrix_rank`: below it a singular value is rounding error, and at lam = 0 the
    filter would otherwise let it pass at full strength.
    """
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    largest = s.max(axis=-1, keepdims=True, initial=0)
    noise = max(X.shape[-2:]) * np.finfo(np.float64).eps * largest
    return U, np.where(s > noise, s, 0.0)


def purification_losses(W, X, lam):
    """The three numbers (recon, reg, total) = (||X - WX||_F^2, lam ||W||_F^2, their sum).

    W: (..., m, m); X: (..., m, n). Each result has the batch shape, a float without one.
    """
    W, X, lam = np.asarray(W, dtype=np.float64), _data(X), _weight(lam)
    recon = ((X - W @ X) ** 2).sum(axis=(-2, -1))
    reg = lam * (W**2).sum(axis=(-2, -1))
    return recon, reg, recon + reg


def tie_lambda(A, B, X):
    """The lam at which A and B (m, m) have equal loss on X (m, n).

    L(A) = L(B)  <=>  lam = (||X - BX||^2 - ||X - AX||^2) / (||A||^2 - ||B||^2)

    A loss is a straight line in lam: intercept the reconstruction error, slope ||.||_F^2. Parallel
    lines, and lines that cross at a negative lam, raise ValueError.
    """
    recon_a, slope_a, _ = purification_losses(A, X, 1.0)
    recon_b, slope_b, _ = purification_losses(B, X, 1.0)
    if slope_a == slope_b:
        raise ValueError("A and B have the same norm: their losses never cross")
    lam = (recon_b - recon_a) / (slope_a - slope_b)
    if lam < 0:
        raise ValueError("one of A and B is better for every lam >= 0")
    return float(lam)


def purifier(X, lam):
    """The minimiser What = X X^T (X X^T + lam I)^-1, (..., m, m), by one m x m solve.

    lam = 0 gives the limit lam -> 0, the projector X X^+ onto the column space of X.
    No array is larger than X or m x m, however many columns X (..., m, n) has.
    """
    X, lam = _data(X), _weight(lam)
    if (lam == 0).any():  # singular for rank-deficient X: take the stable route
        return purifier_svd(X, lam)
    gram = X @ _transpose(X)  # (..., m, m)
    W = np.linalg.solve(gram + lam[..., None, None] * np.eye(X.shape[-2]), gram)
    return (W + _transpose(W)) / 2  # symmetric in exact arithmetic; rounding is not


def shrink(sigma, lam):
    """The filter sigma^2 / (sigma^2 + lam) of one direction, elementwise, with 0/0 := 0.

    sigma, lam: numbers or arrays that broadcast. Written as (sigma / hypot(sigma, sqrt(lam)))^2,
    so that no sigma between 1e-308 and 1e308 overflows or underflows in its square.
    """
    sigma, root = np.broadcast_arrays(np.asarray(sigma, np.float64), np.sqrt(_weight(lam)))
    length = np.hypot(sigma, root)
    return np.divide(sigma, length, out=np.zeros(length.shape), where=length > 0) ** 2


def purifier_svd(X, lam):
    """The same What as U diag(shrink(s, lam)) U^T, from a thin SVD; X (..., m, n), any lam >= 0.

    The Gram matrix would square the condition number; here it is that of X.
    """
    X, lam = _data(X), _weight(lam)
    U, s = _singular(X)
    return (U * shrink(s, lam[..., None])[..., None, :]) @ _transpose(U)


def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    """The interval (lo, hi) of lam that keeps the k largest directions and kills the others.

    shrink(s_k, lam) >= keep      <=>  lam <= s_k^2 (1 - keep) / keep         = hi
    shrink(s_{k+1}, lam) <= kill  <=>  lam >= s_{k+1}^2 (1 - kill) / kill     = lo

    sigmas: (r,), in any order. k = 0 leaves hi = inf, k = r leaves lo = 0. An empty interval
    raises ValueError.
    """
    s = np.sort(np.asarray(sigmas, dtype=np.float64))[::-1]
    if not 0 <= k <= len(s):
        raise ValueError("k must be between 0 and the number of singular values")
    if not (0 < keep <= 1 and 0 < kill <= 1):
        raise ValueError("keep and kill are factors in (0, 1]")
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k > 0 else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo > hi:
        raise ValueError("no lam keeps the first k directions and kills the rest")
    return float(lo), float(hi)


def purifier_grad(W, X, lam):
    """Gradient of the loss, -2 (X - WX) X^T + 2 lam W, (..., m, m)."""
    W, X, lam = np.asarray(W, dtype=np.float64), _data(X), _weight(lam)
    return -2 * (X - W @ X) @ _transpose(X) + 2 * lam[..., None, None] * W


def purify_gd(X, lam, eta, steps, W0=None):
    """`steps` steps W <- W - eta grad L(W) from W0 (zeros if None).

    Returns W (..., m, m) and the losses (steps + 1, ...) before the first and after every step.
    """
    X = _data(X)
    W = np.zeros(X.shape[:-1] + X.shape[-2:-1]) if W0 is None else np.array(W0, float)
    losses = [purification_losses(W, X, lam)[2]]
    for _ in range(steps):
        W = W - eta * purifier_grad(W, X, lam)
        losses.append(purification_losses(W, X, lam)[2])
    return W, np.array(losses)


def max_stable_step(X, lam):
    """Gradient descent converges iff 0 < eta < 1 / (s_1^2 + lam).

    The error along singular direction i is multiplied by 1 - 2 eta (s_i^2 + lam) per step.
    """
    X, lam = _data(X), _weight(lam)
    return 1 / (np.linalg.norm(X, ord=2, axis=(-2, -1)) ** 2 + lam)


def best_constant_step(X, lam):
    """The eta = 1 / (s_1^2 + s_m^2 + 2 lam) whose slowest direction is fastest.

    Every step then contracts by (s_1^2 - s_m^2) / (s_1^2 + s_m^2 + 2 lam); s_m = 0 if m > n.
    """
    X, lam = _data(X), _weight(lam)
    s = np.linalg.svd(X, compute_uv=False)
    smallest = s[..., -1] if X.shape[-2] <= X.shape[-1] else 0.0
    return 1 / (s[..., 0] ** 2 + smallest**2 + 2 * lam)


def denoising_lambda(noise_std, n):
    """The lam = n noise_std^2 for which purification is denoising with n samples."""
    return n * noise_std**2


def denoising_loss(W, X, noise_std, rng, draws):
    """Monte Carlo mean of ||X - W (X + noise_std N)||_F^2, one rng.normal(size=X.shape) per draw.

    Its expectation is ||X - WX||_F^2 + n noise_std^2 ||W||_F^2. The noise is added one draw at a
    time: memory does not grow with `draws`. W (m, m), X (m, n).
    """
    W, X = _data(W), _data(X)
    total = 0.0
    for _ in range(draws):
        noisy = X + noise_std * rng.normal(size=X.shape)  # (m, n)
        total += ((X - W @ noisy) ** 2).sum()
    return float(total / draws)


def effective_dof(X, lam):
    """Effective number of directions, tr What = sum_i s_i^2 / (s_i^2 + lam), of the batch shape."""
    lam = _weight(lam)
    _, s = _singular(_data(X))
    return shrink(s, lam[..., None]).sum(axis=-1)


def lambda_for_dof(X, dof):
    """The lam with effective_dof(X, lam) = dof, by bisection on log lam; X (m, n).

    With rank r, r - dof = sum lam / (s^2 + lam) <= lam sum 1/s^2 and dof <= sum s^2 / lam enclose
    lam. dof outside the open interval (0, r) raises ValueError.
    """
    _, s = _singular(_data(X))
    s = s[s > 0]
    if not 0 < dof < len(s):
        raise ValueError("dof must be between 0 and the rank of X, both excluded")
    lo, hi = np.log((len(s) - dof) / (s**-2).sum()), np.log((s**2).sum() / dof)
    while True:
        middle = (lo + hi) / 2
        if not lo < middle < hi:  # the interval is one rounding error wide
            return float(np.exp(middle))
        if shrink(s, np.exp(middle)).sum() > dof:
            lo = middle
        else:
            hi = middle


def rank_k_purifier(X, k):
    """The hard bottleneck U_k U_k^T, (..., m, m): best W of rank k, error sum_{i>k} s_i^2."""
    X = _data(X)
    if not 0 <= k <= X.shape[-2]:
        raise ValueError("k must be between 0 and the number of channels")
    U = np.linalg.svd(X, full_matrices=False)[0][..., :k]  # (..., m, k)
    return U @ _transpose(U)


def zero_diag_purifier(X, lam):
    """Every channel from the others: W_ij = -P_ij / P_ii off the diagonal, W_ii = 0.

    P = (X X^T + lam I)^-1. Row i is the ridge regression of channel i on the other channels.
    X (..., m, n), lam > 0.
    """
    X, lam = _data(X), _weight(lam)
    if (lam == 0).any():
        raise ValueError("lam must be positive")
    identity = np.eye(X.shape[-2])
    P = np.linalg.inv(X @ _transpose(X) + lam[..., None, None] * identity)  # (..., m, m)
    W = -P / np.diagonal(P, axis1=-2, axis2=-1)[..., :, None]
    return np.where(identity == 1, 0.0, W)


def best_lambda(Y, S, grid):
    """The lam of the grid whose purified Y is nearest to the clean S, and all errors.

    errors[i] = mean((What_{lam_i}(Y) Y - S)^2). One SVD serves the whole grid: with the
    coefficients c = diag(U^T S V) the error is sum_j (f_j s_j - c_j)^2 plus the part of S that no
    lam can change. Y, S (m, n); grid (g,). Returns (float, (g,)).
    """
    Y, S, grid = _data(Y), _data(S), _weight(grid)
    U, s, Vt = np.linalg.svd(Y, full_matrices=False)
    c = ((U.T @ S) * Vt).sum(axis=-1)  # (r,)
    rest = ((S - (U * c) @ Vt) ** 2).sum()
    passed = shrink(s, grid[:, None]) * s  # (g, r)
    errors = (((passed - c) ** 2).sum(axis=-1) + rest) / S.size
    return float(grid[errors.argmin()]), errors


def torch_purifier(X, lam):
    """`purifier` for torch, differentiable in X (..., m, n) and in lam > 0; keeps dtype, device."""
    gram = X @ X.mT  # (..., m, m)
    lam = torch.as_tensor(lam, dtype=X.dtype, device=X.device)
    identity = torch.eye(X.shape[-2], dtype=X.dtype, device=X.device)
    return torch.linalg.solve(gram + lam[..., None, None] * identity, gram)
