"""Wrong solutions of optimizers, written from its text alone."""

import cmath

import numpy as np
import torch

from advice import wrong


@wrong("moves_by_the_old_velocity", "old|new")
def momentum_step(theta, v, g, alpha, eps):
    return theta - v, alpha * v + eps * g


@wrong("rate_outside", "rate|eps|torch")
def momentum_step(theta, v, g, alpha, eps):
    v = alpha * v + g
    return theta - eps * v, v


@wrong("writes_into_v", "changes|argument|in place|write")
def momentum_step(theta, v, g, alpha, eps):
    v *= alpha
    v += eps * g
    return theta - v, v


@wrong("beta_at_the_gradient", "swap|beta|gradient")
def ema_step(theta, v, g, beta, delta):
    v = (1 - beta) * v + beta * g
    return theta - delta * v, v


@wrong("rate_in_the_average", "rate|delta|outside|average")
def ema_step(theta, v, g, beta, delta):
    v = beta * v + delta * (1 - beta) * g
    return theta - v, v


@wrong("rate_kept", r"rate|1 - beta|convert|factor")
def momentum_from_ema(beta, delta):
    return beta, delta


@wrong("multiplied_instead_of_divided", "divi|inverse|turn|multipl")
def ema_from_momentum(alpha, eps):
    return alpha, eps * (1 - alpha)


@wrong("newest_first", "oldest|newest|order|revers")
def ema_weights(t, beta):
    return (1 - beta) * beta ** np.arange(t)


@wrong("normalised", "sum|normal|one")
def ema_weights(t, beta):
    w = beta ** np.arange(t)[::-1].astype(float)
    return w / w.sum()


@wrong("no_new_share", r"1 - beta|factor|share|newest")
def ema_weights(t, beta):
    return beta ** np.arange(t)[::-1].astype(float)


@wrong("one_power_too_many", "newest|exponent|power")
def ema_weights(t, beta):
    return (1 - beta) * beta ** np.arange(t, 0, -1).astype(float)


@wrong("divides_by_one_minus_beta", "power|t|sum")
def bias_correct(v, t, beta):
    return v / (1 - beta)


@wrong("multiplies", "divi|multipl")
def bias_correct(v, t, beta):
    return v * (1 - beta**t)


@wrong("eps_inside_the_root", "eps|after|inside|root")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    mh, vh = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    return theta - lr * mh / np.sqrt(vh + eps), {"t": t, "m": m, "v": v}


@wrong("stores_the_corrected", "corrected|state|stored|plain")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    m, v = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    return theta - lr * m / (np.sqrt(v) + eps), {"t": t, "m": m, "v": v}


@wrong("eps_before_the_correction", "eps|correct|root")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    rate = lr * np.sqrt(1 - betas[1] ** t) / (1 - betas[0] ** t)
    return theta - rate * m / (np.sqrt(v) + eps), {"t": t, "m": m, "v": v}


@wrong("no_root", "root|sqrt")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    return theta - lr * m / (1 - betas[0] ** t) / (v / (1 - betas[1] ** t) + eps), \
        {"t": t, "m": m, "v": v}


@wrong("same_dict", "state|changes|new dict|argument")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state["t"] = state.get("t", 0) + 1
    m = state["m"] = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = state["v"] = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    mh, vh = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    return theta - lr * mh / (np.sqrt(vh) + eps), state


@wrong("norm_of_the_whole_gradient", "coordinate|norm|each")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * np.sum(g**2) * np.ones_like(g)
    mh, vh = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    return theta - lr * mh / (np.sqrt(vh) + eps), {"t": t, "m": m, "v": v}


@wrong("no_two", "2|two|square|derivative")
def sgd_l2_step(theta, g, lr, gamma):
    return theta - lr * (g + gamma * theta)


@wrong("decay_times_rate", "lr|rate|factor")
def sgd_wd_step(theta, g, lr, lam):
    return (1 - lr * lam) * theta - lr * g


@wrong("decays_the_moved_weight", "old|moved|after|gradient")
def sgd_wd_step(theta, g, lr, lam):
    return (1 - lam) * (theta - lr * g)


@wrong("rate_forgotten", "lr|rate")
def equivalent_decay(lr, gamma):
    return 2 * gamma


def _adam(theta, g, state, lr, betas, eps):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    mh, vh = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    return theta - lr * mh / (np.sqrt(vh) + eps), {"t": t, "m": m, "v": v}


@wrong("factor_two", "2|two|half|lam")
def adam_l2_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    return _adam(theta, g + 2 * lam * theta, state, lr, betas, eps)


@wrong("first_average_only", "both|square|second")
def adam_l2_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * (g + lam * theta)
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    mh, vh = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    return theta - lr * mh / (np.sqrt(vh) + eps), {"t": t, "m": m, "v": v}


@wrong("decay_without_rate", "lr|rate")
def adamw_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    moved, state = _adam(theta, g, state, lr, betas, eps)
    return moved - lam * theta, state


@wrong("decays_the_moved_weight", "old|moved|after")
def adamw_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    moved, state = _adam(theta, g, state, lr, betas, eps)
    return moved * (1 - lr * lam), state


@wrong("state_lost", "state|pass")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta = np.random.default_rng(seed), np.ones(n)
    for _ in range(steps):
        theta, _ = step(theta, scale * rng.normal(size=n), {}, lr=lr, lam=lam)
    return float(theta.mean())


@wrong("same_noise_each_step", "generator|draw|each step|every step|once")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    theta, state = np.ones(n), {}
    for _ in range(steps):
        g = scale * np.random.default_rng(seed).normal(size=n)
        theta, state = step(theta, g, state, lr=lr, lam=lam)
    return float(theta.mean())


@wrong("all_drawn_at_once", "draw|generator|each step|order")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    noise = scale * np.random.default_rng(seed).normal(size=(n, steps))
    theta, state = np.ones(n), {}
    for t in range(steps):
        theta, state = step(theta, noise[:, t], state, lr=lr, lam=lam)
    return float(theta.mean())


@wrong("real_root_only", "complex|modulus|both|abs|root")
def heavy_ball_radius(lam, eps, alpha):
    trace = 1 + alpha - eps * lam
    return abs(trace + np.sqrt(max(trace**2 - 4 * alpha, 0))) / 2


@wrong("plus_root_only", "both|negative|larger|abs|modulus")
def heavy_ball_radius(lam, eps, alpha):
    trace = 1 + alpha - eps * lam
    return abs(trace + cmath.sqrt(trace**2 - 4 * alpha)) / 2


@wrong("without_curvature", "curvature|lam|divi")
def heavy_ball_max_step(lam, alpha):
    return 2 * (1 + alpha)


@wrong("bound_of_descent", "momentum|alpha|1 \\+")
def heavy_ball_max_step(lam, alpha):
    return 2 / lam


@wrong("alpha_not_squared", "square|alpha")
def optimal_heavy_ball(mu, L):
    a, b = np.sqrt(mu), np.sqrt(L)
    return 4 / (a + b) ** 2, (b - a) / (b + a)


@wrong("pair_swapped", "order|swap|eps")
def optimal_heavy_ball(mu, L):
    a, b = np.sqrt(mu), np.sqrt(L)
    return ((b - a) / (b + a)) ** 2, 4 / (a + b) ** 2


@wrong("old_velocity", "old|new|heavy")
def nesterov_step(theta, v, g, mu, lr):
    new = mu * v + g
    return theta - lr * (g + mu * v), new


@wrong("no_look_ahead", "look|heavy|ahead|g \\+")
def nesterov_step(theta, v, g, mu, lr):
    v = mu * v + g
    return theta - lr * v, v


@wrong("looks_after_the_step", "zero|start|step|one|look|before")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = theta0, None
    for n in range(max_iter):
        theta, state = step(theta, H @ theta, state)
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n + 1
    return max_iter


@wrong("absolute_tolerance", "theta0|relative|start|tol")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = theta0, None
    for n in range(max_iter):
        if np.linalg.norm(theta) <= tol:
            return n
        theta, state = step(theta, H @ theta, state)
    return max_iter


@wrong("gradient_doubled", "half|2|two|H theta|gradient")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = theta0, None
    for n in range(max_iter):
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n
        theta, state = step(theta, 2 * H @ theta, state)
    return max_iter


@wrong("strictly_below", "equal|<=|strict|zero|0")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = theta0, None
    for n in range(max_iter):
        if np.linalg.norm(theta) < tol * np.linalg.norm(theta0):
            return n
        theta, state = step(theta, H @ theta, state)
    return max_iter


class _Shell(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    def _update(self, p, group, t):
        state, (b1, b2) = self.state[p], group["betas"]
        state["exp_avg"] = b1 * state.get("exp_avg", 0) + (1 - b1) * p.grad
        state["exp_avg_sq"] = b2 * state.get("exp_avg_sq", 0) + (1 - b2) * p.grad**2
        state["step"] = t
        m, v = state["exp_avg"] / (1 - b1**t), state["exp_avg_sq"] / (1 - b2**t)
        p.sub_(group["lr"] * (group["weight_decay"] * p + m / (v.sqrt() + group["eps"])))


@wrong("one_counter_for_all", "counter|own|each parameter|every parameter")
class AdamW(_Shell):
    count = 0

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        self.count += 1
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, group, self.count)
        return loss


@wrong("closure_ignored", "closure")
class AdamW(_Shell):
    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, group, self.state[p].get("step", 0) + 1)


@wrong("decays_without_a_gradient", "grad|skip|decay|None")
class AdamW(_Shell):
    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    p.mul_(1 - group["lr"] * group["weight_decay"])
                    continue
                self._update(p, group, self.state[p].get("step", 0) + 1)
        return loss


@wrong("defaults_for_all_groups", "group|default")
class AdamW(_Shell):
    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, self.defaults, self.state[p].get("step", 0) + 1)
        return loss


@wrong("closure_without_gradients", "enable_grad|gradients enabled|closure")
class AdamW(_Shell):
    @torch.no_grad()
    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, group, self.state[p].get("step", 0) + 1)
        return loss


def _spectral(g, alpha, size):
    U, s, Vt = np.linalg.svd(g, full_matrices=False)
    keep = s > 1e-12 * s.max()
    return -alpha / 2 * size(s) * (U[:, keep] @ Vt[keep])


def _steepest(g, norm, alpha):
    if norm in ("l2", "frobenius"):
        return -alpha / 2 * g
    if norm == "linf":
        return -alpha / 2 * np.abs(g).sum() * np.sign(g)
    if norm == "l1":
        step = np.zeros_like(g)
        i = np.argmax(np.abs(g))
        step[i] = -alpha / 2 * g[i]
        return step
    if norm == "spectral":
        return _spectral(g, alpha, np.sum)
    raise ValueError(norm)


@wrong("l1_uphill", "sign|uphill|l1|abs")
def steepest(g, norm, alpha=1.0):
    if norm == "l1":
        step = np.zeros_like(g)
        i = np.argmax(np.abs(g))
        step[i] = alpha / 2 * np.abs(g[i])
        return step
    return _steepest(g, norm, alpha)


@wrong("l1_largest_not_in_size", "abs|size|sign|l1")
def steepest(g, norm, alpha=1.0):
    if norm == "l1":
        step = np.zeros_like(g)
        i = np.argmax(g)
        step[i] = -alpha / 2 * g[i]
        return step
    return _steepest(g, norm, alpha)


@wrong("no_half", "half|2|two|squared")
def steepest(g, norm, alpha=1.0):
    return _steepest(g, norm, 2 * alpha)


@wrong("unit_steps", "dual|size")
def steepest(g, norm, alpha=1.0):
    if norm == "linf":
        return -alpha / 2 * np.sign(g)
    if norm == "spectral":
        return _spectral(g, alpha, lambda s: 1.0)
    return _steepest(g, norm, alpha)


@wrong("spectral_norm_as_its_own_dual", "dual|nuclear|sum")
def steepest(g, norm, alpha=1.0):
    if norm == "spectral":
        return _spectral(g, alpha, np.max)
    return _steepest(g, norm, alpha)


@wrong("fills_up_the_null_space", "zero|0|rank|leave")
def steepest(g, norm, alpha=1.0):
    if norm == "spectral":
        U, s, Vt = np.linalg.svd(g, full_matrices=False)
        return -alpha / 2 * s.sum() * (U @ Vt)
    return _steepest(g, norm, alpha)


@wrong("unknown_norm_as_l2", "ValueError|name|unknown")
def steepest(g, norm, alpha=1.0):
    if norm in ("linf", "l1", "spectral"):
        return _steepest(g, norm, alpha)
    return -alpha / 2 * g


@wrong("gram_of_the_long_side", "small|tall|transpos|memory|short", announced=True)
def newton_schulz(G, steps=30):
    X = G / np.linalg.norm(G)
    for _ in range(steps):
        X = 1.5 * X - 0.5 * X @ X.T @ X
    return X


@wrong("spectral_start", "Frobenius|spectral|norm")
def newton_schulz(G, steps=30):
    X = G / np.linalg.norm(G, 2)
    tall = len(X) > X.shape[1]
    X = X.T if tall else X
    for _ in range(steps):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if tall else X


@wrong("not_transposed_back", "transpos|shape|back")
def newton_schulz(G, steps=30):
    X = G / np.linalg.norm(G)
    X = X.T if len(X) > X.shape[1] else X
    for _ in range(steps):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X


@wrong("rows_are_short", "short|small|either|min|side")
def ns_macs(d_out, d_in):
    return 2 * d_out**2 * d_in


@wrong("gram_only", "product|both|two|Gram|2")
def ns_macs(d_out, d_in):
    return min(d_out, d_in) ** 2 * max(d_out, d_in)


@wrong("entrywise_square", r"entry|matrix|A @ A|square")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = G / (np.linalg.norm(G) + eps)
    tall = len(X) > X.shape[1]
    X = X.T if tall else X
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A**2) @ X
    return X.T if tall else X


@wrong("no_eps", "eps|zero")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = G / np.linalg.norm(G)
    tall = len(X) > X.shape[1]
    X = X.T if tall else X
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if tall else X


@wrong("coefficients_written_in", "coeffs|coefficients")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    X = G / (np.linalg.norm(G) + eps)
    tall = len(X) > X.shape[1]
    X = X.T if tall else X
    for _ in range(steps):
        A = X @ X.T
        X = 3.4445 * X + (-4.7750 * A + 2.0315 * A @ A) @ X
    return X.T if tall else X


def _polar(B):
    U, _, Vt = np.linalg.svd(B, full_matrices=False)
    return U @ Vt


@wrong("nesterov_buffer", "Nesterov|look|ahead|buffer")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + G
    step = _polar(G + momentum * buf)
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * step, buf


@wrong("max_factor", "max|factor|root|wide")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + G
    return W - lr * np.sqrt(max(1, W.shape[0] / W.shape[1])) * _polar(buf), buf


@wrong("factor_upside_down", "upside|invers|d_out|d_in")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + G
    return W - lr * np.sqrt(W.shape[1] / W.shape[0]) * _polar(buf), buf


@wrong("orthogonalises_the_gradient", "buffer|gradient|momentum")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + G
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * _polar(G), buf


@wrong("keeps_the_orthogonalised_buffer", "buffer|raw|orthogonal")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = _polar(momentum * buf + G)
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * buf, buf


@wrong("average_buffer", r"1 - |average|raw|sum|buffer")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + (1 - momentum) * G
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * _polar(buf), buf


@wrong("no_factor", "factor|shape|root|sqrt")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + G
    return W - lr * _polar(buf), buf


# More, written by a second reader from the released text alone.

@wrong("rate_at_the_step", "rate|eps|part of v|velocity")
def momentum_step(theta, v, g, alpha, eps):
    v = alpha * v + g
    return theta - eps * v, v


@wrong("exchanged_betas", "beta|1 - beta|exchang|weights")
def ema_step(theta, v, g, beta, delta):
    v = (1 - beta) * v + beta * g
    return theta - delta * v, v


@wrong("alpha_times_delta", "delta|divid|alpha|memory")
def momentum_from_ema(beta, delta):
    return beta * delta, delta * (1 - beta)


@wrong("corrected_with_t_minus_one", "t|power|count")
def bias_correct(v, t, beta):
    return v / (1 - beta ** (t + 1))


@wrong("eps_before_correcting", "correct|after the root|eps")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    step = lr * np.sqrt(1 - betas[1] ** t) / (1 - betas[0] ** t)
    return theta - step * m / (np.sqrt(v) + eps), {"t": t, "m": m, "v": v}


@wrong("bias_of_m_only", "both|square|v")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    return theta - lr * m / (1 - betas[0] ** t) / (np.sqrt(v) + eps), {"t": t, "m": m, "v": v}


@wrong("penalty_gradient_without_two", "2|two|derivative")
def sgd_l2_step(theta, g, lr, gamma):
    return theta - lr * (g + gamma * theta)


@wrong("decay_of_the_moved", "old|given|moved|before")
def adamw_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * g**2
    theta = theta - lr * m / (1 - betas[0] ** t) / (np.sqrt(v / (1 - betas[1] ** t)) + eps)
    return theta - lr * lam * theta, {"t": t, "m": m, "v": v}


@wrong("fresh_generator_every_step", "generator|once|draw|seed")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    theta, state = np.ones(n), {}
    for _ in range(steps):
        g = scale * np.random.default_rng(seed).normal(size=n)
        theta, state = step(theta, g, state, lr=lr, lam=lam)
    return float(theta.mean())


@wrong("real_part_of_the_roots", "modulus|complex|abs")
def heavy_ball_radius(lam, eps, alpha):
    r = np.roots([1, -(1 + alpha - eps * lam), alpha])
    return float(np.abs(r.real).max())


@wrong("bound_without_momentum", "momentum|alpha|1 \\+")
def heavy_ball_max_step(lam, alpha):
    return 2 / lam


@wrong("sum_not_squared", "square|root|sum")
def optimal_heavy_ball(mu, L):
    s = (np.sqrt(L) - np.sqrt(mu)) / (np.sqrt(L) + np.sqrt(mu))
    return 4 / (L + mu), s**2


@wrong("looks_back", "new|old|first")
def nesterov_step(theta, v, g, mu, lr):
    new = mu * v + g
    return theta - lr * (new + mu * v), new


@wrong("counts_after_the_step", "before|off by one|zero|count|look")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state, goal = theta0, None, tol * np.linalg.norm(theta0)
    for n in range(max_iter):
        theta, state = step(theta, H @ theta, state)
        if np.linalg.norm(theta) <= goal:
            return n
    return max_iter


@wrong("decay_without_the_rate", "lr|rate|decay")
class AdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                s = self.state[p]
                if not s:
                    s.update(step=0, exp_avg=torch.zeros_like(p), exp_avg_sq=torch.zeros_like(p))
                s["step"] += 1
                s["exp_avg"] = b1 * s["exp_avg"] + (1 - b1) * p.grad
                s["exp_avg_sq"] = b2 * s["exp_avg_sq"] + (1 - b2) * p.grad**2
                m, v = s["exp_avg"] / (1 - b1 ** s["step"]), s["exp_avg_sq"] / (1 - b2 ** s["step"])
                p.mul_(1 - group["weight_decay"])
                p.sub_(group["lr"] * m / (v.sqrt() + group["eps"]))
        return loss


@wrong("unit_steps_with_the_half", "size|dual|norm of the gradient|grow")
def steepest(g, norm, alpha=1.0):
    if norm in ("l2", "frobenius"):
        return -alpha / 2 * g / np.linalg.norm(g)
    if norm == "linf":
        return -alpha / 2 * np.sign(g)
    if norm == "l1":
        D = np.zeros_like(g, dtype=float)
        i = int(np.argmax(np.abs(g)))
        D[i] = -alpha / 2 * np.sign(g[i])
        return D
    if norm == "spectral":
        U, s, Vt = np.linalg.svd(g, full_matrices=False)
        k = s > 1e-12 * s[0]
        return -alpha / 2 * U[:, k] @ Vt[k]
    raise ValueError(norm)


@wrong("largest_signed_coordinate", "absolute|largest|negative")
def steepest(g, norm, alpha=1.0):
    if norm in ("l2", "frobenius"):
        return -alpha / 2 * g
    if norm == "linf":
        return -alpha / 2 * np.abs(g).sum() * np.sign(g)
    if norm == "l1":
        D = np.zeros_like(g, dtype=float)
        i = int(np.argmax(g))
        D[i] = -alpha / 2 * g[i]
        return D
    if norm == "spectral":
        U, s, Vt = np.linalg.svd(g, full_matrices=False)
        k = s > 1e-12 * s[0]
        return -alpha / 2 * s.sum() * U[:, k] @ Vt[k]
    raise ValueError(norm)


@wrong("counts_the_large_gram", "other side|small")
def ns_macs(d_out, d_in):
    return 2 * d_out * d_out * d_in


@wrong("cubic_in_a", "A\\^2|square|degree|c ")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = G / (np.linalg.norm(G) + eps)
    X = X.T if G.shape[0] > G.shape[1] else X
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A**2) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@wrong("averaged_buffer", "sum|1 - momentum|average|raw")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + (1 - momentum) * G
    U, _, Vt = np.linalg.svd(buf, full_matrices=False)
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * U @ Vt, buf


# By a third reader, before the catalogue was opened; what is above already is left out.

@wrong("average_moves_by_the_old_v", "old|new|passed in")
def ema_step(theta, v, g, beta, delta):
    return theta - delta * v, beta * v + (1 - beta) * g


@wrong("oldest_without_its_share", "oldest|first|starts at zero|1 - beta")
def ema_weights(t, beta):
    weights = (1 - beta) * beta ** np.arange(t)[::-1].astype(float)
    weights[0] = beta ** (t - 1)
    return weights


@wrong("power_of_the_difference", "power|beta")
def bias_correct(v, t, beta):
    return v / (1 - beta) ** t


@wrong("square_of_the_average", "squares of the gradients|average")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0) + (1 - betas[1]) * m**2
    mh, vh = m / (1 - betas[0] ** t), v / (1 - betas[1] ** t)
    return theta - lr * mh / (np.sqrt(vh) + eps), {"t": t, "m": m, "v": v}


@wrong("rate_not_handed_on", "lr|rate")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta, state = np.random.default_rng(seed), np.ones(n), {}
    for _ in range(steps):
        theta, state = step(theta, scale * rng.normal(size=n), state, lam=lam)
    return float(theta.mean())


@wrong("where_the_roots_become_real", "become real|reaches -1")
def heavy_ball_max_step(lam, alpha):
    return (1 + np.sqrt(alpha)) ** 2 / lam


@wrong("momentum_narrows", "1 \\+ alpha")
def heavy_ball_max_step(lam, alpha):
    return 2 * (1 - alpha) / lam


@wrong("condition_without_root", "root")
def optimal_heavy_ball(mu, L):
    return 4 / (np.sqrt(L) + np.sqrt(mu)) ** 2, ((L - mu) / (L + mu)) ** 2


@wrong("velocity_in_the_place_of_g", "new v|holds g|mu v")
def nesterov_step(theta, v, g, mu, lr):
    v = mu * v + g
    return theta - lr * (v + mu * v), v


@wrong("absolute_threshold", "size of the gradient|largest")
def steepest(g, norm, alpha=1.0):
    if norm == "spectral":
        U, s, Vt = np.linalg.svd(g, full_matrices=False)
        keep = s > 1e-12
        return -alpha / 2 * s.sum() * (U[:, keep] @ Vt[keep])
    return _steepest(g, norm, alpha)


@wrong("all_tied_coordinates", "first|one coordinate")
def steepest(g, norm, alpha=1.0):
    if norm == "l1":
        return np.where(np.abs(g) == np.abs(g).max(), -alpha / 2 * g, 0.0)
    return _steepest(g, norm, alpha)


@wrong("linf_by_its_own_norm", "dual|size")
def steepest(g, norm, alpha=1.0):
    if norm == "linf":
        return -alpha / 2 * np.sign(g) * np.abs(g).max()
    return _steepest(g, norm, alpha)


@wrong("divides_in_every_step", "once|before the loop")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = G.T if len(G) > G.shape[1] else G
    for _ in range(steps):
        X = X / (np.linalg.norm(X) + eps)
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if len(G) > G.shape[1] else X


@wrong("returned_in_the_other_order", "order")
def ema_step(theta, v, g, beta, delta):
    v = beta * v + (1 - beta) * g
    return v, theta - delta * v


@wrong("rate_forgotten", "grow with delta")
def momentum_from_ema(beta, delta):
    return beta, 1 - beta


@wrong("order_of_the_pair", "order")
def ema_from_momentum(alpha, eps):
    return eps / (1 - alpha), alpha


@wrong("divides_by_the_mean_size", "g squared")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0 * theta) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", 0 * theta) + (1 - betas[1]) * np.abs(g)
    step = m / (1 - betas[0]**t) / (v / (1 - betas[1]**t) + eps)
    return theta - lr * step, {"t": t, "m": m, "v": v}


@wrong("both_penalties", "twice")
def adamw_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    moved, state = _adam(theta, g + lam * theta, state, lr, betas, eps)
    return moved - lr * lam * theta, state


@wrong("mean_of_sizes", "sizes")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta, state = np.random.default_rng(seed), np.ones(n), {}
    for _ in range(steps):
        theta, state = step(theta, scale * rng.normal(size=n), state, lr=lr, lam=lam)
    return float(np.abs(theta).mean())


@wrong("moves_by_the_old_v", "new v")
def heavy_ball_radius(lam, eps, alpha):
    return float(np.max(np.abs(np.linalg.eigvals(np.array([[1.0, -1.0], [eps * lam, alpha]])))))


@wrong("two_over_the_sum", "eps is half")
def optimal_heavy_ball(mu, L):
    a, b = np.sqrt(mu), np.sqrt(L)
    return 2 / (a + b) ** 2, ((b - a) / (b + a)) ** 2


@wrong("decays_the_moved_parameter", "old|moved")
class AdamW(_Shell):
    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            plain = group | {"weight_decay": 0.0}
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, plain, self.state[p].get("step", 0) + 1)
                    p.mul_(1 - group["lr"] * group["weight_decay"])
        return loss


@wrong("l2_of_one_size", "grows with the gradient")
def steepest(g, norm, alpha=1.0):
    return -alpha / 2 * g / np.linalg.norm(g) if norm == "l2" else _steepest(g, norm, alpha)


@wrong("strongest_direction_only", "every singular direction")
def steepest(g, norm, alpha=1.0):
    if norm != "spectral":
        return _steepest(g, norm, alpha)
    U, s, Vt = np.linalg.svd(g, full_matrices=False)
    return -alpha / 2 * s[0] * np.outer(U[:, 0], Vt[0])


@wrong("counts_operations", "counts once")
def ns_macs(d_out, d_in):
    return 4 * min(d_out, d_in) ** 2 * max(d_out, d_in)
