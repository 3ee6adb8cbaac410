"""Wrong solutions of purification, written from its text alone."""

import numpy as np

from advice import wrong


@wrong("spectral_norm", "Frobenius|squares of all|all entries")
def purification_losses(W, X, lam):
    recon = np.sum((X - W @ X) ** 2)
    reg = lam * np.linalg.norm(W, 2) ** 2
    return recon, reg, recon + reg


@wrong("sign_dropped", "negative")
def tie_lambda(A, B, X):
    slope = np.sum(A**2) - np.sum(B**2)
    if slope == 0:
        raise ValueError
    return abs((np.sum((X - B @ X) ** 2) - np.sum((X - A @ X) ** 2)) / slope)


@wrong("penalty_times_n", "mean|sum|number of samples|divid|times n")
def purifier(X, lam):
    X = np.asarray(X, float)
    if lam < 0:
        raise ValueError
    if lam == 0:
        return X @ np.linalg.pinv(X)
    G = X @ X.T / X.shape[1]
    return np.linalg.solve(G + lam * np.eye(len(G)), G)


@wrong("not_squared", "square|power")
def shrink(sigma, lam):
    sigma = np.asarray(sigma, float)
    total = sigma + lam
    return sigma / np.where(total == 0, 1, total)


@wrong("cut_is_absolute", "relative|largest|sigma_1|σ₁|scale")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(np.asarray(X, float), full_matrices=False)
    s = np.where(s < 1e-12, 0, s)
    total = s**2 + lam
    return (U * (s**2 / np.where(total == 0, 1, total))) @ U.T


@wrong("strict_keep", "next|strongest of|k-th|k \\+ 1|decide|weakest")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, float))[::-1]
    hi = np.inf if k == 0 else s[0] ** 2 * (1 - keep) / keep
    lo = 0.0 if k == len(s) else s[k] ** 2 * (1 - kill) / kill
    if lo > hi * (1 + 1e-12):
        raise ValueError
    return lo, hi


@wrong("average_curvature", "strongest|largest|spectral")
def max_stable_step(X, lam):
    return 1 / (np.mean(np.linalg.svd(X, compute_uv=False) ** 2) + lam)


@wrong("one_noise_for_all", "anew|each draw|every draw|fresh|once")
def denoising_loss(W, X, noise_std, rng, draws):
    N = noise_std * rng.normal(size=X.shape)
    return np.mean([np.sum((X - W @ (X + N)) ** 2) for _ in range(draws)])


@wrong("bracket_is_fixed", "scale|bracket|unit")
def lambda_for_dof(X, dof):
    s = np.linalg.svd(X, compute_uv=False)
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError
    a, b = 1e-6, 1e6
    for _ in range(100):
        mid = np.sqrt(a * b)
        if np.sum(s**2 / (s**2 + mid)) > dof:
            a = mid
        else:
            b = mid
    return np.sqrt(a * b)


@wrong("centred_first", "centr|mean")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X - X.mean(axis=1, keepdims=True), full_matrices=False)[0][:, :k]
    return U @ U.T


@wrong("partial_correlations", "P_ii|row|diagonal|divid")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    d = np.sqrt(np.diag(P))
    W = -P / np.outer(d, d)
    np.fill_diagonal(W, 0)
    return W


@wrong("errors_in_sorted_order", "order|sort")
def best_lambda(Y, S, grid):
    U, s, Vt = np.linalg.svd(Y, full_matrices=False)
    grid = np.sort(np.asarray(grid, float))
    errors = []
    for lam in grid:
        total = s**2 + lam
        f = s**2 / np.where(total == 0, 1, total)
        errors.append(np.mean((U @ np.diag(f * s) @ Vt - S) ** 2))
    return grid[int(np.argmin(errors))], np.array(errors)


@wrong("threshold_not_share", "share|whole|part")
def wiener_purifier(Y, noise_std):
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    f = ((s**2 > Y.shape[1] * noise_std**2) & (s > 1e-12 * s[0])).astype(float)
    return (U * f) @ U.T


@wrong("as_in_exercise_7", "already|contains|sum of|both|share")
def wiener_purifier(Y, noise_std):
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    total = s**2 + Y.shape[1] * noise_std**2
    f = np.where(s > 1e-12 * s[0], s**2 / np.where(total == 0, 1, total), 0)
    return (U * f) @ U.T


@wrong("right_multiplication", "left|column|transpos|W x|Wx")
def purification_losses(W, X, lam):
    recon = np.sum((X - W.T @ X) ** 2)
    reg = lam * np.sum(W**2)
    return recon, reg, recon + reg


@wrong("mean_instead_of_sum", "mean|sum")
def purification_losses(W, X, lam):
    recon = np.mean((X - W @ X) ** 2)
    reg = lam * np.mean(W**2)
    return recon, reg, recon + reg


@wrong("norm_not_squared", "square")
def purification_losses(W, X, lam):
    recon = np.sum((X - W @ X) ** 2)
    reg = lam * np.linalg.norm(W)
    return recon, reg, recon + reg


@wrong("negative_is_returned", "negative|ValueError|no penalty|lam")
def tie_lambda(A, B, X):
    slope = np.sum(A**2) - np.sum(B**2)
    if slope == 0:
        raise ValueError("parallel")
    return (np.sum((X - B @ X) ** 2) - np.sum((X - A @ X) ** 2)) / slope


@wrong("absolute_value", "negative|absolute|sign")
def tie_lambda(A, B, X):
    slope = np.sum(A**2) - np.sum(B**2)
    if slope == 0:
        raise ValueError("parallel")
    return abs((np.sum((X - B @ X) ** 2) - np.sum((X - A @ X) ** 2)) / slope)


@wrong("tie_at_zero_refused", "lam = 0|zero|at 0|tie at")
def tie_lambda(A, B, X):
    slope = np.sum(A**2) - np.sum(B**2)
    if slope == 0:
        raise ValueError("parallel")
    lam = (np.sum((X - B @ X) ** 2) - np.sum((X - A @ X) ** 2)) / slope
    if lam <= 0:
        raise ValueError("no penalty")
    return lam


@wrong("small_ridge_for_zero", "ridge|small|added|lam = 0|pseudo|limit")
def purifier(X, lam):
    X = np.asarray(X, dtype=np.float64)
    if lam < 0:
        raise ValueError
    gram = X @ X.T
    return np.linalg.solve(gram + max(lam, 1e-10) * np.eye(len(X)), gram)


@wrong("pinv_of_gram", "Gram|squar|pseudo")
def purifier(X, lam):
    X = np.asarray(X, dtype=np.float64)
    if lam < 0:
        raise ValueError
    gram = X @ X.T
    if lam == 0:
        return gram @ np.linalg.pinv(gram)
    return np.linalg.solve(gram + lam * np.eye(len(X)), gram)


@wrong("identity_for_zero", "projector|identity|rank")
def purifier(X, lam):
    X = np.asarray(X, dtype=np.float64)
    if lam < 0:
        raise ValueError
    if lam == 0:
        return np.eye(len(X))
    gram = X @ X.T
    return np.linalg.solve(gram + lam * np.eye(len(X)), gram)


@wrong("large_gram", "n x n|larger|memory|X.T @ X|samples", announced=True)
def purifier(X, lam):
    X = np.asarray(X, dtype=np.float64)
    if lam < 0:
        raise ValueError
    if lam == 0:
        return X @ np.linalg.pinv(X)
    inner = X.T @ X
    return X @ np.linalg.solve(inner + lam * np.eye(len(inner)), X.T)


@wrong("negative_accepted", "negative|ValueError|lam")
def purifier(X, lam):
    X = np.asarray(X, dtype=np.float64)
    if lam == 0:
        return X @ np.linalg.pinv(X)
    gram = X @ X.T
    return np.linalg.solve(gram + lam * np.eye(len(X)), gram)


@wrong("sigma_without_square", "square|power")
def shrink(sigma, lam):
    sigma = np.asarray(sigma, dtype=float)
    return np.divide(sigma, sigma + lam, out=np.zeros(sigma.shape), where=sigma + lam > 0)


@wrong("lambda_squared", "lam")
def shrink(sigma, lam):
    power = np.asarray(sigma, dtype=float) ** 2
    bottom = power + lam**2
    return np.divide(power, bottom, out=np.zeros(power.shape), where=bottom > 0)


@wrong("zero_over_zero_one", "0/0|silent|pass|factor 0, not 1")
def shrink(sigma, lam):
    power = np.asarray(sigma, dtype=float) ** 2
    return np.divide(power, power + lam, out=np.ones(power.shape), where=power + lam > 0)


@wrong("no_cut", "1e-12|rounding|1e-16|cut|counts as 0")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    bottom = s**2 + lam
    factors = np.divide(s**2, bottom, out=np.zeros(s.shape), where=bottom > 0)
    return (U * factors) @ U.T


@wrong("absolute_cut", "relative|scale|largest|sigma_1|1e-12")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    s = np.where(s < 1e-12, 0, s)
    bottom = s**2 + lam
    factors = np.divide(s**2, bottom, out=np.zeros(s.shape), where=bottom > 0)
    return (U * factors) @ U.T


@wrong("assumes_sorted", "order|sort")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.asarray(sigmas, dtype=float)
    hi = np.inf if k == 0 else s[k - 1] ** 2 * (1 - keep) / keep
    lo = 0.0 if k == len(s) else s[k] ** 2 * (1 - kill) / kill
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@wrong("off_by_one", "k-th|one|next|index")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, dtype=float))[::-1]
    hi = np.inf if k == 0 else s[min(k, len(s) - 1)] ** 2 * (1 - keep) / keep
    lo = 0.0 if k >= len(s) - 1 else s[k + 1] ** 2 * (1 - kill) / kill
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@wrong("single_point_refused", "point|rounding|single")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, dtype=float))[::-1]
    hi = np.inf if k == 0 else s[k - 1] ** 2 * (1 - keep) / keep
    lo = 0.0 if k == len(s) else s[k] ** 2 * (1 - kill) / kill
    if lo >= hi:
        raise ValueError("empty")
    return lo, hi


@wrong("transposed_gradient", "transpos|order|side|left|right")
def purifier_grad(W, X, lam):
    return (-2 * (X - W @ X) @ X.T + 2 * lam * W).T


@wrong("penalty_without_two", "penalty|factor 2|2 lam")
def purifier_grad(W, X, lam):
    return -2 * (X - W @ X) @ X.T + lam * W


@wrong("history_without_the_start", "start|steps \\+ 1|one more|history|first")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else W0
    losses = []
    for _ in range(steps):
        W = W - eta * (-2 * (X - W @ X) @ X.T + 2 * lam * W)
        losses.append(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2))
    return W, losses


@wrong("start_overwritten", "W0|argument")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else W0
    losses = [np.sum((X - W @ X) ** 2) + lam * np.sum(W**2)]
    for _ in range(steps):
        W -= eta * (-2 * (X - W @ X) @ X.T + 2 * lam * W)
        losses.append(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2))
    return W, losses


@wrong("bound_of_half_the_gradient", "factor 2|curvature|twice|2")
def max_stable_step(X, lam):
    return 2 / (np.linalg.norm(X, 2) ** 2 + lam)


@wrong("weakest_direction", "strongest|largest|smallest|weakest|fastest")
def max_stable_step(X, lam):
    return 1 / (np.linalg.norm(X, -2) ** 2 + lam)


@wrong("without_n", "samples|column|n ")
def denoising_lambda(noise_std, n):
    return noise_std**2


@wrong("variance_as_scale", "standard deviation|square|multiply")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.mean([np.sum((X - W @ (X + noise_std**2 * rng.normal(size=X.shape))) ** 2)
                    for _ in range(draws)])


@wrong("noisy_target", "target|clean")
def denoising_loss(W, X, noise_std, rng, draws):
    losses = []
    for _ in range(draws):
        noisy = X + noise_std * rng.normal(size=X.shape)
        losses.append(np.sum((noisy - W @ noisy) ** 2))
    return np.mean(losses)


def _dof(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    return np.sum(s**2 / (s**2 + lam))


def _bisect(X, dof, low, high):
    for _ in range(100):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if _dof(X, middle) > dof else (low, middle)
    return np.sqrt(low * high)


@wrong("rank_accepted", "rank itself|equal|>=|reach|at the rank|not below")
def lambda_for_dof(X, dof):
    if not 0 < dof <= np.linalg.matrix_rank(X):
        raise ValueError
    top = np.linalg.norm(X, 2) ** 2
    return _bisect(X, dof, 1e-30 * top, 1e20 * top)


@wrong("fixed_bracket", "scale|bracket|unit")
def lambda_for_dof(X, dof):
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError
    return _bisect(X, dof, 1e-3, 1e3)


@wrong("square_root_of_factors", "square|power|sigma")
def effective_dof(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    return np.sum(s / (s + lam))


@wrong("weakest_kept", "weakest|strongest|eigh|ascending|sort")
def rank_k_purifier(X, k):
    _, vectors = np.linalg.eigh(X @ X.T)
    return vectors[:, :k] @ vectors[:, :k].T


@wrong("centred", "centre|mean")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X - X.mean(axis=1, keepdims=True), full_matrices=False)[0]
    return U[:, :k] @ U[:, :k].T


@wrong("columns_divided", "row|column")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    W = -P / np.diag(P)
    np.fill_diagonal(W, 0)
    return W


@wrong("erased_diagonal", "erase|make up|other entries|diagonal of")
def zero_diag_purifier(X, lam):
    gram = X @ X.T
    W = np.linalg.solve(gram + lam * np.eye(len(X)), gram)
    np.fill_diagonal(W, 0)
    return W


@wrong("diagonal_only_nearly_zero", "exact|diagonal")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    return np.eye(len(X)) - P * (1 / np.diag(P))[:, None]


def _purified(Y, lam):
    U, s, Vt = np.linalg.svd(Y, full_matrices=False)
    bottom = s**2 + lam
    return (U * np.divide(s**3, bottom, out=np.zeros(s.shape), where=bottom > 0)) @ Vt


@wrong("error_against_Y", "against Y|truth|noisy|S")
def best_lambda(Y, S, grid):
    errors = np.array([np.mean((_purified(Y, lam) - Y) ** 2) for lam in grid])
    return grid[np.argmin(errors)], errors


@wrong("index_returned", "index|position|value of the grid")
def best_lambda(Y, S, grid):
    errors = np.array([np.mean((_purified(Y, lam) - S) ** 2) for lam in grid])
    return np.argmin(errors), errors


@wrong("grid_sorted", "order|sort")
def best_lambda(Y, S, grid):
    grid = np.sort(grid)
    errors = np.array([np.mean((_purified(Y, lam) - S) ** 2) for lam in grid])
    return grid[np.argmin(errors)], errors


@wrong("learned_from_the_truth", "learn|from Y|truth|S")
def best_lambda(Y, S, grid):
    U, s, _ = np.linalg.svd(S, full_matrices=False)
    errors = []
    for lam in grid:
        bottom = s**2 + lam
        factors = np.divide(s**2, bottom, out=np.zeros(s.shape), where=bottom > 0)
        errors.append(np.mean(((U * factors) @ U.T @ Y - S) ** 2))
    return grid[int(np.argmin(errors))], np.array(errors)


def _share(Y, floor, cut=1e-12):
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    s = np.where(s < cut * s.max(initial=0), 0, s)
    factors = np.divide(s**2 - floor, s**2, out=np.zeros(s.shape), where=s > 0)
    return U, factors


@wrong("negative_factors", "negative")
def wiener_purifier(Y, noise_std):
    U, factors = _share(Y, Y.shape[1] * noise_std**2)
    return (U * factors) @ U.T


@wrong("noise_of_one_sample", "sample|column|n ")
def wiener_purifier(Y, noise_std):
    U, factors = _share(Y, noise_std**2)
    return (U * np.maximum(factors, 0)) @ U.T


@wrong("channels_for_samples", "sample|channel|column|n ")
def wiener_purifier(Y, noise_std):
    U, factors = _share(Y, len(Y) * noise_std**2)
    return (U * np.maximum(factors, 0)) @ U.T


@wrong("denoising_factor", "already|exercise 7|sum|share|contain")
def wiener_purifier(Y, noise_std):
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    s = np.where(s < 1e-12 * s.max(initial=0), 0, s)
    bottom = s**2 + Y.shape[1] * noise_std**2
    return (U * np.divide(s**2, bottom, out=np.zeros(s.shape), where=bottom > 0)) @ U.T


@wrong("no_cut_without_noise", "1e-12|rounding|1e-16|count")
def wiener_purifier(Y, noise_std):
    U, factors = _share(Y, Y.shape[1] * noise_std**2, cut=0)
    return (U * np.maximum(factors, 0)) @ U.T


# More, written by a second reader from the released text alone.

@wrong("lam_inside_the_square", "lam|square")
def purification_losses(W, X, lam):
    a, b = np.sum((X - W @ X) ** 2), np.sum((lam * W) ** 2)
    return a, b, a + b


@wrong("absolute_value_of_the_crossing", "negative|refuse|ValueError")
def tie_lambda(A, B, X):
    a, b = np.sum((X - A @ X) ** 2), np.sum((X - B @ X) ** 2)
    s, t = np.sum(A**2), np.sum(B**2)
    if s == t:
        raise ValueError("parallel")
    return abs((b - a) / (s - t))


@wrong("ridge_for_zero", "lam = 0|small|penalty|pseudo|projector|ridge")
def purifier(X, lam):
    X = np.asarray(X, float)
    if lam < 0:
        raise ValueError("lam")
    G = X @ X.T
    return np.linalg.solve(G + (lam or 1e-8) * np.eye(len(G)), G)


@wrong("mean_gram", "mean|n\\b|number of samples|sum|divid")
def purifier(X, lam):
    X = np.asarray(X, float)
    if lam < 0:
        raise ValueError("lam")
    if lam == 0:
        return X @ np.linalg.pinv(X)
    G = X @ X.T / X.shape[1]
    return np.linalg.solve(G + lam * np.eye(len(G)), G)


@wrong("sigma_over_sigma_plus_lam", "square|power")
def shrink(sigma, lam):
    s = np.asarray(sigma, float)
    d = s + lam
    return np.where(d > 0, s / np.where(d > 0, d, 1), 0.0)


@wrong("ends_exchanged", "keep|kill|exchang|upper|lower")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, float))[::-1]
    hi = np.inf if k == 0 else s[k - 1] ** 2 * (1 - kill) / kill
    lo = 0.0 if k == len(s) else s[k] ** 2 * (1 - keep) / keep
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@wrong("inverse_fraction", "1 - f|over|factor|fraction|solve")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, float))[::-1]
    hi = np.inf if k == 0 else s[k - 1] ** 2 * (1 - keep)
    lo = 0.0 if k == len(s) else s[k] ** 2 * (1 - kill)
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@wrong("history_without_the_end", "steps \\+ 1|last|after|history|end")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else np.array(W0, float)
    h = [np.sum((X - W @ X) ** 2) + lam * np.sum(W**2)]
    for _ in range(steps):
        h.append(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2))
        W = W + 2 * eta * ((X - W @ X) @ X.T - lam * W)
    return W, h


@wrong("bound_by_the_weakest", "fastest|strongest")
def max_stable_step(X, lam):
    return 1 / (np.linalg.svd(X, compute_uv=False)[-1] ** 2 + lam)


@wrong("std_times_n", "square|variance")
def denoising_lambda(noise_std, n):
    return n * noise_std


@wrong("noise_on_the_output", "input|through W|passes")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.mean([np.sum((X - (W @ X + noise_std * rng.normal(size=X.shape))) ** 2)
                    for _ in range(draws)])


@wrong("counts_those_above_half", "sum|factor|count|half")
def effective_dof(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    return float(np.sum(s**2 > lam))


@wrong("dof_of_squares", "trace|square|factor")
def effective_dof(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    return float(np.sum((s**2 / (s**2 + lam)) ** 2))


@wrong("k_by_k_of_v", "channels|U|m x m|shape|V")
def rank_k_purifier(X, k):
    U, s, Vt = np.linalg.svd(np.asarray(X, float), full_matrices=False)
    return (U[:, :k] * s[:k]) @ U[:, :k].T / (s[0] or 1)


@wrong("penalty_left_out_of_p", "lam|penalty")
def zero_diag_purifier(X, lam):
    P = np.linalg.pinv(X @ X.T + lam**2 * np.eye(len(X)))
    W = -P / np.diag(P)[:, None]
    np.fill_diagonal(W, 0)
    return W


@wrong("sum_of_squares_as_error", "mean|sum")
def best_lambda(Y, S, grid):
    e = []
    for lam in grid:
        U, s, _ = np.linalg.svd(Y, full_matrices=False)
        d = s**2 + lam
        f = np.where(d > 0, s**2 / np.where(d > 0, d, 1), 0)
        e.append(np.sum(((U * f) @ U.T @ Y - S) ** 2))
    e = np.array(e)
    return np.asarray(grid)[e.argmin()], e


@wrong("noise_in_the_sum", "sum|share|contains|already|both")
def wiener_purifier(Y, noise_std):
    Y = np.asarray(Y, float)
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    s = np.where(s < 1e-12 * s.max(), 0, s)
    q = Y.shape[1] * noise_std**2
    d = s**2 + q
    f = np.where(s > 0, s**2 / np.where(d > 0, d, 1), 0)
    return (U * f) @ U.T


@wrong("noise_once", "n |number of|columns|samples")
def wiener_purifier(Y, noise_std):
    Y = np.asarray(Y, float)
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    s = np.where(s < 1e-12 * s.max(), 0, s)
    f = np.where(s > 0, np.maximum(0, 1 - noise_std**2 / np.where(s > 0, s**2, 1)), 0)
    return (U * f) @ U.T


@wrong("root_of_the_share", "share|power|root|square")
def wiener_purifier(Y, noise_std):
    Y = np.asarray(Y, float)
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    s = np.where(s < 1e-12 * s.max(), 0, s)
    f = np.where(s > 0, np.maximum(0, 1 - Y.shape[1] ** 0.5 * noise_std / np.where(s > 0, s, 1)), 0)
    return (U * f) @ U.T


# More, written by a third reader from the released text alone.

def _as_floats(X):
    return np.asarray(X, float)


def _thin(X):
    return np.linalg.svd(_as_floats(X), full_matrices=False)


def _factors_of(s, lam):
    p = _as_floats(s) ** 2
    return np.divide(p, p + lam, out=np.zeros_like(p), where=p + lam > 0)


def _without_rounding(s):
    return np.where(s < 1e-12 * s[0], 0, s)


def _minimiser(X, lam):
    U, s, _ = _thin(X)
    return U * _factors_of(_without_rounding(s), lam) @ U.T


def _three_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2), lam * np.sum(W**2)
    return recon, reg, recon + reg


def _slope(W, X, lam):
    return -2 * (X - W @ X) @ X.T + 2 * lam * W


@wrong("norms_not_squared", "square")
def purification_losses(W, X, lam):
    recon, reg = np.linalg.norm(X - W @ X), lam * np.linalg.norm(W)
    return recon, reg, recon + reg


@wrong("reg_without_price", "lam|price|weight")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2), np.sum(W**2)
    return recon, reg, recon + lam * reg


@wrong("zero_refused", "0|zero")
def tie_lambda(A, B, X):
    a, b = (np.sum((X - W @ X) ** 2) for W in (A, B))
    down = np.sum(A**2) - np.sum(B**2)
    if down == 0:
        raise ValueError
    lam = (b - a) / down
    if lam <= 0:
        raise ValueError
    return lam


@wrong("size_of_the_quotient", "negative|sign")
def tie_lambda(A, B, X):
    a, b = (np.sum((X - W @ X) ** 2) for W in (A, B))
    down = np.sum(A**2) - np.sum(B**2)
    if down == 0:
        raise ValueError
    return abs(b - a) / abs(down)


@wrong("only_equal_maps_are_parallel", "parallel|slope")
def tie_lambda(A, B, X):
    if np.array_equal(A, B):
        raise ValueError
    a, b = (np.sum((X - W @ X) ** 2) for W in (A, B))
    with np.errstate(all="ignore"):
        lam = (b - a) / (np.sum(A**2) - np.sum(B**2))
    if lam < 0:
        raise ValueError
    return lam


@wrong("identity_without_penalty", "identity|projector|rank")
def purifier(X, lam):
    X = _as_floats(X)
    if lam < 0:
        raise ValueError
    if lam == 0:
        return np.eye(len(X))
    G = X @ X.T
    return np.linalg.solve(G + lam * np.eye(len(X)), G)


@wrong("mean_over_samples", "n|mean|samples")
def purifier(X, lam):
    X = _as_floats(X)
    if lam < 0:
        raise ValueError
    if lam == 0:
        return X @ np.linalg.pinv(X)
    G = X @ X.T / X.shape[1]
    return np.linalg.solve(G + lam * np.eye(len(X)), G)


@wrong("regresses_itself_only", "mix|diagonal|channels|all")
def purifier(X, lam):
    X = _as_floats(X)
    if lam < 0:
        raise ValueError
    p = np.sum(X**2, axis=1)
    return np.diag(_factors_of(np.sqrt(p), lam))


@wrong("pseudo_inverse_of_the_gram", "square|condition|pseudo-inverse|weak|Gram|XX")
def purifier(X, lam):
    X = _as_floats(X)
    if lam < 0:
        raise ValueError
    G = X @ X.T
    return G @ np.linalg.pinv(G + lam * np.eye(len(X)))


@wrong("small_penalty_for_none", "limit|lam = 0|zero|small|projector|penalty")
def purifier(X, lam):
    X = _as_floats(X)
    if lam < 0:
        raise ValueError
    G = X @ X.T
    return np.linalg.solve(G + max(lam, 1e-10) * np.eye(len(X)), G)


@wrong("forgets_to_refuse", "negative|refus|ValueError")
def purifier(X, lam):
    return _minimiser(X, lam)


@wrong("penalty_squared", "lam|square")
def shrink(sigma, lam):
    return _factors_of(sigma, lam**2)


@wrong("integers_stay", "integer|whole|list|float")
def shrink(sigma, lam):
    p = np.asarray(sigma) ** 2
    out = np.zeros_like(p)
    for i, each in enumerate(p):
        if each + lam > 0:
            out[i] = each / (each + lam)
    return out


@wrong("lifted_by_epsilon", "epsilon|constant|added|denominator|0/0")
def shrink(sigma, lam):
    p = _as_floats(sigma) ** 2
    return p / (p + lam + 1e-12)


@wrong("cut_at_an_absolute_size", "relative|largest|scale|absolute|units|small")
def purifier_svd(X, lam):
    U, s, _ = _thin(X)
    return U * _factors_of(np.where(s < 1e-12, 0, s), lam) @ U.T


@wrong("right_vectors", "V|sample|right")
def purifier_svd(X, lam):
    U, s, Vt = _thin(X)
    return Vt.T * _factors_of(_without_rounding(s), lam) @ Vt


@wrong("purified_data", "map|data|times X|W X|WX")
def purifier_svd(X, lam):
    U, s, Vt = _thin(X)
    return U * (_factors_of(_without_rounding(s), lam) * s) @ Vt


def _interval(sigmas, k, keep, kill, power=2, tol=1e-12, strict=False, order=-1):
    s = np.sort(_as_floats(sigmas))[::order] ** power
    hi = np.inf if k == 0 else s[k - 1] * (1 - keep) / keep
    lo = 0.0 if k == len(s) else s[k] * (1 - kill) / kill
    if lo > hi * (1 + tol) or (strict and lo >= hi):
        raise ValueError
    return lo, hi


@wrong("rounding_refused", "rounding|single point|point|10")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    return _interval(sigmas, k, keep, kill, tol=0)


@wrong("not_the_power", r"square|power|\^2")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    return _interval(sigmas, k, keep, kill, power=1)


@wrong("weakest_first", "order|sort|ascending|strongest")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    return _interval(sigmas, k, keep, kill, order=1)


@wrong("weakest_of_all", "next|weakest|strongest|k-th|last")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(_as_floats(sigmas))[::-1] ** 2
    hi = np.inf if k == 0 else s[k - 1] * (1 - keep) / keep
    lo = 0.0 if k == len(s) else s[-1] * (1 - kill) / kill
    if lo > hi * (1 + 1e-12):
        raise ValueError
    return lo, hi


def _descend(X, lam, eta, steps, W0=None, start=None, parts=2, first=True, copy=True):
    W = (np.zeros((len(X), len(X))) if start is None else start) if W0 is None else W0
    W = W.copy() if copy else W
    history = [_three_losses(W, X, lam)[parts]] if first else []
    for _ in range(steps):
        W -= eta * _slope(W, X, lam)
        history.append(_three_losses(W, X, lam)[parts])
    return W, history


@wrong("history_of_recon", "total|recon|penalty")
def purify_gd(X, lam, eta, steps, W0=None):
    return _descend(X, lam, eta, steps, W0, parts=0)


@wrong("identity_to_start", "zero|start|identity")
def purify_gd(X, lam, eta, steps, W0=None):
    return _descend(X, lam, eta, steps, W0, start=np.eye(len(X)))


@wrong("stops_early", "exactly|steps|stop")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else W0.copy()
    history = [_three_losses(W, X, lam)[2]]
    for _ in range(steps):
        G = _slope(W, X, lam)
        if np.linalg.norm(G) < 1e-6:
            break
        W = W - eta * G
        history.append(_three_losses(W, X, lam)[2])
    return W, history


@wrong("half_the_bound", "half|best|balance|largest")
def max_stable_step(X, lam):
    s = _thin(X)[1]
    return 1 / (s[0] ** 2 + s[-1] ** 2 + 2 * lam)


@wrong("step_without_lambda", "lam|penalty")
def max_stable_step(X, lam):
    return 1 / _thin(X)[1][0] ** 2


@wrong("same_noise_in_each_draw", "fresh|anew|draw|same")
def denoising_loss(W, X, noise_std, rng, draws):
    N = noise_std * rng.normal(size=X.shape)
    return np.mean([np.sum((X - W @ (X + N)) ** 2) for _ in range(draws)])


@wrong("noise_after_the_map", "input|through|after|W")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.mean([np.sum((X - W @ X - noise_std * rng.normal(size=X.shape)) ** 2)
                    for _ in range(draws)])


@wrong("noise_in_place", "changes|modif|argument|accumul")
def denoising_loss(W, X, noise_std, rng, draws):
    noisy, found = X.copy(), []
    for _ in range(draws):
        noisy += noise_std * rng.normal(size=X.shape)
        found.append(np.sum((X - W @ noisy) ** 2))
    return np.mean(found)


@wrong("root_of_n", "n|square|samples")
def denoising_lambda(noise_std, n):
    return np.sqrt(n) * noise_std**2


@wrong("trace_of_the_square", "square|factor|trace")
def effective_dof(X, lam):
    return np.sum(_factors_of(_thin(X)[1], lam) ** 2)


def _searched(X, dof, lo, hi, halvings=100, rank=None, log=True):
    s = _thin(X)[1]
    if not 0 < dof < (np.linalg.matrix_rank(X) if rank is None else rank):
        raise ValueError
    for _ in range(halvings):
        mid = np.sqrt(lo * hi) if log else (lo + hi) / 2
        if _factors_of(s, mid).sum() > dof:
            lo = mid
        else:
            hi = mid
    return np.sqrt(lo * hi) if log else (lo + hi) / 2


@wrong("smaller_side_for_rank", "rank")
def lambda_for_dof(X, dof):
    s = _thin(X)[1][0] ** 2
    return _searched(X, dof, s * 1e-30, s * 1e10, 200, rank=min(X.shape))


@wrong("linear_halving", "log|linear|halv|precis|bracket")
def lambda_for_dof(X, dof):
    s = _thin(X)[1][0] ** 2
    return _searched(X, dof, 0, s * 1e12, 60, log=False)


@wrong("twenty_halvings", "halv|precis|few|10|accur")
def lambda_for_dof(X, dof):
    s = _thin(X)[1][0] ** 2
    return _searched(X, dof, s * 1e-25, s * 1e12, 20)


@wrong("whole_numbers_only", "whole|number|half|fraction|any|ValueError|refus")
def lambda_for_dof(X, dof):
    if dof != int(dof):
        raise ValueError
    s = _thin(X)[1][0] ** 2
    return _searched(X, dof, s * 1e-25, s * 1e12, 100)


@wrong("too_many_refused", "k above|above|all of them|number of")
def rank_k_purifier(X, k):
    U, s, _ = _thin(X)
    if k > len(s):
        raise ValueError
    return U[:, :k] @ U[:, :k].T


@wrong("truncated_data", "map|data|m × m|times|X itself")
def rank_k_purifier(X, k):
    U, s, Vt = _thin(X)
    return U[:, :k] * s[:k] @ Vt[:k]


@wrong("nearly_zero_diagonal", "exact|rounding|diagonal")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    return np.eye(len(X)) - (1 / np.diag(P))[:, None] * P + 1e-17


@wrong("sign_lost", "sign|minus")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    W = P / np.diag(P)[:, None]
    np.fill_diagonal(W, 0)
    return W


def _distances(Y, S, grid, learn=None):
    return np.array([np.mean((_minimiser(Y if learn is None else learn, lam) @ Y - S) ** 2)
                     for lam in grid])


@wrong("learns_from_the_truth", "learn|truth|S|from Y")
def best_lambda(Y, S, grid):
    errors = _distances(Y, S, grid, S)
    return grid[np.argmin(errors)], errors


@wrong("sorted_grid", "order|sort")
def best_lambda(Y, S, grid):
    grid = np.sort(grid)
    errors = _distances(Y, S, grid)
    return grid[np.argmin(errors)], errors


@wrong("total_loss_chooses", "truth|S|loss|Y|judge")
def best_lambda(Y, S, grid):
    losses = [_three_losses(_minimiser(Y, lam), Y, lam)[2] for lam in grid]
    return grid[np.argmin(losses)], _distances(Y, S, grid)


@wrong("last_of_the_ties", "first|tie")
def best_lambda(Y, S, grid):
    errors = _distances(Y, S, grid)
    return np.asarray(grid)[errors == errors.min()][-1], errors


@wrong("purifies_the_truth", "Y|S|purif")
def best_lambda(Y, S, grid):
    errors = np.array([np.mean((_minimiser(Y, lam) @ S - S) ** 2) for lam in grid])
    return grid[np.argmin(errors)], errors


def _signal_share(Y, floor, clip=True, cut=True):
    U, s, _ = _thin(Y)
    p = _without_rounding(s) ** 2 if cut else s**2
    f = np.where(p > 0, 1 - floor / np.where(p > 0, p, 1), 0)
    return U * (np.maximum(f, 0) if clip else f) @ U.T


@wrong("share_to_the_root", "root|share|square|power")
def wiener_purifier(Y, noise_std):
    U, s, _ = _thin(Y)
    s = _without_rounding(s)
    f = np.where(s > 0, 1 - np.sqrt(Y.shape[1]) * noise_std / np.where(s > 0, s, 1), 0)
    return U * np.maximum(f, 0) @ U.T


@wrong("rows_counted", "channel|column|sample|n ")
def wiener_purifier(Y, noise_std):
    return _signal_share(Y, Y.shape[0] * noise_std**2)


@wrong("soft_filter_again", "exercise|known|sum|share|power|noisy")
def wiener_purifier(Y, noise_std):
    return _minimiser(Y, Y.shape[1] * noise_std**2)


@wrong("turned_round", "negative|abs|sign")
def wiener_purifier(Y, noise_std):
    U, s, _ = _thin(Y)
    p = _without_rounding(s) ** 2
    f = np.abs(np.where(p > 0, 1 - Y.shape[1] * noise_std**2 / np.where(p > 0, p, 1), 0))
    return U * np.minimum(f, 1) @ U.T


@wrong("all_or_nothing", "whole|share|hard|nothing|all|threshold")
def wiener_purifier(Y, noise_std):
    U, s, _ = _thin(Y)
    s = _without_rounding(s)
    return U * (s**2 > Y.shape[1] * noise_std**2) @ U.T


@wrong("no_cut_at_zero_noise", "rounding|tiny|10|1e-12|silent")
def wiener_purifier(Y, noise_std):
    return _signal_share(Y, Y.shape[1] * noise_std**2, cut=False)


@wrong("centred_first", "cent|mean")
def wiener_purifier(Y, noise_std):
    return _signal_share(Y - Y.mean(axis=1, keepdims=True), Y.shape[1] * noise_std**2)


@wrong("larger_first_only", "larger")
def tie_lambda(A, B, X):
    r = lambda W: np.sum((X - W @ X) ** 2)
    g = lambda W: np.sum(W ** 2)
    if g(A) <= g(B):
        raise ValueError
    lam = (r(B) - r(A)) / (g(A) - g(B))
    if lam < 0:
        raise ValueError
    return lam


@wrong("parallel_is_inf", "slopes are equal")
def tie_lambda(A, B, X):
    r = lambda W: np.sum((X - W @ X) ** 2)
    g = lambda W: np.sum(W ** 2)
    with np.errstate(all="ignore"):
        lam = np.float64(r(B) - r(A)) / (g(A) - g(B))
    if lam < 0:
        raise ValueError
    return lam


@wrong("identity_at_zero", "projector")
def purifier(X, lam):
    X = np.asarray(X, float)
    if lam < 0:
        raise ValueError
    if lam == 0:
        return np.eye(len(X))
    G = X @ X.T
    return np.linalg.solve(G + lam * np.eye(len(G)), G)


@wrong("keeps_float32", "float64")
def purifier(X, lam):
    X = np.asarray(X)
    if lam < 0:
        raise ValueError
    if lam == 0:
        return X @ np.linalg.pinv(X)
    G = X @ X.T
    return np.linalg.solve(G + lam * np.eye(len(G), dtype=G.dtype), G)


@wrong("covariance_of_centred", "offset")
def purifier(X, lam):
    X = np.asarray(X, float)
    if lam < 0:
        raise ValueError
    if lam == 0:
        return X @ np.linalg.pinv(X)
    Z = X - X.mean(axis=1, keepdims=True)
    G = Z @ Z.T
    return np.linalg.solve(G + lam * np.eye(len(G)), G)


@wrong("point_is_empty", "single point")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, float))[::-1]
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo >= hi:
        raise ValueError
    return lo, hi


@wrong("one_threshold", "kill")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, float))[::-1]
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - keep) / keep if k < len(s) else 0.0
    if lo > hi * (1 + 1e-12):
        raise ValueError
    return lo, hi


@wrong("transpose_forgotten", "left")
def purifier_grad(W, X, lam):
    G = X @ X.T
    return 2 * (G @ W - G) + 2 * lam * W


@wrong("own_generator", "generator")
def denoising_loss(W, X, noise_std, rng, draws):
    rng = np.random.default_rng(0)
    return np.mean([np.sum((X - W @ (X + noise_std * rng.normal(size=X.shape))) ** 2)
                    for _ in range(draws)])


@wrong("sixty_linear_halvings", "log")
def lambda_for_dof(X, dof):
    s = np.linalg.svd(X, compute_uv=False)
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError
    lo, hi = 0.0, 1e8 * s[0] ** 2
    for _ in range(60):
        mid = (lo + hi) / 2
        if np.sum(s ** 2 / (s ** 2 + mid)) > dof:
            lo = mid
        else:
            hi = mid
    return lo
