"""Wrong solutions of efficient_attention, written from its text alone."""

import math

import numpy as np

from advice import wrong


def _softmax(S, axis=-1):
    S = np.exp(S - S.max(axis=axis, keepdims=True))
    return S / S.sum(axis=axis, keepdims=True)


def _arrays(*given):
    return [np.asarray(each, float) for each in given]


@wrong("heads_of_d_over_h", "d/h|d / h|width|full|own")
def mha_macs(n, d, h=1):
    return 3 * n * d * d + 2 * n * n * d + (n * d * d if h > 1 else 0)


@wrong("projection_always", "single|one head|output projection")
def mha_macs(n, d, h=1):
    return h * (3 * n * d * d + 2 * n * n * d) + n * h * d * d


@wrong("multiply_and_add", "two|twice|MAC|multiply-add")
def mha_macs(n, d, h=1):
    return 2 * (h * (3 * n * d * d + 2 * n * n * d) + (n * h * d * d if h > 1 else 0))


@wrong("weights_beside_scores", "overwrite|scores|softmax")
def mha_floats(n, d, h=1, sequential=True):
    live = 1 if sequential else h
    return n * d + live * (3 * n * d + 2 * n * n) + n * h * d


@wrong("output_of_one_head", "collect|concat|n . h|all heads|heads")
def mha_floats(n, d, h=1, sequential=True):
    live = 1 if sequential else h
    return n * d + live * (3 * n * d + n * n + n * d)


@wrong("scaled", r"scale|sqrt|root|1/")
def separable_attention(Q, K, V):
    Q, K, V = _arrays(Q, K, V)
    return _softmax(Q / math.sqrt(Q.shape[-1])) @ (np.swapaxes(_softmax(K, -2), -1, -2) @ V)


@wrong("tokens_both", "axis|query|features|sum")
def separable_attention(Q, K, V):
    Q, K, V = _arrays(Q, K, V)
    return _softmax(Q, -2) @ (np.swapaxes(_softmax(K, -2), -1, -2) @ V)


@wrong("axis_from_front", "batch|front|axis")
def separable_attention(Q, K, V):
    Q, K, V = _arrays(Q, K, V)
    return _softmax(Q, -1) @ (np.swapaxes(_softmax(K, 0), -1, -2) @ V)


@wrong("no_shift", "overflow|maximum|large")
def separable_attention(Q, K, V):
    Q, K, V = _arrays(Q, K, V)
    with np.errstate(all="ignore"):
        rho, sigma = np.exp(Q), np.exp(K)
        rho, sigma = rho / rho.sum(-1, keepdims=True), sigma / sigma.sum(-2, keepdims=True)
        return rho @ (np.swapaxes(sigma, -1, -2) @ V)


@wrong("shifted", "maximum|shift|subtract")
def softmax_factors(Q, K):
    Q, K = _arrays(Q, K)
    S = Q @ np.swapaxes(K, -1, -2)
    A = np.exp(S - S.max(axis=-1, keepdims=True))
    return A, A.sum(axis=-1)


@wrong("kept_axis", "shape|keepdims|axis")
def softmax_factors(Q, K):
    Q, K = _arrays(Q, K)
    A = np.exp(Q @ np.swapaxes(K, -1, -2))
    return A, A.sum(axis=-1, keepdims=True)


@wrong("plus_in_exponent", "sign|minus|plus|cosine|negative")
def positive_features(X, W):
    X, W = _arrays(X, W)
    half = (X**2).sum(axis=-1, keepdims=True) / 2
    return np.exp(X @ W.T + half) / math.sqrt(len(W))


@wrong("factors_apart", "underflow|exponent|one exponential|separate|long")
def positive_features(X, W):
    X, W = _arrays(X, W)
    half = (X**2).sum(axis=-1, keepdims=True) / 2
    with np.errstate(all="ignore"):
        return np.exp(X @ W.T) * np.exp(-half) / math.sqrt(len(W))


@wrong("added_epsilon", "constant|epsilon|added")
def positive_features(X, W):
    X, W = _arrays(X, W)
    half = (X**2).sum(axis=-1, keepdims=True) / 2
    return (np.exp(X @ W.T - half) + 1e-6) / math.sqrt(len(W))


@wrong("full_squared_length", "half|1/2|squared length")
def positive_features(X, W):
    X, W = _arrays(X, W)
    return np.exp(X @ W.T - (X**2).sum(axis=-1, keepdims=True)) / math.sqrt(len(W))


@wrong("mean_squared_forgotten", "second moment|mean|squared|exact|vanish")
def sm_var_positive(q, k, m):
    q, k = _arrays(q, k)
    return float(np.exp(2 * q @ k + (q + k) @ (q + k)) / m)


@wrong("kernel_not_squared", "square|factor|constant|kernel")
def sm_var_positive(q, k, m):
    q, k = _arrays(q, k)
    return float(np.exp(q @ k) * np.expm1((q + k) @ (q + k)) / m)


@wrong("divides_by_m_squared", "mean|m|independent")
def sm_var_positive(q, k, m):
    q, k = _arrays(q, k)
    return float(np.exp(2 * q @ k) * np.expm1((q + k) @ (q + k)) / m**2)


@wrong("half_forgotten", "half|two|cos|twice")
def sm_var_trig(q, k, m):
    q, k = _arrays(q, k)
    return float(np.exp(q @ q + k @ k) * (1 - np.exp(-(q - k) @ (q - k))) ** 2 / m)


@wrong("standard_deviation", "variance|standard|root|square")
def sm_var_trig(q, k, m):
    q, k = _arrays(q, k)
    return float(np.exp((q @ q + k @ k) / 2) * (1 - np.exp(-(q - k) @ (q - k))) / math.sqrt(2 * m))


def _relative_variance(q, k, kind):
    q, k = _arrays(q, k)
    if kind == "positive":
        return np.expm1((q + k) @ (q + k))
    if kind == "trig":
        return np.exp((q - k) @ (q - k)) * (1 - np.exp(-(q - k) @ (q - k))) ** 2 / 2
    raise ValueError(kind)


@wrong("rounded_down", "up|ceil|round")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    if not rel_std > 0:
        raise ValueError
    return max(1, int(_relative_variance(q, k, kind) / rel_std**2))


@wrong("accuracy_not_squared", "square|root")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    if not rel_std > 0:
        raise ValueError
    return max(1, math.ceil(_relative_variance(q, k, kind) / rel_std))


@wrong("unknown_kind_is_trig", "kind|ValueError|refuse")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    if not rel_std > 0:
        raise ValueError
    kind = kind if kind == "positive" else "trig"
    return max(1, math.ceil(_relative_variance(q, k, kind) / rel_std**2))


def _blocks(m, d, rng, block):
    return np.concatenate([block(rng) for _ in range(-(-m // d))] or [np.zeros((0, d))])[:m]


@wrong("signs_of_qr", "sign|qr|uniform")
def orthogonal_gaussian(m, d, rng):
    return _blocks(m, d, rng, lambda rng: np.linalg.norm(rng.normal(size=(d, d)), axis=1)[:, None]
                   * np.linalg.qr(rng.normal(size=(d, d)))[0])


def _rotation(rng, d):
    Q, R = np.linalg.qr(rng.normal(size=(d, d)))
    return Q * np.sign(np.diag(R))


@wrong("lengths_of_the_decomposed", "length|fresh|independent")
def orthogonal_gaussian(m, d, rng):
    def block(rng):
        G = rng.normal(size=(d, d))
        Q, R = np.linalg.qr(G)
        return np.linalg.norm(G, axis=1)[:, None] * Q * np.sign(np.diag(R))

    return _blocks(m, d, rng, block)


@wrong("one_rotation", "block|loop|independent|same|cop")
def orthogonal_gaussian(m, d, rng):
    fixed = _rotation(rng, d)
    return _blocks(m, d, rng, lambda rng: np.linalg.norm(rng.normal(size=(d, d)), axis=1)[:, None]
                   * fixed)


@wrong("one_length_per_block", "length|each row|row")
def orthogonal_gaussian(m, d, rng):
    return _blocks(m, d, rng, lambda rng: np.linalg.norm(rng.normal(size=d)) * _rotation(rng, d))


def _logs(Q, K, W, power=-0.25):
    scale = Q.shape[-1] ** power
    return [X * scale @ W.T - ((X * scale) ** 2).sum(axis=-1, keepdims=True) / 2 for X in (Q, K)]


def _shifted(q, k):
    top = k.max(axis=-2, keepdims=True)
    return np.exp(q + top - (q + top).max(axis=-1, keepdims=True)), np.exp(k - top)


def _performer(q, k, V, causal, eps=0.0, strict=False):
    if causal:
        num = np.cumsum(k[..., :, None] * V[..., None, :], axis=-3)
        den = np.cumsum(k, axis=-2)
        if strict:
            num, den = num - k[..., :, None] * V[..., None, :], den - k
        with np.errstate(all="ignore"):
            return np.einsum("...nm,...nmc->...nc", q, num) / (
                (q * den).sum(axis=-1, keepdims=True) + eps)
    den = (q * k.sum(axis=-2, keepdims=True)).sum(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        return q @ (np.swapaxes(k, -1, -2) @ V) / (den + eps)


@wrong("maximum_per_key", "key|one|all keys|lift")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _arrays(Q, K, V, W)
    q, k = (np.exp(x - x.max(axis=-1, keepdims=True)) for x in _logs(Q, K, W))
    return _performer(q, k, V, causal)


@wrong("constant_for_all_keys", "direction|one constant|very large")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _arrays(Q, K, V, W)
    q, k = _logs(Q, K, W)
    q = np.exp(q - q.max(axis=-1, keepdims=True))
    return _performer(q, np.exp(k - k.max(axis=(-1, -2), keepdims=True)), V, causal)


@wrong("direction_not_given_back", "direction|given back|quer|feature")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _arrays(Q, K, V, W)
    q, k = _logs(Q, K, W)
    q, k = np.exp(q - q.max(axis=-1, keepdims=True)), np.exp(k - k.max(axis=-2, keepdims=True))
    return _performer(q, k, V, causal)


@wrong("epsilon_in_denominator", "constant|epsilon|added|denominator")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _arrays(Q, K, V, W)
    q, k = _shifted(*_logs(Q, K, W))
    return _performer(q, k, V, causal, eps=1e-6)


@wrong("no_scale", "scale|1/4|fourth|root|d\\b")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _arrays(Q, K, V, W)
    q, k = _shifted(*_logs(Q, K, W, 0))
    return _performer(q, k, V, causal)


@wrong("sees_the_past_only", "itself|own|j <= i|token i|strict")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _arrays(Q, K, V, W)
    q, k = _shifted(*_logs(Q, K, W))
    return _performer(q, k, V, causal, strict=True)


@wrong("not_stabilised", "maximum|underflow|NaN|0/0")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _arrays(Q, K, V, W)
    q, k = (np.exp(x) for x in _logs(Q, K, W))
    return _performer(q, k, V, causal)


@wrong("denominator_of_all", "denominator|normalis|causal|future")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _arrays(Q, K, V, W)
    q, k = _shifted(*_logs(Q, K, W))
    if not causal:
        return _performer(q, k, V, causal)
    num = np.cumsum(k[..., :, None] * V[..., None, :], axis=-3)
    den = (q * k.sum(axis=-2, keepdims=True)).sum(axis=-1, keepdims=True)
    return np.einsum("...nm,...nmc->...nc", q, num) / den


@wrong("rows_normalised", "sum to one|normalis|as they are|used as")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _arrays(Q, K, V, E, F)
    E, F = (M / M.sum(axis=1, keepdims=True) for M in (E, F))
    return _softmax(Q @ np.swapaxes(E @ K, -1, -2) / math.sqrt(Q.shape[-1])) @ (F @ V)


@wrong("projects_queries_too", "quer")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _arrays(Q, K, V, E, F)
    return _softmax((E @ Q) @ np.swapaxes(E @ K, -1, -2) / math.sqrt(Q.shape[-1])) @ (F @ V)


@wrong("values_with_E", "F\\b|values")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E = _arrays(Q, K, V, E)
    return _softmax(Q @ np.swapaxes(E @ K, -1, -2) / math.sqrt(Q.shape[-1])) @ (E @ V)


def _mask(n, window, n_global, n_random, rng, reach=None, draw=None):
    i = np.arange(n)
    mask = np.abs(i[:, None] - i) <= (window // 2 if reach is None else reach)
    mask[:n_global] = True
    mask[:, :n_global] = True
    for row in range(n_global, n):
        draw(mask, row, rng) if draw else None
        if draw is None:
            mask[row, rng.permutation(np.flatnonzero(~mask[row]))[:n_random]] = True
    return mask


@wrong("random_among_all", "not see|free|already|among")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng, draw=lambda mask, row, rng: mask[row].put(
        rng.choice(n, size=min(n, n_random), replace=False), True))


@wrong("same_random_keys", "own|same|shared|each query|every query")
def bigbird_mask(n, window, n_global, n_random, rng):
    mask = _mask(n, window, n_global, 0, rng)
    chosen = rng.permutation(n)[:n_random]
    mask[n_global:, chosen] = True
    return mask


@wrong("window_each_side", "window|side|half")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng, reach=window)


@wrong("minus_a_billion", "infin|exactly|1e9|billion|large")
def masked_attention(Q, K, V, mask):
    Q, K, V = _arrays(Q, K, V)
    mask = np.asarray(mask)
    if not mask.any(axis=-1).all():
        raise ValueError("a query sees no key")
    S = Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1])
    return _softmax(np.where(mask, S, -1e9)) @ V


@wrong("maximum_over_all", "maximum|masked|shift")
def masked_attention(Q, K, V, mask):
    Q, K, V = _arrays(Q, K, V)
    mask = np.asarray(mask)
    if not mask.any(axis=-1).all():
        raise ValueError("a query sees no key")
    S = Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1])
    A = np.exp(S - S.max(axis=-1, keepdims=True)) * mask
    with np.errstate(all="ignore"):
        return A / A.sum(axis=-1, keepdims=True) @ V


@wrong("inverted", "True|invert|allowed|opposite")
def masked_attention(Q, K, V, mask):
    Q, K, V = _arrays(Q, K, V)
    mask = ~np.asarray(mask)
    if not mask.any(axis=-1).all():
        raise ValueError("a query sees no key")
    S = Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1])
    return _softmax(np.where(mask, S, -np.inf)) @ V


def _stream(Q, read, blocks, forget=False, start=-np.inf, replace=False, total_shrinks=True):
    Q = np.asarray(Q, float) / math.sqrt(np.shape(Q)[1])
    top, total, out = np.full((len(Q), 1), start), np.zeros((len(Q), 1)), 0.0
    with np.errstate(all="ignore"):
        for b in range(blocks):
            K, V = _arrays(*read(b))
            S = Q @ K.T
            new = S.max(axis=1, keepdims=True)
            new = new if replace else np.maximum(top, new)
            A, old = np.exp(S - new), 1.0 if forget else np.exp(top - new)
            total = (old if total_shrinks else 1.0) * total + A.sum(axis=1, keepdims=True)
            out, top = old * out + A @ V, new
        return out / total, (top + np.log(total))[:, 0]


def _largest(Q, read, blocks):
    tops = [(Q @ np.asarray(read(b)[0], float).T).max(axis=1) for b in range(blocks)]
    return np.max(tops, axis=0)


@wrong("blocks_averaged", "block|average|normalis|count")
def blocked_attention(Q, read, blocks):
    parts = [_stream(Q, lambda _, b=b: read(b), 1) for b in range(blocks)]
    outs, logs = zip(*parts, strict=True)
    return np.mean(outs, axis=0), np.logaddexp.reduce(logs)


@wrong("old_sums_kept", "rescale|old|maximum")
def blocked_attention(Q, read, blocks):
    return _stream(Q, read, blocks, forget=True)


@wrong("only_outputs_rescaled", "sum of the weights|denominator|normalis|rescale")
def blocked_attention(Q, read, blocks):
    return _stream(Q, read, blocks, total_shrinks=False)


@wrong("start_at_zero", "start|0|below")
def blocked_attention(Q, read, blocks):
    return _stream(Q, read, blocks, start=0.0)


@wrong("newest_maximum", "newest|running|replace|fall")
def blocked_attention(Q, read, blocks):
    return _stream(Q, read, blocks, replace=True)


@wrong("reads_twice", "twice|once|read")
def blocked_attention(Q, read, blocks):
    Qs = np.asarray(Q, float) / math.sqrt(np.shape(Q)[1])
    top = _largest(Qs, read, blocks)
    total, out = 0.0, 0.0
    for b in range(blocks):
        K, V = _arrays(*read(b))
        A = np.exp(Qs @ K.T - top[:, None])
        total, out = total + A.sum(axis=1), out + A @ V
    return out / total[:, None], top + np.log(total)


@wrong("concatenated", "memory|collect", announced=True)
def blocked_attention(Q, read, blocks):
    K, V = (np.concatenate(_arrays(*each)) for each in zip(
        *(read(b) for b in range(blocks)), strict=True))
    return _stream(Q, lambda _: (K, V), 1)


@wrong("log_of_shifted_sum", "maximum|added|again|shift")
def blocked_attention(Q, read, blocks):
    Qs = np.asarray(Q, float) / math.sqrt(np.shape(Q)[1])
    kept = [read(b) for b in range(blocks)]
    out, logs = _stream(Q, kept.__getitem__, blocks)
    return out, logs - _largest(Qs, kept.__getitem__, blocks)


# ---- by the second reader, before the catalogue was opened

def _soft(S, axis=-1):
    S = np.exp(S - S.max(axis=axis, keepdims=True))
    return S / S.sum(axis=axis, keepdims=True)


def _f(*arrays):
    return [np.asarray(a, float) for a in arrays]


@wrong("output_projection_for_one_head", "one head|single|output|needs no")
def mha_macs(n, d, h=1):
    return h * (3 * n * d * d + 2 * n * n * d) + n * h * d * d


@wrong("outputs_not_counted", "output|collect|input|h d")
def mha_floats(n, d, h=1, sequential=True):
    return n * d + (1 if sequential else h) * (3 * n * d + n * n)


@wrong("keys_over_the_features", "axis|token|key|sum")
def separable_attention(Q, K, V):
    Q, K, V = _f(Q, K, V)
    return _soft(Q) @ (_soft(K).swapaxes(-1, -2) @ V)


@wrong("squared_length_not_halved", "half|halv|squared length|2")
def positive_features(X, W):
    X, W = _f(X, W)
    return np.exp(X @ W.T - (X**2).sum(-1, keepdims=True)) / math.sqrt(len(W))


@wrong("divided_by_m", "m|root|scale|mean")
def positive_features(X, W):
    X, W = _f(X, W)
    return np.exp(X @ W.T - (X**2).sum(-1, keepdims=True) / 2) / len(W)


@wrong("second_moment", "second moment|squared mean|subtract|vanish")
def sm_var_positive(q, k, m):
    q, k = _f(q, k)
    s = ((q + k)**2).sum()
    return float(np.exp(2 * q @ k + s) / m)


@wrong("half_missing", "half|2")
def sm_var_trig(q, k, m):
    q, k = _f(q, k)
    t = ((q - k)**2).sum()
    return float(np.exp(q @ q + k @ k) * (1 - np.exp(-t))**2 / m)


@wrong("rounded_to_the_nearest", "round|up|ceil")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    q, k = _f(q, k)
    if kind not in ("positive", "trig") or rel_std <= 0:
        raise ValueError
    s, t = ((q + k)**2).sum(), ((q - k)**2).sum()
    rel = np.exp(s) - 1 if kind == "positive" else (
        np.exp(q @ q + k @ k - 2 * q @ k) * (1 - np.exp(-t))**2 / 2)
    return max(1, round(rel / rel_std**2))


@wrong("lengths_of_one", "length")
def orthogonal_gaussian(m, d, rng):
    blocks = []
    while sum(map(len, blocks)) < m:
        Q, R = np.linalg.qr(rng.normal(size=(d, d)))
        blocks.append(Q * np.sign(np.diag(R)) * math.sqrt(d))
    return np.concatenate(blocks)[:m] if blocks else np.zeros((0, d))


def _performer2(Q, K, V, W, causal, power=-0.25, eps=0.0):
    Q, K, V, W = _f(Q, K, V, W)
    d = Q.shape[-1]
    q, k = Q * d**power, K * d**power
    lq, lk = q @ W.T, k @ W.T - (k**2).sum(-1, keepdims=True) / 2
    top = lk.max(axis=-2, keepdims=True)
    if causal:
        top = 0 * top
    lq = lq + top
    fq, fk = np.exp(lq - lq.max(-1, keepdims=True)), np.exp(lk - top)
    if causal:
        num = np.cumsum(fk[..., :, :, None] * V[..., :, None, :], axis=-3)
        den = np.cumsum(fk, axis=-2)
        return (np.einsum("...nm,...nmc->...nc", fq, num)
                / ((fq * den).sum(-1, keepdims=True) + eps))
    return fq @ (fk.swapaxes(-1, -2) @ V) / (fq @ fk.sum(-2)[..., None] + eps)


@wrong("only_the_numerator_is_causal", "denominator|numerator|causal")
def performer_attention(Q, K, V, W, causal=False):
    if not causal:
        return _performer2(Q, K, V, W, False)
    Q, K, V, W = _f(Q, K, V, W)
    ones = np.ones((*V.shape[:-1], 1))
    d = Q.shape[-1]
    q, k = Q * d**-0.25, K * d**-0.25
    fq, fk = np.exp(q @ W.T), np.exp(k @ W.T - (k**2).sum(-1, keepdims=True) / 2)
    num = np.cumsum(fk[..., :, :, None] * V[..., :, None, :], axis=-3)
    return np.einsum("...nm,...nmc->...nc", fq, num) / (fq @ (fk.swapaxes(-1, -2) @ ones))


@wrong("scaled_by_the_whole_root", "scale|power|d|root")
def performer_attention(Q, K, V, W, causal=False):
    return _performer2(Q, K, V, W, causal, power=-0.5)


@wrong("projected_along_the_features", "values|F|E|project")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _f(Q, K, V, E, F)
    return _soft(Q @ (F @ K).swapaxes(-1, -2) / math.sqrt(Q.shape[-1])) @ (E @ V)


@wrong("window_on_each_side", "window|side|half")
def bigbird_mask(n, window, n_global, n_random, rng):
    i = np.arange(n)
    mask = np.abs(i[:, None] - i) <= window
    mask[:n_global] = mask[:, :n_global] = True
    for row in mask[n_global:]:
        row[rng.permutation(np.flatnonzero(~row))[:n_random]] = True
    return mask


@wrong("global_rows_only", "column|seen by|global")
def bigbird_mask(n, window, n_global, n_random, rng):
    i = np.arange(n)
    mask = np.abs(i[:, None] - i) <= window // 2
    mask[:n_global] = True
    for row in mask[n_global:]:
        row[rng.permutation(np.flatnonzero(~row))[:n_random]] = True
    return mask


@wrong("blocks_averaged_again", "block|sum|weight|normal")
def blocked_attention(Q, read, blocks):
    Q = np.asarray(Q, float)
    outs, logs = [], []
    for b in range(blocks):
        K, V = _f(*read(b))
        S = Q @ K.T / math.sqrt(Q.shape[-1])
        outs.append(_soft(S) @ V)
        top = S.max(1)
        logs.append(top + np.log(np.exp(S - top[:, None]).sum(1)))
    return np.mean(outs, axis=0), np.logaddexp.reduce(logs, axis=0)


@wrong("old_sums_not_repaired", "repair|old|maximum|factor")
def blocked_attention(Q, read, blocks):
    Q = np.asarray(Q, float)
    top = np.full(len(Q), -np.inf)
    num, den = 0.0, np.zeros(len(Q))
    for b in range(blocks):
        K, V = _f(*read(b))
        S = Q @ K.T / math.sqrt(Q.shape[-1])
        top = np.maximum(top, S.max(1))
        P = np.exp(S - top[:, None])
        num, den = num + P @ V, den + P.sum(1)
    return num / den[:, None], top + np.log(den)


# More, written by a third reader from the released text alone.

def _normalised(A, axis=-1):
    A = np.exp(A - A.max(axis=axis, keepdims=True))
    return A / A.sum(axis=axis, keepdims=True)


def _turned(X):
    return np.swapaxes(X, -1, -2)


def _as_floats(*each):
    return [np.asarray(x, float) for x in each]


@wrong("output_matrix_for_one", "single head|one head|h = 1|only with several|output")
def mha_macs(n, d, h=1):
    return h * (3 * n * d * d + 2 * n * n * d) + n * h * d * d


@wrong("narrow_heads", "d/h|d / h|full|each head")
def mha_macs(n, d, h=1):
    w = d // h
    return h * (3 * n * d * w + 2 * n * n * w) + (n * d * d if h > 1 else 0)


@wrong("softmax_takes_a_copy", "overwrite|twice|once|scores")
def mha_floats(n, d, h=1, sequential=True):
    alive = 1 if sequential else h
    return n * d + alive * (3 * n * d + 2 * n * n) + n * h * d


@wrong("last_head_only", "collect|output|h . d|heads|array")
def mha_floats(n, d, h=1, sequential=True):
    alive = 1 if sequential else h
    return n * d + alive * (3 * n * d + n * n) + n * d


@wrong("projections_all_at_once", "freed|queries|one after")
def mha_floats(n, d, h=1, sequential=True):
    return n * d + 3 * n * d * h + n * n * (1 if sequential else h) + n * h * d


@wrong("one_shift_for_all", "maxim|shift|large|overflow|underflow")
def separable_attention(Q, K, V):
    Q, K, V = _as_floats(Q, K, V)
    q, k = np.exp(Q - Q.max()), np.exp(K - K.max())
    q, k = q / q.sum(-1, keepdims=True), k / k.sum(-2, keepdims=True)
    return q @ (_turned(k) @ V)


@wrong("axis_from_the_front", "axis|front|batch")
def separable_attention(Q, K, V):
    Q, K, V = _as_floats(Q, K, V)
    return _normalised(Q, -1) @ (_turned(_normalised(K, 0)) @ V)


@wrong("features_of_both", "axis|token|keys|sum")
def separable_attention(Q, K, V):
    Q, K, V = _as_floats(Q, K, V)
    return _normalised(Q, -1) @ (_turned(_normalised(K, -1)) @ V)


@wrong("still_scaled", "scale|root|factor")
def separable_attention(Q, K, V):
    Q, K, V = _as_floats(Q, K, V)
    r = math.sqrt(Q.shape[-1])
    return _normalised(Q / r, -1) @ (_turned(_normalised(K, -2)) @ V)


@wrong("sums_kept", "axis|shape|keepdims")
def softmax_factors(Q, K):
    Q, K = _as_floats(Q, K)
    A = np.exp(Q @ _turned(K))
    return A, A.sum(-1, keepdims=True)


@wrong("inverse_sums", "inverse|reciprocal|1 / D|divi")
def softmax_factors(Q, K):
    Q, K = _as_floats(Q, K)
    A = np.exp(Q @ _turned(K))
    return A, 1 / A.sum(-1)


@wrong("no_conversion", "convert|asarray|list|float")
def softmax_factors(Q, K):
    A = np.exp(Q @ _turned(K))
    return A, A.sum(-1)


@wrong("epsilon_added", "constant|epsilon|added|small number")
def positive_features(X, W):
    X, W = _as_floats(X, W)
    return np.exp(X @ W.T - np.sum(X**2, -1, keepdims=True) / 2) / math.sqrt(len(W)) + 1e-6


@wrong("length_of_the_batch", "batch|each|own|axis")
def positive_features(X, W):
    X, W = _as_floats(X, W)
    return np.exp(X @ W.T - np.sum(X**2) / 2) / math.sqrt(len(W))


@wrong("length_not_squared", "square|length")
def positive_features(X, W):
    X, W = _as_floats(X, W)
    return np.exp(X @ W.T - np.linalg.norm(X, axis=-1, keepdims=True) / 2) / math.sqrt(len(W))


@wrong("product_of_exponentials", "underflow|one exponential|product|separate|exponent")
def positive_features(X, W):
    X, W = _as_floats(X, W)
    return np.exp(X @ W.T) * np.exp(-np.sum(X**2, -1, keepdims=True) / 2) / math.sqrt(len(W))


@wrong("standard_deviations", "root|standard deviation")
def sm_var_positive(q, k, m):
    q, k = _as_floats(q, k)
    return math.sqrt(np.exp(2 * q @ k) * (np.exp((q + k) @ (q + k)) - 1) / m)


@wrong("standard_deviations", "root|standard deviation")
def sm_var_trig(q, k, m):
    q, k = _as_floats(q, k)
    T = (q - k) @ (q - k)
    return math.sqrt(np.exp(q @ q + k @ k) * (1 - np.exp(-T)) ** 2 / 2 / m)


@wrong("kernel_before_the_cosines", "factor|kernel|before|prefactor|length")
def sm_var_trig(q, k, m):
    q, k = _as_floats(q, k)
    T = (q - k) @ (q - k)
    return float(np.exp(2 * q @ k) * (1 - np.exp(-T)) ** 2 / 2 / m)


@wrong("two_for_each_direction", "direction|twice|double|two")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    q, k = _as_floats(q, k)
    if kind not in ("positive", "trig") or not rel_std > 0:
        raise ValueError
    if kind == "positive":
        v = np.expm1((q + k) @ (q + k))
        return max(1, math.ceil(v / rel_std**2))
    T = (q - k) @ (q - k)
    v = np.exp(T) * (1 - np.exp(-T)) ** 2 / 2
    return 2 * max(1, math.ceil(v / rel_std**2))


@wrong("absolute_error", "relative|kernel")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    q, k = _as_floats(q, k)
    if kind not in ("positive", "trig") or not rel_std > 0:
        raise ValueError
    if kind == "positive":
        v = np.exp(2 * q @ k) * np.expm1((q + k) @ (q + k))
    else:
        T = (q - k) @ (q - k)
        v = np.exp(q @ q + k @ k) * (1 - np.exp(-T)) ** 2 / 2
    return max(1, math.ceil(v / rel_std**2))


@wrong("zero_is_divided_by", "zero|refus|ValueError|positive")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    q, k = _as_floats(q, k)
    if kind not in ("positive", "trig") or rel_std < 0:
        raise ValueError
    if kind == "positive":
        v = float(np.expm1((q + k) @ (q + k)))
    else:
        T = (q - k) @ (q - k)
        v = float(np.exp(T) * (1 - np.exp(-T)) ** 2 / 2)
    return max(1, math.ceil(v / rel_std**2))


def _orthogonal(m, d, rng, length, signs=True):
    blocks = []
    for _ in range(-(-m // d)):
        G = rng.normal(size=(d, d))
        Q, R = np.linalg.qr(G)
        if signs:
            Q = Q * np.sign(np.diag(R))
        blocks.append(Q * length(d, G)[:, None])
    return np.concatenate(blocks)[:m]


@wrong("squared_lengths", "length|root|squared|norm")
def orthogonal_gaussian(m, d, rng):
    return _orthogonal(m, d, rng, lambda d, G: rng.chisquare(d, size=d))


@wrong("numpy_seed", "rng|generator")
def orthogonal_gaussian(m, d, rng):
    def fresh(d, G):
        return np.linalg.norm(np.random.randn(d, d), axis=1)
    return _orthogonal(m, d, rng, fresh)


@wrong("only_full_blocks", "rows|block|cut")
def orthogonal_gaussian(m, d, rng):
    W = _orthogonal(m, d, rng, lambda d, G: np.linalg.norm(rng.normal(size=(d, d)), axis=1))
    return W[: m // d * d] if m > d else W


@wrong("one_length_for_a_block", "length|each row|block")
def orthogonal_gaussian(m, d, rng):
    return _orthogonal(m, d, rng, lambda d, G: np.full(d, np.linalg.norm(rng.normal(size=d))))


def _exponents(X, W):
    X = X / X.shape[-1] ** 0.25
    return X @ W.T - np.sum(X**2, -1, keepdims=True) / 2


def _averages(f, g, V, causal, before=False, all_sums=False):
    if not causal:
        return f @ (_turned(g) @ V) / (f @ g.sum(-2)[..., None])
    S = np.zeros((*g.shape[:-2], g.shape[-1], V.shape[-1]))
    z = np.zeros((*g.shape[:-2], g.shape[-1]))
    total = g.sum(-2)
    out = np.zeros((*f.shape[:-1], V.shape[-1]))
    for i in range(f.shape[-2]):
        if not before:
            S = S + g[..., i, :, None] * V[..., i, None, :]
            z = z + g[..., i, :]
        a = f[..., i, :]
        w = total if all_sums else z
        out[..., i, :] = (a[..., None, :] @ S)[..., 0, :] / np.maximum(
            (a * w).sum(-1, keepdims=True), 1e-300)
        if before:
            S = S + g[..., i, :, None] * V[..., i, None, :]
            z = z + g[..., i, :]
    return out


def _balanced(Q, K, W):
    a, b = _exponents(Q, W), _exponents(K, W)
    top = b.max(-2, keepdims=True)
    a, b = a + top, b - top
    return np.exp(a - a.max(-1, keepdims=True)), np.exp(b)


@wrong("shift_of_each_key", "key|shift|maximum")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _as_floats(Q, K, V, W)
    a, b = _exponents(Q, W), _exponents(K, W)
    return _averages(np.exp(a - a.max(-1, keepdims=True)), np.exp(b - b.max(-1, keepdims=True)),
                V, causal)


@wrong("one_constant_for_all_keys", "direction|constant|1000|keys|large")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _as_floats(Q, K, V, W)
    a, b = _exponents(Q, W), _exponents(K, W)
    f, g = np.exp(a - a.max(-1, keepdims=True)), np.exp(b - b.max((-1, -2), keepdims=True))
    if causal:
        return _averages(f, g, V, causal)
    return f @ (_turned(g) @ V) / (f @ g.sum(-2)[..., None])


@wrong("small_number_below", "epsilon|constant|added|denominator")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _as_floats(Q, K, V, W)
    f, g = _balanced(Q, K, W)
    if causal:
        return _averages(f, g, V, causal)
    return f @ (_turned(g) @ V) / (f @ g.sum(-2)[..., None] + 1e-6)


@wrong("constant_in_the_features", "epsilon|constant|added|feature")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _as_floats(Q, K, V, W)
    f, g = _balanced(Q, K, W)
    return _averages(f + 1e-4, g + 1e-4, V, causal)


@wrong("reads_before_it_adds", "itself|own|before|order|j <= i|later")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _as_floats(Q, K, V, W)
    f, g = _balanced(Q, K, W)
    return _averages(f, g, V, causal, before=True)


@wrong("masks_the_matrix", announced=True)
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _as_floats(Q, K, V, W)
    f, g = _balanced(Q, K, W)
    if causal:
        A = np.tril(f @ _turned(g))
        return A @ V / A.sum(-1, keepdims=True)
    return _averages(f, g, V, False)


@wrong("not_scaled", "scale|power|1/4|root")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = _as_floats(Q, K, V, W)
    r = Q.shape[-1] ** 0.25
    f, g = _balanced(Q * r, K * r, W)
    return _averages(f, g, V, causal)


@wrong("rows_made_to_sum", "row|sum|as they are|normal")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _as_floats(Q, K, V, E, F)
    E, F = (x / x.sum(-1, keepdims=True) for x in (E, F))
    return _normalised(Q @ _turned(E @ K) / math.sqrt(Q.shape[-1])) @ (F @ V)


@wrong("weights_shortened", "after|weights|project|n × n|matrix")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _as_floats(Q, K, V, E, F)
    return (_normalised(Q @ _turned(K) / math.sqrt(Q.shape[-1])) @ E.T) @ (F @ V)


@wrong("transposed_whole", "batch|transpos|axes|axis")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _as_floats(Q, K, V, E, F)
    return _normalised(Q @ (E @ K).T / math.sqrt(Q.shape[-1])) @ (F @ V)


@wrong("no_maximum", "maxim|overflow|shift")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _as_floats(Q, K, V, E, F)
    A = np.exp(Q @ _turned(E @ K) / math.sqrt(Q.shape[-1]))
    return A / A.sum(-1, keepdims=True) @ (F @ V)


def _graph(n, window, n_global, n_random, rng, half=None, pick=None):
    i = np.arange(n)
    half = window // 2 if half is None else half
    M = np.abs(i[:, None] - i) <= half
    M[:n_global] = True
    M[:, :n_global] = True
    for r in range(min(n_global, n), n):
        free = np.flatnonzero(~M[r])
        chosen = rng.permutation(free)[:n_random] if pick is None else pick(free)
        M[r, chosen] = True
    return M


@wrong("odd_windows_only", "window|even|half")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _graph(n, window, n_global, n_random, rng, half=(window - 1) // 2)


@wrong("with_replacement", "replac|twice|number of random|few|free")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _graph(n, window, n_global, n_random, rng,
                 pick=lambda free: rng.choice(free, n_random) if len(free) else free)


@wrong("too_few_are_an_error", "fewer|all of them|few")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _graph(n, window, n_global, n_random, rng,
                 pick=lambda free: rng.choice(free, n_random, replace=False))


@wrong("made_symmetric", "symmetric|own|mutual")
def bigbird_mask(n, window, n_global, n_random, rng):
    M = _graph(n, window, n_global, n_random, rng)
    return M | M.T


@wrong("random_keys_first", "order|already|free|before|too few|of its own")
def bigbird_mask(n, window, n_global, n_random, rng):
    i = np.arange(n)
    M = np.zeros((n, n), bool)
    for r in range(min(n_global, n), n):
        M[r, rng.permutation(n)[:n_random]] = True
    M |= np.abs(i[:, None] - i) <= window // 2
    M[:n_global] = True
    M[:, :n_global] = True
    return M


def _products(Q, K):
    return Q @ _turned(K) / math.sqrt(Q.shape[-1])


@wrong("a_billion_below", "1e9|low|infinity|finite|number")
def masked_attention(Q, K, V, mask):
    Q, K, V = _as_floats(Q, K, V)
    mask = np.asarray(mask, bool)
    if not mask.any(-1).all():
        raise ValueError
    return _normalised(np.where(mask, _products(Q, K), -1e9)) @ V


@wrong("nothing_for_the_blind", "refus|ValueError|no key|without")
def masked_attention(Q, K, V, mask):
    Q, K, V = _as_floats(Q, K, V)
    mask = np.asarray(mask, bool)
    A = np.where(mask, _products(Q, K), -np.inf)
    top = A.max(-1, keepdims=True)
    A = np.exp(A - np.where(np.isfinite(top), top, 0))
    return A @ V / np.maximum(A.sum(-1, keepdims=True), 1e-300)


@wrong("not_shared_again", "share|sum|normalis|renormal|after")
def masked_attention(Q, K, V, mask):
    Q, K, V = _as_floats(Q, K, V)
    mask = np.asarray(mask, bool)
    if not mask.any(-1).all():
        raise ValueError
    return (_normalised(_products(Q, K)) * mask) @ V


def _streamed(Q, read, blocks, start=-np.inf, both=True, log=True, order=None):
    Q = np.asarray(Q, float)
    top = np.full(len(Q), start)
    total, out = np.zeros(len(Q)), 0.0
    for b in range(blocks):
        K, V = _as_floats(*read(b))
        A = _products(Q, K)
        new = np.maximum(top, A.max(1))
        fix = np.exp(top - new)
        A = np.exp(A - new[:, None])
        out = (out * fix[:, None] if b else 0.0) + A @ V
        total = total * (fix if both else 1) + A.sum(1)
        top = new
    return out / total[:, None], np.log(total) + (top if log else 0)


@wrong("maximum_starts_at_zero", "zero|infinity|start|negative|low")
def blocked_attention(Q, read, blocks):
    return _streamed(Q, read, blocks, start=0.0)


@wrong("sum_not_repaired", "sum|repair|factor|denominator|both")
def blocked_attention(Q, read, blocks):
    return _streamed(Q, read, blocks, both=False)


@wrong("logarithm_without_maximum", "maximum|logarithm")
def blocked_attention(Q, read, blocks):
    return _streamed(Q, read, blocks, log=False)


@wrong("looks_at_the_first_twice", "once|twice|read")
def blocked_attention(Q, read, blocks):
    c = np.shape(read(0)[1])[1]
    assert c
    return _streamed(Q, read, blocks)


@wrong("keeps_all_of_them", announced=True)
def blocked_attention(Q, read, blocks):
    pairs = [read(b) for b in range(blocks)]
    K, V = (np.concatenate([np.asarray(x, float) for x in each]) for each in zip(*pairs))
    A = _products(np.asarray(Q, float), K)
    top = A.max(1)
    return _normalised(A) @ V, top + np.log(np.exp(A - top[:, None]).sum(1))


@wrong("weighted_by_block_length", "weigh|sum|block|averag|share")
def blocked_attention(Q, read, blocks):
    Q = np.asarray(Q, float)
    out, seen, logs = 0.0, 0, []
    for b in range(blocks):
        K, V = _as_floats(*read(b))
        A = _products(Q, K)
        out = out + len(K) * _normalised(A) @ V
        seen += len(K)
        top = A.max(1)
        logs.append(top + np.log(np.exp(A - top[:, None]).sum(1)))
    return out / seen, np.logaddexp.reduce(np.stack(logs), axis=0)


@wrong("natural_scores", "scale|root|1/sqrt|d")
def blocked_attention(Q, read, blocks):
    Q = np.asarray(Q, float)
    return _streamed(Q * math.sqrt(Q.shape[-1]), read, blocks)


def as_floats(*arrays):
    return [np.asarray(each, float) for each in arrays]


def softly(A, axis=-1):
    A = np.exp(A - A.max(axis=axis, keepdims=True))
    return A / A.sum(axis=axis, keepdims=True)


@wrong("sums_over_queries", "key|sum|axis|row")
def softmax_factors(Q, K):
    Q, K = as_floats(Q, K)
    A = np.exp(Q @ np.swapaxes(K, -1, -2))
    return A, A.sum(axis=-2)


@wrong("scaled_scores", "scale|root|sqrt")
def softmax_factors(Q, K):
    Q, K = as_floats(Q, K)
    A = np.exp(Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1]))
    return A, A.sum(axis=-1)


@wrong("prefactor_not_squared", "square|factor|constant")
def sm_var_trig(q, k, m):
    q, k = as_floats(q, k)
    return float(np.exp((q @ q + k @ k) / 2) * np.expm1(-(q - k) @ (q - k)) ** 2 / 2 / m)


def in_blocks_of(m, d, rng, turn, lengths):
    rows = [turn(rng.normal(size=(d, d))) * lengths(rng, d) for _ in range(-(-m // d))]
    return np.concatenate(rows)[:m]


def turned(G):
    Q, R = np.linalg.qr(G)
    return Q * np.sign(np.diagonal(R))


def lengths_of(rng, d):
    return np.linalg.norm(rng.normal(size=(d, d)), axis=1, keepdims=True)


@wrong("columns_get_the_lengths", "row|orthog|column|length")
def orthogonal_gaussian(m, d, rng):
    return in_blocks_of(m, d, rng, turned, lambda rng, d: lengths_of(rng, d).T)


def with_features(Q, K, V, W, causal, *, scaled=True, own=True):
    Q, K, V, W = as_floats(Q, K, V, W)
    d = Q.shape[-1]
    q, k = Q / d**0.25, K / d**0.25
    half = k if scaled else K
    lq = q @ W.T - np.sum(q**2, axis=-1, keepdims=True) / 2
    lk = k @ W.T - np.sum(half**2, axis=-1, keepdims=True) / 2
    c = lk.max(axis=-2, keepdims=True)
    lq, lk = lq + c, lk - c
    with np.errstate(all="ignore"):
        fq, fk = np.exp(lq - lq.max(axis=-1, keepdims=True)), np.exp(lk)
        V1 = np.concatenate([V, np.ones((*V.shape[:-1], 1))], axis=-1)
        if causal:
            rows, S = [], 0
            for i in range(V.shape[-2]):
                add = fk[..., i, :, None] * V1[..., i, None, :]
                S = S + add
                seen = S if own or i == 0 else S - add
                rows.append((fq[..., i, None, :] @ seen)[..., 0, :])
            out = np.stack(rows, axis=-2)
        else:
            out = fq @ (np.swapaxes(fk, -1, -2) @ V1)
        return out[..., :-1] / out[..., -1:]


@wrong("strictly_earlier_keys", "own|itself|causal|0,|i only|earlier")
def performer_attention(Q, K, V, W, causal=False):
    return with_features(Q, K, V, W, causal, own=False)


@wrong("length_of_the_unscaled_key", "scaled|length|key")
def performer_attention(Q, K, V, W, causal=False):
    return with_features(Q, K, V, W, causal, scaled=False)


@wrong("root_of_the_summaries", "root|scale|d|s")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = as_floats(Q, K, V, E, F)
    return softly(Q @ np.swapaxes(E @ K, -1, -2) / math.sqrt(len(E))) @ (F @ V)


@wrong("one_order_for_all", "own|same|each query|share")
def bigbird_mask(n, window, n_global, n_random, rng):
    i, order = np.arange(n), rng.permutation(n)
    mask = np.abs(i[:, None] - i) <= window // 2
    mask[:n_global] = mask[:, :n_global] = True
    for row in mask[n_global:]:
        row[[j for j in order if not row[j]][:n_random]] = True
    return mask
