"""Wrong solutions of attention_exploration, written from its text alone."""

import numpy as np
import torch

from advice import wrong


@wrong("norm_in_score", "length|norm|cosine|dot product")
def hard_attention(q, K, V):
    return V[torch.argmax(K @ q / K.norm(dim=1))]


@wrong("last_of_ties", "first|tie")
def hard_attention(q, K, V):
    scores = K @ q
    return V[len(K) - 1 - torch.argmax(scores.flip(0))]


@wrong("mean_of_ties", "first|tie")
def hard_attention(q, K, V):
    scores = K @ q
    best = (scores == scores.max()).to(V.dtype)
    return best @ V / best.sum()


@wrong("straight_through", "gradient|invent|straight")
def hard_attention(q, K, V):
    soft = torch.softmax(K @ q, dim=0)
    hard = torch.zeros_like(soft)
    hard[torch.argmax(soft)] = 1
    return (hard + soft - soft.detach()) @ V


@wrong("no_shift", "overflow|shift|largest|maximum|exponential")
def soft_attention(q, K, V, temp=1.0):
    e = torch.exp(K @ q / temp)
    return e / e.sum() @ V


@wrong("temperature_multiplies", "temperature|temp|divid")
def soft_attention(q, K, V, temp=1.0):
    return torch.softmax(K @ q * temp, dim=0) @ V


@wrong("always_sqrt_d", "sqrt|root|temperature|temp")
def soft_attention(q, K, V, temp=1.0):
    return torch.softmax(K @ q / temp / len(q) ** 0.5, dim=0) @ V


@wrong("only_noise", "mean|term")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    return float(mu_q @ mu_k), len(mu_q) * sigma_q**2 * sigma_k**2


@wrong("wrong_sigma", "sigma|other|exchang|swap|its own mean")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    d = len(mu_q)
    variance = sigma_q**2 * mu_q @ mu_q + sigma_k**2 * mu_k @ mu_k + d * (sigma_q * sigma_k) ** 2
    return float(mu_q @ mu_k), float(variance)


@wrong("standard_deviation", "root|standard deviation|variance")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    d = len(mu_q)
    variance = sigma_q**2 * mu_k @ mu_k + sigma_k**2 * mu_q @ mu_q + d * (sigma_q * sigma_k) ** 2
    return float(mu_q @ mu_k), float(np.sqrt(variance))


def _saturation(d, n, scale, trials, rng, slope):
    q, K = rng.normal(size=(trials, d)), rng.normal(size=(trials, n, d))
    scores = np.einsum("td,tnd->tn", q, K) / scale
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return slope((e / e.sum(axis=1, keepdims=True)).max(axis=1))


@wrong("one_sigma", "sigma|both")
def score_scale(d, sigma=1.0):
    return sigma * d**0.5


@wrong("slope_of_mean", "mean|trial|average")
def saturation(d, n, scale, trials, rng):
    return _saturation(d, n, scale, trials, rng,
                       lambda p: (p.mean(), 2 * p.mean() * (1 - p.mean())))


@wrong("keys_shared", "keys|own|trial|draw")
def saturation(d, n, scale, trials, rng):
    q, K = rng.normal(size=(trials, d)), rng.normal(size=(n, d))
    scores = q @ K.T / scale
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = (e / e.sum(axis=1, keepdims=True)).max(axis=1)
    return p.mean(), (2 * p * (1 - p)).mean()


@wrong("sum_of_keys", "orthonormal|sum|avoid")
def query_for(K, idx, beta):
    return beta * K[idx].sum(axis=0)


@wrong("not_shortest", "shortest")
def query_for(K, idx, beta):
    z = np.zeros(len(K))
    z[list(idx)] = beta
    n, d = K.shape
    full = np.vstack([K, np.eye(d)[n:]])
    return np.linalg.solve(full, np.append(z, np.ones(d - n)))


@wrong("chosen_hold_one", r"1 - tol|tol")
def min_beta(n, m, tol):
    return 0.0 if m == n else float(np.log((n - m) / (m * tol)))


@wrong("tol_per_key", "each|every|all|together|mass|per key")
def min_beta(n, m, tol):
    if m == n:
        return 0.0
    tol = tol * (n - m)
    return float(np.log((n - m) * (1 - tol) / (m * tol))) if tol < 1 else 0.0


@wrong("half_is_deviation", "variance|standard deviation|1/2|root")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += 0.5 * rng.normal() * mu[a]
    return keys


@wrong("alpha_is_deviation", "alpha|variance")
def sample_keys(mu, a, alpha, rng):
    keys = mu + alpha * rng.normal(size=mu.shape)
    keys[a] += np.sqrt(0.5) * rng.normal() * mu[a]
    return keys


def _experiment(mode, beta, trials, seed, n, alpha, W, softmax, second=lambda mode: False):
    if mode not in ("single", "same", "split", "independent", "own") or mode == "own" and W is None:
        raise ValueError(mode)
    rng, mu = np.random.default_rng(seed), np.eye(n)

    def draw():
        keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
        keys[0] += np.sqrt(0.5) * rng.normal() * mu[0]
        return keys

    queries = {"single": [mu[0] + mu[1]], "split": [mu[0], mu[1]]}.get(mode, [mu[0] + mu[1]] * 2)
    rows = []
    for _ in range(trials):
        keys, heads = draw(), []
        for i, q in enumerate(queries):
            keys = draw() if i and (mode == "independent" or second(mode)) else keys
            heads.append((keys @ W[i].T if mode == "own" else keys) @ (beta * q))
        rows.append(softmax(heads))
    return np.array(rows)


def _softmax(z):
    e = np.exp(z - np.max(z))
    return e / e.sum()


@wrong("overflow", "overflow|shift|largest|maximum")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    def softmax(heads):
        with np.errstate(all="ignore"):
            return np.mean([np.exp(z) / np.exp(z).sum() for z in heads], axis=0)

    return _experiment(mode, beta, trials, seed, n, alpha, W, softmax)


@wrong("average_scores", "score|average|weights|before")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    return _experiment(mode, beta, trials, seed, n, alpha, W,
                       lambda heads: _softmax(np.mean(heads, axis=0)))


@wrong("split_draws_again", "draw|same keys|split|new keys|own keys")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    return _experiment(mode, beta, trials, seed, n, alpha, W,
                       lambda heads: np.mean([_softmax(z) for z in heads], axis=0),
                       second=lambda mode: mode == "split")


@wrong("asks_ub", "u_b|ub|two tokens|blend")
def design_kqv(ua, ub, uc, ud):
    r2 = ua @ ua
    Q = (np.outer(ub, ua) + np.outer(uc, ud)) * 4 / r2
    return np.eye(len(ua)), Q, (np.outer(ub, ub) - np.outer(uc, uc)) / r2


@wrong("rho_is_four", "rho|length|number|4")
def design_kqv(ua, ub, uc, ud):
    Q = (np.outer(ud, ua) + np.outer(uc, ud)) * 4 / 16
    return np.eye(len(ua)), Q, (np.outer(ub, ub) - np.outer(uc, uc)) / 16


@wrong("halves", "neighbour|half|halves|pairs")
def rope(x, pos, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError
    angle = np.asarray(pos)[..., None] * base ** (-2 * np.arange(d // 2) / d)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([x1 * np.cos(angle) - x2 * np.sin(angle),
                           x1 * np.sin(angle) + x2 * np.cos(angle)], axis=-1)


@wrong("frequencies_from_one", "frequen|exponent|first|i - 1")
def rope(x, pos, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError
    angle = np.asarray(pos)[..., None] * base ** (-2 * np.arange(1, d // 2 + 1) / d)
    out = np.empty(x.shape)
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 0::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out


@wrong("keeps_float32", "float64|float32|single precision|dtype")
def rope(x, pos, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError
    angle = np.asarray(pos)[..., None] * base ** (-2 * np.arange(d // 2) / d)
    out = np.empty(x.shape, dtype=x.dtype if x.dtype.kind == "f" else float)
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 0::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out


def _attend(dec, enc, mask, scale, penalty=-np.inf, eps=0.0):
    scale = dec.shape[-1] ** 0.5 if scale is None else scale
    scores = dec @ enc.swapaxes(1, 2) / scale
    if mask is not None:
        scores = (np.where(mask[:, None, :], scores, -np.inf) if penalty == -np.inf
                  else scores + np.where(mask[:, None, :], 0, penalty))
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total + eps)
    return weights @ enc, weights


@wrong("penalty_1e4", "penalty|constant|inf|large enough")
def cross_attention(dec, enc, mask=None, scale=None):
    context, weights = _attend(dec, enc, mask, scale, penalty=-1e4)
    if mask is not None:
        alive = mask.any(axis=1)[:, None, None]
        context, weights = context * alive, weights * alive
    return context, weights


@wrong("eps_denominator", "constant|denominator|epsilon|sum to|add")
def cross_attention(dec, enc, mask=None, scale=None):
    return _attend(dec, enc, mask, scale, eps=1e-6)


@wrong("mask_after_softmax", "after|sum to one|before")
def cross_attention(dec, enc, mask=None, scale=None):
    context, weights = _attend(dec, enc, None, scale)
    if mask is not None:
        weights = weights * mask[:, None, :]
    return weights @ enc, weights


@wrong("all_padding_nan", "padding|NaN|0/0|nothing")
def cross_attention(dec, enc, mask=None, scale=None):
    scale = dec.shape[-1] ** 0.5 if scale is None else scale
    scores = dec @ enc.swapaxes(1, 2) / scale
    if mask is not None:
        scores = np.where(mask[:, None, :], scores, -np.inf)
    with np.errstate(all="ignore"):
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ enc, weights


@wrong("mean_gap", "every|mean|largest|average|entry")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    for _ in range(trials):
        p = rng.permutation(len(X))
        if np.mean(np.abs(f(X[p]) - f(X)[p])) > tol:
            return False
    return True


@wrong("global_random", "rng|generator")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    for _ in range(trials):
        p = np.random.permutation(len(X))
        if np.abs(f(X[p]) - f(X)[p]).max() > tol:
            return False
    return True


@wrong("allclose", "relative|allclose|absolut")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    for _ in range(trials):
        p = rng.permutation(len(X))
        if not np.allclose(f(X[p]), f(X)[p], atol=tol):
            return False
    return True


@wrong("tests_invariance", "invarian|sort|stays the same")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    return all(np.abs(f(X[rng.permutation(len(X))]) - f(X)).max() <= tol for _ in range(trials))


@wrong("one_permutation", "trials|one permutation|first")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    p = rng.permutation(len(X))
    return bool(np.abs(f(X[p]) - f(X)[p]).max() <= tol)


def _shares(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("root_of_d_as_well", "sqrt|root|temperature alone|scale|dimension")
def soft_attention(q, K, V, temp=1.0):
    return torch.softmax(K @ q / (temp * len(q) ** 0.5), dim=0) @ V


@wrong("standard_deviation", "root|standard deviation|variance")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    mu_q, mu_k = np.asarray(mu_q, float), np.asarray(mu_k, float)
    variance = (sigma_q**2 * mu_k @ mu_k + sigma_k**2 * mu_q @ mu_q
                + len(mu_q) * sigma_q**2 * sigma_k**2)
    return float(mu_q @ mu_k), float(np.sqrt(variance))


@wrong("slopes_of_all_weights", "largest|all the|every weight")
def saturation(d, n, scale, trials, rng):
    queries, keys = rng.normal(size=(trials, d)), rng.normal(size=(trials, n, d))
    p = _shares(np.einsum("td,tnd->tn", queries, keys) / scale)
    return float(p.max(axis=1).mean()), float((2 * p * (1 - p)).sum(axis=1).mean())


@wrong("a_little_ridge", "exact|regular|small|added|shortest")
def query_for(K, idx, beta):
    K = np.asarray(K, float)
    wanted = np.zeros(len(K))
    wanted[list(idx)] = beta
    return K.T @ np.linalg.solve(K @ K.T + 1e-6 * np.eye(len(K)), wanted)


def _keys(mu, a, alpha, rng):
    mu = np.asarray(mu, float)
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += np.sqrt(0.5) * rng.normal() * mu[a]
    return keys


@wrong("seed_per_trial", "generator|seed|trial")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    a, b = np.eye(n)[:2]
    queries = {"single": [a + b], "same": [a + b] * 2, "split": [a, b],
               "independent": [a + b] * 2, "own": [a + b] * 2}
    if mode not in queries or mode == "own" and W is None:
        raise ValueError(mode)
    rows = []
    for trial in range(trials):
        rng = np.random.default_rng(seed + trial)
        keys, heads = _keys(np.eye(n), 0, alpha, rng), []
        for h, q in enumerate(queries[mode]):
            if mode == "independent" and h:
                keys = _keys(np.eye(n), 0, alpha, rng)
            read = keys @ np.asarray(W[h]).T if mode == "own" else keys
            heads.append(_shares(beta * read @ q))
        rows.append(np.mean(heads, axis=0))
    return np.array(rows)


@wrong("values_keep_ud", "u_?d|drop|keep")
def design_kqv(ua, ub, uc, ud):
    square = ua @ ua
    Q = 2 * (np.outer(ud, ua) + np.outer(uc, ud)) / square
    V = np.eye(len(ua)) - 2 * np.outer(uc, uc) / square
    return np.eye(len(ua)), Q, V


@wrong("frequencies_from_one", "exponent|first pair|frequenc|start")
def rope(x, pos, base=10000.0):
    x = np.asarray(x, float)
    d = x.shape[-1]
    if d % 2:
        raise ValueError
    angle = np.asarray(pos, float)[..., None] * base ** (-2.0 * np.arange(1, d // 2 + 1) / d)
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 0::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out


@wrong("padded_values_zero", "after|before|weight|softmax|padding")
def cross_attention(dec, enc, mask=None, scale=None):
    dec, enc = np.asarray(dec, float), np.asarray(enc, float)
    scale = np.sqrt(dec.shape[-1]) if scale is None else scale
    if mask is not None:
        enc = enc * np.asarray(mask)[..., None]
    weights = _shares(dec @ enc.swapaxes(-1, -2) / scale)
    return weights @ enc, weights


@wrong("any_will_do", "all|every|one|any")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    X = np.asarray(X, float)
    found = []
    for _ in range(trials):
        order = rng.permutation(len(X))
        found.append(bool(np.all(np.abs(f(X[order]) - f(X)[order]) <= tol)))
    return any(found)


@wrong("columns_in_turn", "block|turn|interleav|column|head")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    if W_Q.shape[1] % heads or W_V.shape[1] % heads:
        raise ValueError
    outs, maps = [], []
    T = x.shape[1]
    for h in range(heads):
        q, k, v = x @ W_Q[:, h::heads], x @ W_K[:, h::heads], x @ W_V[:, h::heads]
        if turns is not None:
            q = torch.einsum("btd,tde->bte", q, turns)
            k = torch.einsum("btd,tde->bte", k, turns)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        scores = scores.masked_fill(~torch.ones(T, T, dtype=torch.bool).tril(), -torch.inf)
        w = torch.softmax(scores, -1)
        outs.append(w @ v)
        maps.append(w)
    return torch.cat(outs, -1) @ W_O, torch.stack(maps, 1)
