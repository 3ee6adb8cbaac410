"""Wrong solutions of linear_foundations, written from its text alone."""

import math

import numpy as np

from advice import wrong


@wrong("no_factor_two", "2|factor|derivative")
def gd_scalar(sigma, y, eta, w0, t):
    return y / sigma + (1 - eta * sigma**2) ** t * (w0 - y / sigma)


@wrong("no_factor_two")
def max_lr_scalar(sigma):
    return 2 / sigma**2


@wrong("no_factor_two")
def steps_to_tol(sigma, eta, eps):
    factor = abs(1 - eta * sigma**2)
    if factor == 0:
        return 1
    return math.inf if factor >= 1 else math.ceil(math.log(eps) / math.log(factor))


@wrong("starts_at_zero", "w0|start")
def gd_scalar(sigma, y, eta, w0, t):
    return y / sigma * (1 - (1 - 2 * eta * sigma**2) ** t)


@wrong("size_of_the_factor", "sign|overshoot|negative|size|jump")
def gd_scalar(sigma, y, eta, w0, t):
    return y / sigma + abs(1 - 2 * eta * sigma**2) ** t * (w0 - y / sigma)


@wrong("no_overshoot_allowed", "overshoot|half|-1|negative|twice")
def max_lr_scalar(sigma):
    return 1 / (2 * sigma**2)


@wrong("sigma_not_squared", "square|sigma")
def max_lr_scalar(sigma):
    return 1 / abs(sigma)


@wrong("last_step_before", "first|integer|round|down|one step")
def steps_to_tol(sigma, eta, eps):
    factor = abs(1 - 2 * eta * sigma**2)
    if factor == 0:
        return 1
    return math.inf if factor >= 1 else math.floor(math.log(eps) / math.log(factor))


@wrong("overshoot_is_divergence", "overshoot|negative|size")
def steps_to_tol(sigma, eta, eps):
    factor = 1 - 2 * eta * sigma**2
    if factor == 0:
        return 1
    if not 0 < factor < 1:
        return math.inf
    return math.ceil(math.log(eps) / math.log(factor))


@wrong("frobenius", "Frobenius|largest|strongest|all singular|sum of")
def max_lr(X):
    return 1 / np.sum(X**2)


@wrong("middle_of_the_bounds", "weakest|smallest|strongest|one direction|middle|mean|averag")
def best_lr(X):
    return 1 / (2 * np.linalg.norm(X, 2) ** 2)


@wrong("averages_all_directions", "averag|mean|middle|strongest|weakest")
def best_lr(X):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6 * s.max()]
    return 1 / (2 * np.mean(s**2))


@wrong("zeros_count", "zero|flat|rank|rounding")
def best_lr(X):
    s = np.linalg.svd(X, compute_uv=False)
    return 1 / (s.max() ** 2 + s.min() ** 2)


@wrong("zeros_count")
def contraction(X, eta):
    s = np.linalg.svd(X, compute_uv=False)
    return float(np.max(np.abs(1 - 2 * eta * s**2)))


@wrong("signed_maximum", "size|sign|absolute|negative")
def contraction(X, eta):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6 * s.max()]
    return float(np.max(1 - 2 * eta * s**2))


@wrong("weakest_direction_only", "strongest|weakest|direction|largest")
def contraction(X, eta):
    s = np.linalg.svd(X, compute_uv=False)
    weakest = s[s > 1e-6 * s.max()].min()
    return float(abs(1 - 2 * eta * weakest**2))


@wrong("size_of_the_factor", "sign|overshoot|negative|size|jump|odd")
def gd_closed_form(X, y, eta, t):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    keep = s > 1e-10 * s.max()
    learned = 1 - np.abs(1 - 2 * eta * s[keep] ** 2) ** t
    return Vt[keep].T @ (learned / s[keep] * (U[:, keep].T @ y))


@wrong("inverse_of_the_gram_matrix", "rank|invert|singular|wide|zero|inverse")
def gd_closed_form(X, y, eta, t):
    gram = X.T @ X
    rest = np.linalg.matrix_power(np.eye(len(gram)) - 2 * eta * gram, t)
    return (np.eye(len(gram)) - rest) @ np.linalg.inv(gram) @ X.T @ y


@wrong("one_step_too_many", "t steps|one step|step")
def gd_closed_form(X, y, eta, t):
    w = np.zeros(X.shape[1])
    for _ in range(t + 1):
        w = w - 2 * eta * X.T @ (X @ w - y)
    return w


@wrong("forgets_sigma", "sigma|singular value|divide|least-squares")
def gd_closed_form(X, y, eta, t):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return Vt.T @ ((1 - (1 - 2 * eta * s**2) ** t) * (U.T @ y))


@wrong("some_solution", "short|zero|sparse|basic|norm")
def min_norm_solution(X, y):
    n = len(y)
    w = np.zeros(X.shape[1])
    w[:n] = np.linalg.solve(X[:, :n], y)
    return w


@wrong("loss_of_the_mean_step", "average|mean|outcome|each")
def expected_next_loss(X, w, eta):
    return float(np.sum((X @ (w - 2 * eta * X.T @ (X @ w) / len(X))) ** 2))


@wrong("own_sample_only", "all samples|all rows|whole|every|only")
def expected_next_loss(X, w, eta):
    after = [(x @ (w - 2 * eta * (x @ w) * x)) ** 2 for x in X]
    return float(np.sum(after))


@wrong("mean_of_losses", "sum|n|mean|divide")
def expected_next_loss(X, w, eta):
    after = [np.mean((X @ (w - 2 * eta * (x @ w) * x)) ** 2) for x in X]
    return float(np.mean(after))


def _constants(X, power=2, rows=None, share=None):
    s = np.linalg.svd(X, compute_uv=False)
    n = len(X) if share is None else share
    rows = np.max(np.sum(X**2, axis=1)) if rows is None else rows
    c1, c2 = 4 * s.min() ** power / n, 4 * s.max() ** 2 * rows / n
    return c1, c2, c1 / (2 * c2)


@wrong("not_divided_by_n", "1/n|n|averag|divide|uniform")
def sgd_constants(X):
    return _constants(X, share=1)


@wrong("mean_row", "longest|largest|mean|row")
def sgd_constants(X):
    return _constants(X, rows=np.mean(np.sum(X**2, axis=1)))


@wrong("rate_without_half", "half|2|parabola|vertex|minimis|derivative")
def sgd_constants(X):
    c1, c2, _ = _constants(X)
    return c1, c2, c1 / c2


@wrong("sigma_min_not_squared", "square|sigma_min")
def sgd_constants(X):
    return _constants(X, power=1)


@wrong("per_sample", "rows|sum|m |m$|every")
def noise_ridge_lambda(m, tau):
    return tau**2


@wrong("noise_not_squared", "square|variance")
def noise_ridge_lambda(m, tau):
    return m * tau


@wrong("no_overshoot_of_the_mean", "overshoot|-1|half|negative|2|twice")
def noisy_sgd_mean_limit(x, tau):
    return 1 / (x**2 + tau**2)


@wrong("noise_averages_out", "noise|N\\^2|square|second moment|variance")
def noisy_sgd_mean_limit(x, tau):
    return 2 / x**2


@wrong("fourth_moment_is_a_square", "fourth|square|moment|3")
def noisy_sgd_ms_limit(x, tau):
    return 2 / (x**2 + tau**2)


@wrong("three_left_out", "3|fourth|moment")
def noisy_sgd_ms_limit(x, tau):
    return 2 * (x**2 + tau**2) / (x**4 + 6 * x**2 * tau**2 + tau**4)


@wrong("divides_by_x", "x = 0|zero|x may be")
def noisy_sgd_fixed_point(x, y, tau):
    return y / (x + tau**2 / x)


@wrong("penalty_times_n", "n|lam|penalty|sum|mean")
def ridge_primal(X, y, lam):
    return np.linalg.solve(X.T @ X + len(X) * lam * np.eye(X.shape[1]), X.T @ y)


@wrong("dual_weights_returned", "alpha|X\\^T|X.T|features|rows|weights")
def ridge_dual(X, y, lam):
    return np.linalg.solve(X @ X.T + lam * np.eye(len(X)), y)


@wrong("wrong_way_round", "smaller|larger|way round|n x n|d x d")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError("negative")
    if lam == 0:
        return np.linalg.pinv(X) @ y
    n, d = X.shape
    if n >= d:
        return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(n), y)
    return np.linalg.solve(X.T @ X + lam * np.eye(d), X.T @ y)


@wrong("zero_is_a_small_number", "lam = 0|limit|zero|pinv|shortest")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError("negative")
    lam = max(lam, 1e-4)
    n, d = X.shape
    if n < d:
        return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(n), y)
    return np.linalg.solve(X.T @ X + lam * np.eye(d), X.T @ y)


@wrong("negative_accepted", "negative|ValueError|lam < 0")
def ridge(X, y, lam):
    if lam == 0:
        return np.linalg.pinv(X) @ y
    n, d = X.shape
    if n < d:
        return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(n), y)
    return np.linalg.solve(X.T @ X + lam * np.eye(d), X.T @ y)


@wrong("mean_of_y_ignored", "mu_y|mean")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    A = S_wy @ np.linalg.inv(S_yy)
    return mu_w + A @ y, S_ww - A @ S_wy.T


@wrong("covariance_grows", "sign|falls|less|minus|subtract|grow|plus|know")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    A = S_wy @ np.linalg.inv(S_yy)
    return mu_w + A @ (y - mu_y), S_ww + A @ S_wy.T


@wrong("root_of_lambda", "variance|root|lam")
def map_ridge(X, y, lam):
    S_yy = X @ X.T + np.sqrt(lam) * np.eye(len(X))
    A = np.linalg.solve(S_yy, X).T
    return A @ y, np.eye(X.shape[1]) - A @ X


@wrong("covariance_without_lambda", "lam|divided|huge|no data|prior|factor")
def map_ridge(X, y, lam):
    inverse = np.linalg.inv(X.T @ X + lam * np.eye(X.shape[1]))
    return inverse @ X.T @ y, inverse


@wrong("lambda_not_its_root", "root|square")
def ridge_by_rows(X, y, lam):
    d = X.shape[1]
    rows, targets = np.vstack([X, lam * np.eye(d)]), np.append(y, np.zeros(d))
    return np.linalg.lstsq(rows, targets, rcond=None)[0]


@wrong("targets_of_one", "target|zero|0")
def ridge_by_rows(X, y, lam):
    d = X.shape[1]
    rows, targets = np.vstack([X, np.sqrt(lam) * np.eye(d)]), np.append(y, np.ones(d))
    return np.linalg.lstsq(rows, targets, rcond=None)[0]


@wrong("inverse_scale", "root|scale|invers|1 /|lam")
def ridge_by_features(X, y, lam):
    wide = np.hstack([X, np.eye(len(X)) / np.sqrt(lam)])
    return np.linalg.lstsq(wide, y, rcond=None)[0][: X.shape[1]]


@wrong("all_weights_returned", "first d|private|last|d \\+ n|long|shape")
def ridge_by_features(X, y, lam):
    wide = np.hstack([X, np.sqrt(lam) * np.eye(len(X))])
    return np.linalg.lstsq(wide, y, rcond=None)[0]


@wrong("primal_for_dual", "dual|n x n|n × n|samples")
def ridge_dual(X, y, lam):
    return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)


@wrong("gives_up_at_a_thousand", "cap|loop|stop|enough|1000|1,000")
def steps_to_tol(sigma, eta, eps):
    e = 1.0
    for t in range(1, 1001):
        e *= 1 - 2 * eta * sigma**2
        if abs(e) < eps:
            return t
    return math.inf


@wrong("fixed_tolerance", "beside|largest|fixed")
def best_lr(X):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6]
    return 1 / (s[0] ** 2 + s[-1] ** 2)


@wrong("cuts_weak_directions", "rcond|weak|rounding|cut|drop|small")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError
    if lam == 0:
        return np.linalg.lstsq(X, y, rcond=1e-3)[0]
    if X.shape[1] <= X.shape[0]:
        return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)
    return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(len(X)), y)


@wrong("relative_to_start", "w0|start|best|y / sigma")
def gd_scalar(sigma, y, eta, w0, t):
    w = w0
    for _ in range(t):
        w = w + 2 * eta * sigma * (y - sigma * w0)
    return w


@wrong("rounds_up", "exact|floor|ceil|equal|one step|first|next")
def steps_to_tol(sigma, eta, eps):
    f = abs(1 - 2 * eta * sigma**2)
    if f >= 1:
        return math.inf
    if f == 0:
        return 0
    return math.ceil(math.log(eps) / math.log(f))


@wrong("by_rows_norm", "row|largest singular|sample")
def max_lr(X):
    return 1 / np.max(np.sum(X**2, axis=1))


@wrong("all_squares", "sum|all|strongest|weakest|middle")
def best_lr(X):
    return 1 / np.sum(X**2)


@wrong("loop_without_factor_two", "one step|step|t")
def gd_closed_form(X, y, eta, t):
    w = np.zeros(X.shape[1])
    for _ in range(t):
        w = w - eta * X.T @ (X @ w - y)
    return w


@wrong("frobenius_c2", "longest|row|largest|sum")
def sgd_constants(X):
    s, n = np.linalg.svd(X, compute_uv=False), len(X)
    c1, c2 = 4 / n * s[-1] ** 2, 4 / n * s[0] ** 2 * np.sum(X**2)
    return c1, c2, c1 / (2 * c2)


@wrong("third_moment_forgotten", "6|six|fourth|middle|binom|cross")
def noisy_sgd_ms_limit(x, tau):
    return 2 * (x**2 + tau**2) / (x**4 + 2 * x**2 * tau**2 + 3 * tau**4)


@wrong("raises_at_zero", "zero|lam = 0|limit")
def ridge(X, y, lam):
    if lam <= 0:
        raise ValueError
    if X.shape[1] <= X.shape[0]:
        return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)
    return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(len(X)), y)


@wrong("cov_of_noise", "prior|identity|I|covariance|lam")
def map_ridge(X, y, lam):
    H = np.linalg.inv(X.T @ X + lam * np.eye(X.shape[1]))
    return H @ X.T @ y, np.eye(X.shape[1]) - H


@wrong("targets_too", "target|zero|0")
def ridge_by_rows(X, y, lam):
    d = X.shape[1]
    return np.linalg.lstsq(np.vstack([X, np.sqrt(lam) * np.eye(d)]),
                           np.append(y, np.sqrt(lam) * np.ones(d)), rcond=None)[0]


@wrong("gain_not_squared", "square")
def noise_gain(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6 * s[0]]
    return np.sum(s / (s**2 + lam))


@wrong("lost_truth_share", "share|lost|kept|n / p|rows")
def ridgeless_risk(n, p, signal, noise):
    few, many = min(n, p), max(n, p)
    if many - few <= 1:
        return math.inf
    return signal * few / many * (p > n) + noise * few / (many - few - 1)

# ---- by the third reader, before cases, exams and these were opened

@wrong("lands_on_it", "one step")
def steps_to_tol(sigma, eta, eps):
    q = abs(1 - 2 * eta * sigma**2)
    if q >= 1:
        return math.inf
    if q == 0:
        return 0
    return math.ceil(math.log(eps) / math.log(q))


@wrong("overshoot_never", "overshoot|negative|jump")
def steps_to_tol(sigma, eta, eps):
    q = 1 - 2 * eta * sigma**2
    if q == 0:
        return 1
    if not 0 < q < 1:
        return math.inf
    return math.ceil(math.log(eps) / math.log(q))


@wrong("caps_at_ten_thousand", "stop|limit|cap|inf|many|loop")
def steps_to_tol(sigma, eta, eps):
    q, error = 1 - 2 * eta * sigma**2, 1.0
    for t in range(1, 10_001):
        error *= q
        if abs(error) < eps:
            return t
    return math.inf


@wrong("forgets_sign_of_sigma", "sign")
def gd_scalar(sigma, y, eta, w0, t):
    best = y / abs(sigma)
    return best + (1 - 2 * eta * sigma**2) ** t * (w0 - best)


@wrong("rate_from_frobenius", "sum|Frobenius|largest|singular")
def max_lr(X):
    return 1 / np.sum(X**2)


@wrong("best_from_last_value", "zero|rank|smallest")
def best_lr(X):
    s = np.linalg.svd(X, compute_uv=False)
    return 1 / (s[0] ** 2 + s[-1] ** 2)


@wrong("contraction_of_smallest", "weak|strong|slowest|largest")
def contraction(X, eta):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6 * s[0]]
    return abs(1 - 2 * eta * s[-1] ** 2)


@wrong("contraction_of_loss", "square|loss")
def contraction(X, eta):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6 * s[0]]
    return float(np.max((1 - 2 * eta * s**2) ** 2))


@wrong("exponential_flow", "exp|flow|overshoot|small rate")
def gd_closed_form(X, y, eta, t):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    k = s > 1e-10 * s[0]
    g = (1 - np.exp(-2 * eta * t * s[k] ** 2)) / s[k]
    return Vt[k].T @ (g * (U[:, k].T @ y))


@wrong("stops_at_the_solution", "overshoot|diverg|cut|clip")
def gd_closed_form(X, y, eta, t):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    k = s > 1e-10 * s[0]
    q = np.clip(1 - 2 * eta * s[k] ** 2, 0, 1)
    return Vt[k].T @ ((1 - q**t) / s[k] * (U[:, k].T @ y))


@wrong("first_columns_solution", "short|first|basic")
def min_norm_solution(X, y):
    n, d = X.shape
    w = np.zeros(d)
    w[:n] = np.linalg.solve(X[:, :n], y)
    return w


@wrong("loss_of_drawn_sample", "all samples|own|drawn|every sample")
def expected_next_loss(X, w, eta):
    losses = []
    for x in X:
        after = w - 2 * eta * x * (x @ w)
        losses.append((x @ after) ** 2)
    return len(X) * float(np.mean(losses))


@wrong("no_two_in_the_step", "factor 2|\\b2\\b|half|two")
def expected_next_loss(X, w, eta):
    return float(np.mean([np.sum((X @ (w - eta * x * (x @ w))) ** 2) for x in X]))


@wrong("c1_last_of_d", "zero|smallest|wide|span")
def sgd_constants(X):
    n = len(X)
    e = np.linalg.eigvalsh(X.T @ X)
    c1 = 4 * max(e[0], 0.0) / n
    c2 = 4 * e[-1] * np.max(np.sum(X**2, axis=1)) / n
    return c1, c2, c1 / (2 * c2)


@wrong("exact_row_products", "bound|longest|largest")
def sgd_constants(X):
    n, s = len(X), np.linalg.svd(X, compute_uv=False)
    c1 = 4 * s[-1] ** 2 / n
    c2 = 4 / n * np.max(np.sum((X @ X.T) ** 2, axis=0))
    return c1, c2, c1 / (2 * c2)


@wrong("best_rate_without_two", "half|2|factor|minim")
def sgd_constants(X):
    n, s = len(X), np.linalg.svd(X, compute_uv=False)
    c1 = 4 * s[-1] ** 2 / n
    c2 = 4 * s[0] ** 2 * np.max(np.sum(X**2, axis=1)) / n
    return c1, c2, c1 / c2


@wrong("mean_of_rows", "m|rows|number")
def noise_ridge_lambda(m, tau):
    return tau**2


@wrong("square_of_mean", "fourth|square")
def noisy_sgd_ms_limit(x, tau):
    return 2 / (x**2 + tau**2)


@wrong("fourth_moment_cross_twice", "six|6")
def noisy_sgd_ms_limit(x, tau):
    return 2 * (x**2 + tau**2) / (x**4 + 2 * x**2 * tau**2 + 3 * tau**4)


@wrong("fixed_point_of_tau", "variance")
def noisy_sgd_fixed_point(x, y, tau):
    return x * y / (x**2 + tau)


@wrong("ridge_wrong_side", "smaller|larger")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError("lam")
    n, d = X.shape
    if lam == 0:
        return np.linalg.pinv(X) @ y
    if n <= d:
        return np.linalg.solve(X.T @ X + lam * np.eye(d), X.T @ y)
    return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(n), y)


@wrong("zero_penalty_by_tiny", "limit|tiny|lam = 0|zero|exact")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError("lam")
    n, d = X.shape
    lam = max(lam, 1e-12)
    if d <= n:
        return np.linalg.solve(X.T @ X + lam * np.eye(d), X.T @ y)
    return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(n), y)


@wrong("dual_scaled_by_lam", "lam|divid|twice")
def ridge_dual(X, y, lam):
    return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(len(X)), y) / lam


@wrong("conditional_subtracts_no_mean", "mean")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    A = np.linalg.solve(S_yy, S_wy.T).T
    return mu_w + A @ y, S_ww - A @ S_wy.T


@wrong("covariance_adds", "subtract|reduce|minus")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    A = np.linalg.solve(S_yy, S_wy.T).T
    return mu_w + A @ (y - mu_y), S_ww + A @ S_wy.T


@wrong("posterior_without_lam", "lam|scale|huge|factor")
def map_ridge(X, y, lam):
    d = X.shape[1]
    inverse = np.linalg.inv(X.T @ X / lam + np.eye(d))
    return inverse @ X.T @ y, inverse


@wrong("noise_deviation", "root|variance|deviation|square|sqrt")
def map_ridge(X, y, lam):
    d = X.shape[1]
    precision = X.T @ X / lam**2 + np.eye(d)
    return np.linalg.solve(precision, X.T @ y) / lam**2, np.linalg.inv(precision)


@wrong("features_keep_scale", "private|scale|divid")
def ridge_by_features(X, y, lam):
    n, d = X.shape
    long = np.linalg.lstsq(np.hstack([X / np.sqrt(lam), np.eye(n)]), y, rcond=None)[0]
    return long[:d]


@wrong("one_row", "row|one|every weight|d rows")
def ridge_by_rows(X, y, lam):
    d = X.shape[1]
    rows = np.vstack([X, np.sqrt(lam) * np.ones((1, d))])
    return np.linalg.lstsq(rows, np.append(y, 0.0), rcond=None)[0]


@wrong("gain_is_root", "square|length|root")
def noise_gain(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6 * s[0]]
    return float(np.sqrt(np.sum((s / (s**2 + lam)) ** 2)))


@wrong("gain_of_shrinkage", "predictions|fraction")
def noise_gain(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6 * s[0]]
    return float(np.sum((s**2 / (s**2 + lam)) ** 2))


@wrong("trace_once", "square|lam|lambda")
def noise_gain(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > 1e-6 * s[0]]
    return float(np.sum(1 / (s**2 + lam)))


@wrong("infinite_only_at_equal", "inf")
def ridgeless_risk(n, p, signal, noise):
    k, m = min(n, p), max(n, p)
    if k == m:
        return math.inf
    if m == k + 1:
        return math.inf if n < p else noise * k + max(0, 1 - n / p) * signal
    return noise * k / (m - k - 1) + max(0, 1 - n / p) * signal


@wrong("signal_kept_not_lost", "lost|kept|share|signal|truth")
def ridgeless_risk(n, p, signal, noise):
    k, m = min(n, p), max(n, p)
    if m - k < 2:
        return math.inf
    return noise * k / (m - k - 1) + (n / p * signal if p > n else 0)


@wrong("asymptotic_formula", "-\\s*1|large|exact|asymptot|limit")
def ridgeless_risk(n, p, signal, noise):
    k, m = min(n, p), max(n, p)
    if m - k < 2:
        return math.inf
    return noise * k / (m - k) + max(0, 1 - n / p) * signal


@wrong("one_over_sigma", "squared")
def max_lr_scalar(sigma):
    return 1 / sigma


@wrong("flow_one_over_s_squared", "square")
def gd_closed_form(X, y, eta, t):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    keep = s > 1e-10 * s[0]
    U, s, Vt = U[:, keep], s[keep], Vt[keep]
    g = (1 - (1 - 2 * eta * s ** 2) ** t) / s ** 2
    return Vt.T @ (g * (U.T @ y))


@wrong("columns_for_rows", "rows of X")
def sgd_constants(X):
    s = np.linalg.svd(X, compute_uv=False)
    n = len(X)
    c1 = 4 / n * s[-1] ** 2
    c2 = 4 / n * s[0] ** 2 * np.max(np.sum(X ** 2, axis=0))
    return c1, c2, c1 / (2 * c2)


@wrong("eigs_of_gram_zero", "zero eigenvalues")
def sgd_constants(X):
    lam = np.linalg.eigvalsh(X @ X.T)
    n = len(X)
    c1 = 4 / n * max(lam[0], 0)
    c2 = 4 / n * lam[-1] * np.max(np.sum(X ** 2, axis=1))
    return c1, c2, c1 / (2 * c2)


@wrong("noise_free_fixed_point", "y/x")
def noisy_sgd_fixed_point(x, y, tau):
    return y / x if x else 0.0


@wrong("adds_lambda_everywhere", "diagonal")
def ridge_primal(X, y, lam):
    return np.linalg.solve(X.T @ X + lam, X.T @ y)


@wrong("cov_of_ridge_estimator", "wider")
def map_ridge(X, y, lam):
    P = np.linalg.inv(X.T @ X + lam * np.eye(X.shape[1]))
    return P @ X.T @ y, lam * P @ X.T @ X @ P


@wrong("last_part", "first")
def ridge_by_features(X, y, lam):
    n, d = X.shape
    return np.linalg.lstsq(np.hstack([np.sqrt(lam) * np.eye(n), X]), y, rcond=None)[0][:d]


@wrong("new_target_noise_added", "new target")
def ridgeless_risk(n, p, signal, noise):
    if abs(n - p) < 2:
        return math.inf
    if p < n:
        return noise * p / (n - p - 1) + noise
    return signal * (1 - n / p) + noise * n / (p - n - 1) + noise


@wrong("ratio_p_for_wide", "only n")
def ridgeless_risk(n, p, signal, noise):
    if abs(n - p) < 2:
        return math.inf
    if p < n:
        return noise * p / (n - p - 1)
    return signal * (1 - n / p) + noise * p / (p - n - 1)
