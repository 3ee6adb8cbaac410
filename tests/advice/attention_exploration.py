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


# A third reader's, written before a look at cases, exam or catalogue.


@wrong("ties_are_averaged", "tie|first|mean|average|equal")
def hard_attention(q, K, V):
    scores = K @ q
    best = (scores == scores.max()).to(V.dtype)
    return (best @ V) / best.sum()


@wrong("clamps_scores", "clamp|clip|cap|shift|limit|cut")
def soft_attention(q, K, V, temp=1.0):
    weights = torch.exp(torch.clamp(K @ q / temp, max=80))
    return weights / weights.sum() @ V


@wrong("squares_of_the_mean_of_the_means", "averag|sum")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    mu_q, mu_k = np.asarray(mu_q, float), np.asarray(mu_k, float)
    d = len(mu_q)
    means = sigma_q**2 * np.mean(mu_k**2) + sigma_k**2 * np.mean(mu_q**2)
    return float(mu_q @ mu_k), float(d * sigma_q**2 * sigma_k**2 + means)


@wrong("wrong_partner", "other|exchang|swap|own|partner|cross")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    mu_q, mu_k = np.asarray(mu_q, float), np.asarray(mu_k, float)
    d = len(mu_q)
    var = d * sigma_q**2 * sigma_k**2 + sigma_q**2 * mu_q @ mu_q + sigma_k**2 * mu_k @ mu_k
    return float(mu_q @ mu_k), float(var)


@wrong("mean_slope_of_all_weights", "largest|all weights|every weight")
def saturation(d, n, scale, trials, rng):
    q = rng.normal(size=(trials, d))
    k = rng.normal(size=(trials, n, d))
    s = np.einsum("td,tnd->tn", q, k) / scale
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return float(p.max(axis=1).mean()), float((2 * p * (1 - p)).mean())


@wrong("ignores_the_others", "other|zero|0|avoid")
def query_for(K, idx, beta):
    return np.linalg.pinv(K[idx]) @ np.full(len(idx), float(beta))


@wrong("tol_for_each_other_key", "each|together|all other|sum|share")
def min_beta(n, m, tol):
    if m == n:
        return 0.0
    return float(np.log((1 / tol - (n - m)) / m))


@wrong("unit_direction", "length|unit|direction|normal|mean")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += np.sqrt(0.5) * rng.normal() * mu[a] / np.linalg.norm(mu[a])
    return keys


@wrong("one_length_for_all", "key a|all keys|every key|only")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    return keys + np.sqrt(0.5) * rng.normal() * mu[a]


def _weights(s):
    p = np.exp(s - s.max())
    return p / p.sum()


def _drawn(mu, rng, alpha):
    k = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    k[0] += np.sqrt(0.5) * rng.normal() * mu[0]
    return k


def _two_heads(mode, beta, trials, seed, n, alpha, W, redraws=("independent",), average=True):
    if mode not in ("single", "same", "split", "independent", "own") or mode == "own" and W is None:
        raise ValueError("mode")
    mu = np.eye(n)
    both = beta * (mu[0] + mu[1])
    queries = {"single": [both], "split": [beta * mu[0], beta * mu[1]]}.get(mode, [both, both])
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(trials):
        keys = _drawn(mu, rng, alpha)
        found = []
        for h, q in enumerate(queries):
            if h and mode in redraws:
                keys = _drawn(mu, rng, alpha)
            found.append((keys @ W[h].T if mode == "own" else keys) @ q)
        rows.append(np.mean([_weights(s) for s in found], axis=0) if average
                    else _weights(np.mean(found, axis=0)))
    return np.array(rows)


@wrong("own_redraws", "draw|own")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    return _two_heads(mode, beta, trials, seed, n, alpha, W, redraws=("independent", "own"))


@wrong("averages_scores", "score|weights|softmax|average")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    return _two_heads(mode, beta, trials, seed, n, alpha, W, average=False)


@wrong("blended_values", "x_3|uc|value|V|c_2|c2|blend|read")
def design_kqv(ua, ub, uc, ud):
    r2 = ua @ ua
    Q = (np.outer(uc, ua) + np.outer(uc, ud)) / r2 * 2  # both read x_3
    V = (np.outer(ub, ub) - np.outer(uc, uc)) / r2
    return np.eye(len(ua)), Q, V


@wrong("cosine_scores", "small|sharp|large|differ|per cent|score|blend")
def design_kqv(ua, ub, uc, ud):
    r2 = ua @ ua
    Q = (np.outer(ud, ua) + np.outer(uc, ud)) / r2
    V = (np.outer(ub, ub) - np.outer(uc, uc)) / r2
    return np.eye(len(ua)) / r2, Q, V


@wrong("whole_positions", "whole|integer|position")
def rope(x, pos, base=10000.0):
    x = np.asarray(x, dtype=float)
    d = x.shape[-1]
    if d % 2:
        raise ValueError("odd d")
    w = base ** (-2 * np.arange(d // 2) / d)
    angle = np.asarray(pos).astype(int)[..., None] * w
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 0::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out


@wrong("exponent_over_half_d", "exponent|frequenc|d/2|twice")
def rope(x, pos, base=10000.0):
    x = np.asarray(x, dtype=float)
    d = x.shape[-1]
    if d % 2:
        raise ValueError("odd d")
    w = base ** (-np.arange(d // 2) / d)
    angle = np.asarray(pos, float)[..., None] * w
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * np.cos(angle) - x[..., 1::2] * np.sin(angle)
    out[..., 1::2] = x[..., 0::2] * np.sin(angle) + x[..., 1::2] * np.cos(angle)
    return out


@wrong("masks_after_softmax", "after|softmax|renormal|sum to one|add up")
def cross_attention(dec, enc, mask=None, scale=None):
    scale = np.sqrt(dec.shape[-1]) if scale is None else scale
    s = dec @ np.swapaxes(enc, 1, 2) / scale
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    if mask is not None:
        p = p * mask[:, None, :]
    return p @ enc, p


@wrong("scale_by_source_length", "sqrt|length|root|scale|T")
def cross_attention(dec, enc, mask=None, scale=None):
    scale = np.sqrt(enc.shape[1]) if scale is None else scale
    s = dec @ np.swapaxes(enc, 1, 2) / scale
    if mask is not None:
        s = np.where(mask[:, None, :], s, -np.inf)
    top = s.max(-1, keepdims=True)
    p = np.exp(s - np.where(np.isfinite(top), top, 0))
    total = p.sum(-1, keepdims=True)
    p = p / np.where(total == 0, 1, total)
    return p @ enc, p


@wrong("shifted_by_padding", "masked token|constant|1e-|eps|denominator|added|sum")
def cross_attention(dec, enc, mask=None, scale=None):
    scale = np.sqrt(dec.shape[-1]) if scale is None else scale
    s = dec @ np.swapaxes(enc, 1, 2) / scale
    s = s - s.max(-1, keepdims=True)  # the largest of all, padded ones too
    p = np.exp(s)
    if mask is not None:
        p = p * mask[:, None, :]
    p = p / (p.sum(-1, keepdims=True) + 1e-12)
    return p @ enc, p


@wrong("one_good_trial_is_enough", "all|every|any|one|first")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    for _ in range(trials):
        order = rng.permutation(len(X))
        if np.max(np.abs(f(X[order]) - f(X)[order])) <= tol:
            return True
    return False


@wrong("signed_difference", "absolute|sign|negative")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    for _ in range(trials):
        order = rng.permutation(len(X))
        if np.max(f(X[order]) - f(X)[order]) > tol:
            return False
    return True


@wrong("mean_difference", "mean|average|every entry|largest")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    for _ in range(trials):
        order = rng.permutation(len(X))
        if np.mean(np.abs(f(X[order]) - f(X)[order])) > tol:
            return False
    return True


def _layer(x, W_Q, W_K, W_V, W_O, heads, turns=None, width=False, masked=-torch.inf,
           strided=False, both=True, axis=-1):
    if W_Q.shape[1] % heads or W_V.shape[1] % heads:
        raise ValueError("heads")
    B, T, _ = x.shape

    def cut(z):
        if strided:
            return z.view(B, T, -1, heads).permute(0, 3, 1, 2)
        return z.view(B, T, heads, -1).transpose(1, 2)

    q, k, v = cut(x @ W_Q), cut(x @ W_K), cut(x @ W_V)
    if turns is not None:
        q = (q.unsqueeze(-2) @ turns).squeeze(-2)
        if both:
            k = (k.unsqueeze(-2) @ turns).squeeze(-2)
    d = W_Q.shape[1] if width else q.shape[-1]
    s = q @ k.transpose(-1, -2) / d**0.5
    future = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
    s = s.masked_fill(future, masked)
    p = torch.softmax(s, dim=axis)
    if axis == -2:
        p = torch.nan_to_num(p)
    return (p @ v).transpose(1, 2).reshape(B, T, -1) @ W_O, p


@wrong("strided_heads", "block|column|stride|side by side|axis|reshape|cut")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    return _layer(x, W_Q, W_K, W_V, W_O, heads, turns, strided=True)


@wrong("width_of_all_heads", "width|scale|sqrt|root|head")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    return _layer(x, W_Q, W_K, W_V, W_O, heads, turns, width=True)


@wrong("only_queries_turn", "key")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    return _layer(x, W_Q, W_K, W_V, W_O, heads, turns, both=False)


@wrong("finite_mask", "finite|large|constant|penalty|infin|-1e")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    return _layer(x, W_Q, W_K, W_V, W_O, heads, turns, masked=-1e4)


@wrong("weights_over_the_queries", "axis|column|quer|keys|sum to one")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    return _layer(x, W_Q, W_K, W_V, W_O, heads, turns, axis=-2)


@wrong("computes_in_double", "dtype|float")
def soft_attention(q, K, V, temp=1.0):
    return torch.softmax(K.double() @ q.double() / temp, 0) @ V.double()


@wrong("means_averaged", "mean|coordinate|vector")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    d, a, b = len(mu_q), np.mean(mu_q), np.mean(mu_k)
    return (d * a * b, d * (a**2 * sigma_k**2 + b**2 * sigma_q**2 + sigma_q**2 * sigma_k**2))


@wrong("trial_by_trial", "order|draw|quer")
def saturation(d, n, scale, trials, rng):
    found = []
    for _ in range(trials):
        q, k = rng.normal(size=d), rng.normal(size=(n, d))
        s = k @ q / scale
        w = np.exp(s - s.max())
        found.append(w.max() / w.sum())
    p = np.array(found)
    return p.mean(), np.mean(2 * p * (1 - p))


@wrong("orthonormal_basis", "orthog|avoid|scores|others|length")
def query_for(K, idx, beta):
    basis = np.linalg.qr(K.T)[0]
    return beta * basis[:, idx].sum(axis=1)


@wrong("divides_by_zero_when_all_are_chosen", "all|0|m = n|no others")
def min_beta(n, m, tol):
    with np.errstate(all="ignore"):
        return float(np.log((n - m) * (1 - tol) / (m * tol)))


@wrong("number_of_a_first", "order|first|draw")
def sample_keys(mu, a, alpha, rng):
    extra = rng.normal()
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] = keys[a] + np.sqrt(0.5) * extra * mu[a]
    return keys


def heads_by_hand(mode, beta, trials, seed, n, alpha, W, join="weights", known=True):
    if known and mode not in ("single", "same", "split", "independent", "own"):
        raise ValueError(mode)
    if mode == "own" and W is None:
        raise ValueError("W")
    rng, e, rows = np.random.default_rng(seed), np.eye(n), []

    def draw():
        k = e + np.sqrt(alpha) * rng.normal(size=(n, n))
        k[0] += np.sqrt(0.5) * rng.normal() * e[0]
        return k

    def soft(s):
        w = np.exp(s - s.max())
        return w / w.sum()

    both = beta * (e[0] + e[1])
    queries = {"same": [both] * 2, "independent": [both] * 2, "own": [both] * 2,
               "split": [beta * e[0], beta * e[1]]}.get(mode, [both])
    for _ in range(trials):
        k, scores = draw(), []
        for h, q in enumerate(queries):
            if h and mode == "independent":
                k = draw()
            own = k
            if mode == "own":
                own = k @ W[h] if join == "transposed" else k @ W[h].T
            scores.append(own @ q)
        rows.append(soft(np.mean(scores, axis=0)) if join == "scores"
                    else np.mean([soft(s) for s in scores], axis=0))
    return np.array(rows)


@wrong("key_matrix_transposed", "transpos")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    return heads_by_hand(mode, beta, trials, seed, n, alpha, W, "transposed")


@wrong("any_mode_is_single", "unknown|mode|ValueError|refuse")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    return heads_by_hand(mode, beta, trials, seed, n, alpha, W, known=False)


@wrong("uc_keeps_its_sign", "sign|uc|minus|turn")
def design_kqv(ua, ub, uc, ud):
    r = ua @ ua
    return (np.eye(len(ua)), 2 * (np.outer(ud, ua) + np.outer(uc, ud)) / r,
            (np.outer(ub, ub) + np.outer(uc, uc)) / r)


@wrong("writes_into_x", "changes? its arguments|belongs|copy")
def rope(x, pos, base=10000.0):
    x = np.asarray(x, float)
    d = x.shape[-1]
    if d % 2:
        raise ValueError("odd")
    angle = np.asarray(pos)[..., None] * base ** (-2 * np.arange(d // 2) / d)
    a, b = x[..., ::2].copy(), x[..., 1::2].copy()
    x[..., ::2], x[..., 1::2] = (a * np.cos(angle) - b * np.sin(angle),
                                 a * np.sin(angle) + b * np.cos(angle))
    return x


@wrong("mask_marks_padding", "True|real|padding|inver|other way")
def cross_attention(dec, enc, mask=None, scale=None):
    s = dec @ enc.swapaxes(1, 2) / (np.sqrt(dec.shape[-1]) if scale is None else scale)
    if mask is not None:
        s = np.where(mask[:, None, :], -np.inf, s)
    top = s.max(axis=-1, keepdims=True)
    w = np.exp(s - np.where(np.isinf(top), 0, top))
    total = w.sum(axis=-1, keepdims=True)
    w = w / np.where(total == 0, 1, total)
    return w @ enc, w


@wrong("scale_or_default", "scale")
def cross_attention(dec, enc, mask=None, scale=None):
    s = dec @ enc.swapaxes(1, 2) / np.sqrt(scale or dec.shape[-1])
    if mask is not None:
        s = np.where(mask[:, None, :], s, -np.inf)
    top = s.max(axis=-1, keepdims=True)
    w = np.exp(s - np.where(np.isinf(top), 0, top))
    total = w.sum(axis=-1, keepdims=True)
    w = w / np.where(total == 0, 1, total)
    return w @ enc, w


@wrong("generator_of_its_own", "rng|generator|random")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    own = np.random.default_rng(0)
    for _ in range(trials):
        order = own.permutation(len(X))
        if np.abs(f(X[order]) - f(X)[order]).max() > tol:
            return False
    return True


def layer_by_hand(x, W_Q, W_K, W_V, W_O, heads, turns=None, *, low=-np.inf, refuse=True):
    if refuse and (W_Q.shape[1] % heads or W_V.shape[1] % heads):
        raise ValueError("heads")
    B, T, _ = x.shape
    q, k, v = ((x @ W).reshape(B, T, heads, -1).transpose(1, 2) for W in (W_Q, W_K, W_V))
    if turns is not None:
        q, k = (torch.einsum("bhtd,tde->bhte", y, turns) for y in (q, k))
    past = torch.tril(torch.ones(T, T, dtype=torch.bool))
    w = torch.softmax((q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~past, low), -1)
    return (w @ v).transpose(1, 2).reshape(B, T, -1) @ W_O, w


@wrong("low_score_for_the_future", "infinit|large|low|future")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    return layer_by_hand(x, W_Q, W_K, W_V, W_O, heads, turns, low=-1e4)


@wrong("any_number_of_heads", "divisible|divide")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    if W_Q.shape[1] % heads:
        raise ValueError("heads")
    return layer_by_hand(x, W_Q, W_K, W_V[:, :W_V.shape[1] // heads * heads],
                 W_O[:W_V.shape[1] // heads * heads], heads, turns, refuse=False)
