"""Wrong solutions of kernel_attention, written from its text alone."""

import math
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import torch
from torch import nn

from advice import wrong


def _kernel_attention(Q, K, V, sim, causal=False, keep=np.tril, refuse=True):
    weights = sim(Q, K)
    if causal:
        weights = keep(weights)
    total = weights.sum(axis=-1, keepdims=True)
    if refuse and (np.any(total == 0) or not np.all(np.isfinite(total))):
        raise ValueError("a row without a sum")
    return weights @ V / total


@wrong("no_root", "sqrt|root|scale|D")
def softmax_sim(Q, K):
    return np.exp(Q @ np.swapaxes(K, -1, -2))


@wrong("max_shifted", "shift|maximum|as they are")
def softmax_sim(Q, K):
    scores = Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1])
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


@wrong("sigma_squared_again", "sigma")
def gauss_sim(Q, K, sigma2=1.0):
    gaps = np.sum((Q[..., :, None, :] - K[..., None, :, :]) ** 2, axis=-1)
    return np.exp(-gaps / (2 * sigma2**2))


@wrong("causal_from_the_end", "first key|from the end|last|offset|bottom|counted")
def kernel_attention(Q, K, V, sim, causal=False):
    shift = np.shape(K)[-2] - np.shape(Q)[-2]
    return _kernel_attention(Q, K, V, sim, causal, keep=lambda w: np.tril(w, shift))


@wrong("mask_after_sum", "denominator|sum|normalis|mask")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(Q, K)
    total = weights.sum(axis=-1, keepdims=True)
    if np.any(total == 0) or not np.all(np.isfinite(total)):
        raise ValueError
    weights = weights / total
    return (np.tril(weights) if causal else weights) @ V


@wrong("refuses_negative", "negative|sign")
def kernel_attention(Q, K, V, sim, causal=False):
    if np.any(sim(Q, K) < 0):
        raise ValueError("similarities must be positive")
    return _kernel_attention(Q, K, V, sim, causal)


@wrong("nan_for_zero_row", "ValueError|sum|zero|0|refuse")
def kernel_attention(Q, K, V, sim, causal=False):
    with np.errstate(all="ignore"):
        return _kernel_attention(Q, K, V, sim, causal, refuse=False)


@wrong("pairs_without_root", "root|sqrt|pair|twice")
def poly2_features(X):
    X = np.asarray(X, dtype=float)
    i, j = np.triu_indices(X.shape[-1], 1)
    return np.concatenate(
        [np.ones((*X.shape[:-1], 1)), math.sqrt(2) * X, X**2, X[..., i] * X[..., j]], axis=-1)


@wrong("coefficients_not_roots", "root|2")
def poly2_features(X):
    X = np.asarray(X, dtype=float)
    i, j = np.triu_indices(X.shape[-1], 1)
    return np.concatenate(
        [np.ones((*X.shape[:-1], 1)), 2 * X, X**2, 2 * X[..., i] * X[..., j]], axis=-1)


def _poly(X, degree, alpha, c, coefficient, skip=False):
    X, features = np.asarray(X, dtype=float), []
    D = X.shape[-1]
    for chosen in combinations_with_replacement(range(D + 1), degree):
        m = np.bincount(chosen, minlength=D + 1)
        if skip and c == 0 and m[D]:
            continue
        features.append(coefficient(m, alpha, c) * np.prod(X ** m[:D], axis=-1))
    return np.stack(features, axis=-1)


def _orders(m):
    return math.factorial(m.sum()) / math.prod(math.factorial(each) for each in m)


@wrong("zero_features_dropped", "c = 0|zero|stay|drop")
def poly_features(X, degree, alpha=1.0, c=1.0):
    return _poly(X, degree, alpha, c, skip=True,
                 coefficient=lambda m, a, c: math.sqrt(_orders(m) * a ** m[:-1].sum() * c ** m[-1]))


@wrong("alpha_once", "alpha|power")
def poly_features(X, degree, alpha=1.0, c=1.0):
    return _poly(X, degree, alpha, c,
                 lambda m, a, c: math.sqrt(_orders(m) * (a if m[-1] < m.sum() else 1) * c ** m[-1]))


@wrong("orders_not_counted", "order|multinomial|how many|how often")
def poly_features(X, degree, alpha=1.0, c=1.0):
    return _poly(X, degree, alpha, c, lambda m, a, c: math.sqrt(a ** m[:-1].sum() * c ** m[-1]))


@wrong("matrix_first", "memory|N x N|matrix|array|first|bracket")
def linear_attention(phiQ, phiK, V):
    weights = phiQ @ np.swapaxes(phiK, -1, -2)
    return weights @ V / weights.sum(axis=-1, keepdims=True)


@wrong("one_denominator", "denominator|own|each query|all queries")
def linear_attention(phiQ, phiK, V):
    U, z = np.swapaxes(phiK, -1, -2) @ V, phiK.sum(axis=-2)[..., None]
    return phiQ @ U / (phiQ @ z).mean(axis=-2, keepdims=True)


@wrong("epsilon", "epsilon|constant|denominator")
def linear_attention(phiQ, phiK, V):
    U, z = np.swapaxes(phiK, -1, -2) @ V, phiK.sum(axis=-2)[..., None]
    return phiQ @ U / (phiQ @ z + 1e-6)


@wrong("no_normaliser", r"normalis|denominator|M \+ 1|line")
def attention_macs(kind, N, D, M, C=None):
    if kind == "softmax":
        return N * N * (D + M)
    if kind == "linear":
        return 2 * N * C * M
    if kind == "rff":
        return 2 * N * 2 * C * M + 2 * N * C * D
    raise ValueError(kind)


@wrong("features_once", "quer|keys|both|2")
def attention_macs(kind, N, D, M, C=None):
    if kind == "softmax":
        return N * N * (D + M)
    if kind == "linear":
        return 2 * N * C * (M + 1)
    if kind == "rff":
        return 4 * N * C * (M + 1) + N * C * D
    raise ValueError(kind)


@wrong("output_forgotten", "output")
def attention_floats(kind, N, D, M, C=None):
    held = N * (2 * D + M)
    if kind == "softmax":
        return held + N * N
    if kind == "linear":
        return held + C * (M + 1)
    raise ValueError(kind)


@wrong("variance_is_D", "sqrt|root|D")
def softmax_via_gauss(Q, K):
    s = 2 * Q.shape[-1]
    gaps = np.sum((Q[..., :, None, :] - K[..., None, :, :]) ** 2, axis=-1)
    a = np.exp(np.sum(Q**2, axis=-1, keepdims=True) / s)
    b = np.exp(np.sum(K**2, axis=-1) / s)[..., None, :]
    return a, np.exp(-gaps / s), b


@wrong("key_factor_is_column", r"shape|row|axis|axes|swap|column|1, Nk")
def softmax_via_gauss(Q, K):
    s = 2 * math.sqrt(Q.shape[-1])
    gaps = np.sum((Q[..., :, None, :] - K[..., None, :, :]) ** 2, axis=-1)
    a, b = (np.exp(np.sum(X**2, axis=-1, keepdims=True) / s) for X in (Q, K))
    return a, np.exp(-gaps / s), b


@wrong("sigma_not_inverted", "inver|1 / sigma|1/sigma|wide|narrow|low|divid")
def sample_frequencies(D, n, sigma, rng):
    return sigma * rng.normal(size=(n, D))


@wrong("divided_by_n", "n|root|sqrt")
def rff_features(X, W):
    angles = X @ W.T
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1) / len(W)


@wrong("interleaved", "order|first|sines|altern|interleav")
def rff_features(X, W):
    angles = X @ W.T
    both = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return both.reshape(*angles.shape[:-1], -1) / math.sqrt(len(W))


@wrong("deviation", "root|deviation|variance")
def rff_variance(dist2, sigma2, n):
    kappa = np.exp(-np.asarray(dist2) / (2 * sigma2))
    return (1 - kappa**2) / np.sqrt(2 * n)


@wrong("kappa_squared_twice", r"kappa|4|four|twice|doubl")
def rff_variance(dist2, sigma2, n):
    kappa = np.exp(-np.asarray(dist2) / (2 * sigma2))
    return ((1 + kappa**2) / 2 - kappa**2) / n


def _waves(Q, K, V, W, factor, top=lambda U: U, floor=lambda d: d):
    phiQ, phiK = (np.concatenate([np.sin(X @ W.T), np.cos(X @ W.T)], axis=-1) for X in (Q, K))
    phiK = phiK * factor(np.sum(K**2, axis=-1, keepdims=True) / (2 * math.sqrt(K.shape[-1])))
    U, z = np.swapaxes(phiK, -1, -2) @ V, phiK.sum(axis=-2)[..., None]
    return phiQ @ U / floor(phiQ @ z)


@wrong("denominator_clamped", "clamp|negative|as it is|denominator")
def rff_softmax_attention(Q, K, V, W):
    return _waves(Q, K, V, W, lambda e: np.exp(e - e.max(axis=-2, keepdims=True)),
                  floor=lambda d: np.maximum(d, 1e-6))


@wrong("batch_maximum", "batch|sequence|own")
def rff_softmax_attention(Q, K, V, W):
    with np.errstate(all="ignore"):
        return _waves(Q, K, V, W, lambda e: np.exp(e - e.max()))


@wrong("no_key_factor", "key|factor|b_j|length")
def rff_softmax_attention(Q, K, V, W):
    return _waves(Q, K, V, W, np.ones_like)


@wrong("cumsum_of_outer", "cumsum|memory|array|state|outer")
def causal_linear_attention(phiQ, phiK, V):
    S = np.cumsum(phiK[..., :, None] * V[..., None, :], axis=-3)
    Z = np.cumsum(phiK, axis=-2)
    top = (phiQ[..., None, :] @ S)[..., 0, :]
    return top / np.sum(phiQ * Z, axis=-1, keepdims=True)


@wrong("answers_first", "before|absorb|own token|behind|itself|late")
def causal_linear_attention(phiQ, phiK, V):
    *batch, N, C = phiK.shape
    S, Z = np.zeros((*batch, C, V.shape[-1])), np.zeros((*batch, C))
    out = np.empty((*batch, N, V.shape[-1]))
    with np.errstate(all="ignore"):
        for i in range(N):
            q, k, v = phiQ[..., i, :], phiK[..., i, :], V[..., i, :]
            out[..., i, :] = (q[..., None, :] @ S)[..., 0, :] / np.sum(q * Z, -1, keepdims=True)
            S, Z = S + k[..., :, None] * v[..., None, :], Z + k
    return out


@wrong("integer_result", "integer|dtype|round|float")
def causal_linear_attention(phiQ, phiK, V):
    S, Z, out = 0.0, 0.0, np.empty_like(V)
    for i in range(V.shape[-2]):
        q, k, v = phiQ[..., i, :], phiK[..., i, :], V[..., i, :]
        S, Z = S + k[..., :, None] * v[..., None, :], Z + k
        out[..., i, :] = (q[..., None, :] @ S)[..., 0, :] / np.sum(q * Z, -1, keepdims=True)
    return out


class _State:
    def __init__(self, phi, C, M):
        self.phi, self.C, self.M = phi, C, M
        self.reset()

    def reset(self):
        self.S, self.Z, self.t = np.zeros((self.C, self.M)), np.zeros(self.C), 0

    def step(self, q, k, v):
        features = self.phi(k)
        self.S, self.Z, self.t = self.S + np.outer(features, v), self.Z + features, self.t + 1
        asked = self.phi(q)
        return asked @ self.S / (asked @ self.Z)


@wrong("state_on_class", "class|instance|share|two machines|self")
class LinearAttentionState(_State):
    shared: dict = {}

    def reset(self):
        type(self).shared.update(
            S=np.zeros((self.C, self.M)), Z=np.zeros(self.C), t=0)

    S = property(lambda self: self.shared["S"])
    Z = property(lambda self: self.shared["Z"])
    t = property(lambda self: self.shared["t"])

    def step(self, q, k, v):
        features, asked = self.phi(k), self.phi(q)
        self.shared["S"] = self.S + np.outer(features, v)
        self.shared["Z"] = self.Z + features
        self.shared["t"] += 1
        return asked @ self.S / (asked @ self.Z)


@wrong("reset_keeps_t", "reset|t ")
class LinearAttentionState(_State):
    def __init__(self, phi, C, M):
        self.t = 0
        super().__init__(phi, C, M)

    def reset(self):
        self.S, self.Z = np.zeros((self.C, self.M)), np.zeros(self.C)


@wrong("growing_cache", "memory|grow|cache|keep|list")
class LinearAttentionState(_State):
    def reset(self):
        super().reset()
        self.cache = []

    def step(self, q, k, v):
        answer = super().step(q, k, v)
        self.cache.append((np.array(k), np.array(v)))
        return answer


class _Layer(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads, self.causal = num_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def split(self, x):
        return x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2)

    def join(self, x):
        return x.transpose(1, 2).flatten(2)

    def phi(self, x):
        return nn.functional.elu(x) + 1

    def total(self, weights):
        return weights.sum(dim=-1, keepdim=True)

    def forward(self, x):
        q, k = self.phi(self.split(self.q(x))), self.phi(self.split(self.k(x)))
        weights = q @ k.transpose(2, 3)
        if self.causal:
            weights = weights.tril()
        return self.o(self.join(weights / self.total(weights) @ self.split(self.v(x))))


@wrong("heads_cut_in_memory", "head|view|token|memory|mix|transpos")
class MultiHeadLinearAttention(_Layer):
    def split(self, x):
        return x.reshape(len(x), self.num_heads, x.shape[1], -1)


@wrong("relu", "relu|elu")
class MultiHeadLinearAttention(_Layer):
    def phi(self, x):
        return torch.relu(x) + 1


@wrong("denominator_detached", "gradient|detach")
class MultiHeadLinearAttention(_Layer):
    def total(self, weights):
        return super().total(weights).detach()


@wrong("no_output_map", " o|output|joined")
class MultiHeadLinearAttention(_Layer):
    def forward(self, x):
        q, k = self.phi(self.split(self.q(x))), self.phi(self.split(self.k(x)))
        weights = q @ k.transpose(2, 3)
        weights = weights.tril() if self.causal else weights
        return self.join(weights / self.total(weights) @ self.split(self.v(x)))


@wrong("negatives_cut_off", "negative|sign|as they are|positive")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = np.maximum(sim(Q, K), 0)
    if causal:
        weights = np.tril(weights)
    total = weights.sum(axis=-1, keepdims=True)
    if np.any(total == 0) or not np.all(np.isfinite(total)):
        raise ValueError
    return weights @ V / total


@wrong("squares_among_the_pairs", "order|squares")
def poly2_features(X):
    X = np.asarray(X, float)
    i, j = np.triu_indices(X.shape[-1])
    second = np.where(i == j, 1, math.sqrt(2)) * X[..., i] * X[..., j]
    return np.concatenate([np.ones((*X.shape[:-1], 1)), math.sqrt(2) * X, second], axis=-1)


@wrong("alpha_once", "alpha|power")
def poly_features(X, degree, alpha=1.0, c=1.0):
    X = np.asarray(X, float)
    D, columns = X.shape[-1], []
    for chosen in combinations_with_replacement(range(D + 1), degree):
        m = [chosen.count(i) for i in range(D)]
        rest = degree - sum(m)
        number = math.factorial(degree) / math.prod(map(math.factorial, m)) / math.factorial(rest)
        factor = number * c**rest * (alpha if sum(m) else 1)
        columns.append(math.sqrt(factor) * np.prod(X ** np.array(m), axis=-1))
    return np.stack(columns, axis=-1)


@wrong("one_denominator", "own|each query|row|denominator|per query")
def linear_attention(phiQ, phiK, V):
    phiQ, phiK, V = (np.asarray(x, float) for x in (phiQ, phiK, V))
    U, z = np.swapaxes(phiK, -1, -2) @ V, phiK.sum(axis=-2)
    bottom = (phiQ @ z[..., None]).sum(axis=-2, keepdims=True)
    return phiQ @ U / bottom


@wrong("features_of_queries_only", "keys|both|twice|queries")
def attention_macs(kind, N, D, M, C=None):
    if kind == "softmax":
        return N * N * (D + M)
    if kind == "linear":
        return 2 * N * C * (M + 1)
    if kind == "rff":
        return N * C * D + 2 * N * 2 * C * (M + 1)
    raise ValueError(kind)


@wrong("sine_and_cosine_in_turn", "order|sines|turn|interleav|first")
def rff_features(X, W):
    angle = np.asarray(X, float) @ np.asarray(W, float).T
    both = np.stack([np.sin(angle), np.cos(angle)], axis=-1) / math.sqrt(len(W))
    return both.reshape(*angle.shape[:-1], -1)


@wrong("length_not_squared", "square|length")
def rff_softmax_attention(Q, K, V, W):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))

    def features(X):
        angle = X @ W.T
        return np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)

    exponent = np.linalg.norm(K, axis=-1, keepdims=True) / (2 * math.sqrt(K.shape[-1]))
    phiK = features(K) * np.exp(exponent - exponent.max(axis=-2, keepdims=True))
    phiQ = features(Q)
    U, z = np.swapaxes(phiK, -1, -2) @ V, phiK.sum(axis=-2)[..., None]
    return phiQ @ U / (phiQ @ z)


@wrong("normaliser_one_behind", "Z|normali|denominator|both|own token|lag")
def causal_linear_attention(phiQ, phiK, V):
    phiQ, phiK, V = (np.asarray(x, float) for x in (phiQ, phiK, V))
    S = np.zeros((*phiK.shape[:-2], phiK.shape[-1], V.shape[-1]))
    Z = np.ones((*phiK.shape[:-2], phiK.shape[-1])) * 1e-12
    rows = []
    for i in range(V.shape[-2]):
        q, k, v = phiQ[..., i, :], phiK[..., i, :], V[..., i, :]
        S = S + k[..., :, None] * v[..., None, :]
        top = (q[..., None, :] @ S)[..., 0, :]
        rows.append(top / np.sum(q * Z, axis=-1, keepdims=True))
        Z = Z + k
    return np.stack(rows, axis=-2)


@wrong("reset_of_the_count_only", "reset|forget|S and Z")
class LinearAttentionState:
    def __init__(self, phi, C, M):
        self.phi, self.S, self.Z, self.t = phi, np.zeros((C, M)), np.zeros(C), 0

    def reset(self):
        self.t = 0

    def step(self, q, k, v):
        fk, fq = self.phi(np.asarray(k, float)), self.phi(np.asarray(q, float))
        self.S, self.Z, self.t = self.S + np.outer(fk, v), self.Z + fk, self.t + 1
        return fq @ self.S / (fq @ self.Z)


@wrong("scaled_before_phi", "sqrt|root|scal|divid")
class MultiHeadLinearAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads, self.causal = num_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x):
        B, N, E = x.shape
        d = E // self.heads
        q, k, v = (layer(x).view(B, N, self.heads, d).transpose(1, 2)
                   for layer in (self.q, self.k, self.v))
        q, k = (nn.functional.elu(y / d**0.25) + 1 for y in (q, k))
        weights = q @ k.mT
        if self.causal:
            weights = weights.tril()
        out = weights / weights.sum(-1, keepdim=True) @ v
        return self.o(out.transpose(1, 2).reshape(B, N, E))


# ---- by a third reader

@wrong("refuses_nan_only", "finite|infin")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(Q, K)
    if causal:
        weights = np.tril(weights)
    total = weights.sum(axis=-1, keepdims=True)
    if np.any(total == 0) or np.any(np.isnan(total)):
        raise ValueError("no attention")
    return weights @ V / total


@wrong("tiny_sums_refused", "tiny|small|close|exactly")
def kernel_attention(Q, K, V, sim, causal=False):
    weights = sim(Q, K)
    if causal:
        weights = np.tril(weights)
    total = weights.sum(axis=-1, keepdims=True)
    if np.any(np.isclose(total, 0)) or not np.all(np.isfinite(total)):
        raise ValueError("no attention")
    return weights @ V / total


@wrong("pairs_column_by_column", "order|row")
def poly2_features(X):
    X = np.asarray(X, dtype=float)
    i, j = np.tril_indices(X.shape[-1], -1)
    root = math.sqrt(2)
    return np.concatenate([np.ones_like(X[..., :1]), root * X, X**2, root * X[..., i] * X[..., j]],
                          axis=-1)


@wrong("constant_not_permuted", "multinomial|constant|order|factorial|d - ")
def poly_features(X, degree, alpha=1.0, c=1.0):
    X = np.asarray(X, dtype=float)
    D, features = X.shape[-1], []
    for chosen in combinations_with_replacement(range(D + 1), degree):
        count = Counter(chosen)
        m = np.array([count[i] for i in range(D)])
        size = m.sum()
        ways = math.factorial(size) / np.prod([math.factorial(each) for each in m])
        features.append(math.sqrt(ways * alpha**size * c**(degree - size))
                        * np.prod(X**m, axis=-1))
    return np.stack(features, axis=-1)


@wrong("denominator_kept_positive", "clamp|sign|epsilon|negative|denominator")
def linear_attention(phiQ, phiK, V):
    phiQ, phiK, V = (np.asarray(each, dtype=float) for each in (phiQ, phiK, V))
    U = np.swapaxes(phiK, -1, -2) @ V
    z = phiK.sum(axis=-2)[..., None]
    return phiQ @ U / np.maximum(phiQ @ z, 1e-9)


@wrong("mean_of_the_keys", "mean|denominator|normalis|z")
def linear_attention(phiQ, phiK, V):
    phiQ, phiK, V = (np.asarray(each, dtype=float) for each in (phiQ, phiK, V))
    U = np.swapaxes(phiK, -1, -2) @ V
    z = phiK.mean(axis=-2)[..., None]
    return phiQ @ U / (phiQ @ z)


@wrong("features_of_all_tokens_held", "features|token")
def attention_floats(kind, N, D, M, C=None):
    tokens = N * (2 * D + 2 * M)
    if kind == "softmax":
        return tokens + N * N
    if kind == "linear":
        return tokens + C * (M + 1) + 2 * N * C
    raise ValueError(kind)


@wrong("whole_crossover", "float|whole|round|integer")
def crossover_length(D, M, C):
    return 2 * C * (M + 1) // (D + M)


@wrong("no_halves", "half|2|factor|width")
def softmax_via_gauss(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    width = math.sqrt(Q.shape[-1])
    gaps = ((Q[..., :, None, :] - K[..., None, :, :]) ** 2).sum(axis=-1)
    a = np.exp((Q**2).sum(axis=-1, keepdims=True) / width)
    b = np.swapaxes(np.exp((K**2).sum(axis=-1, keepdims=True) / width), -1, -2)
    return a, np.exp(-gaps / width), b


@wrong("one_number_for_all_coordinates", "independent|coordinate")
def sample_frequencies(D, n, sigma, rng):
    return np.repeat(rng.normal(size=(n, 1)) / sigma, D, axis=1)


@wrong("second_moment_only", "square|mean|subtract|moment")
def rff_variance(dist2, sigma2, n):
    kappa = np.exp(-np.asarray(dist2, float) / (2 * sigma2))
    return (1 + kappa**4) / (2 * n)


@wrong("first_key_subtracted", "largest|maximum|first")
def rff_softmax_attention(Q, K, V, W):
    Q, K, V = (np.asarray(each, dtype=float) for each in (Q, K, V))
    root = math.sqrt(len(W))

    def phi(X):
        return np.concatenate([np.sin(X @ W.T), np.cos(X @ W.T)], axis=-1) / root

    exponent = (K**2).sum(axis=-1, keepdims=True) / (2 * math.sqrt(K.shape[-1]))
    phiK = phi(K) * np.exp(exponent - exponent[..., :1, :])
    phiQ = phi(Q)
    U = np.swapaxes(phiK, -1, -2) @ V
    return phiQ @ U / (phiQ @ phiK.sum(axis=-2)[..., None])


@wrong("width_of_the_keys", "half|2|factor|exponent|sqrt|root")
def rff_softmax_attention(Q, K, V, W):
    Q, K, V = (np.asarray(each, dtype=float) for each in (Q, K, V))
    root = math.sqrt(len(W))

    def phi(X):
        return np.concatenate([np.sin(X @ W.T), np.cos(X @ W.T)], axis=-1) / root

    exponent = (K**2).sum(axis=-1, keepdims=True) / (2 * K.shape[-1])
    phiK = phi(K) * np.exp(exponent - exponent.max(axis=-2, keepdims=True))
    phiQ = phi(Q)
    U = np.swapaxes(phiK, -1, -2) @ V
    return phiQ @ U / (phiQ @ phiK.sum(axis=-2)[..., None])


@wrong("one_state_for_the_batch", "batch|sequence")
def causal_linear_attention(phiQ, phiK, V):
    phiQ, phiK, V = (np.asarray(each, dtype=float) for each in (phiQ, phiK, V))
    lead, (N, C), M = phiQ.shape[:-2], phiQ.shape[-2:], V.shape[-1]
    flat = [each.reshape(-1, N, each.shape[-1]) for each in (phiQ, phiK, V)]
    out, S, Z = np.empty((len(flat[0]), N, M)), np.zeros((C, M)), np.zeros(C)
    for b, (q, k, v) in enumerate(zip(*flat)):
        for i in range(N):
            S = S + np.outer(k[i], v[i])
            Z = Z + k[i]
            out[b, i] = q[i] @ S / (q[i] @ Z)
    return out.reshape(*lead, N, M)


@wrong("every_other_column", "head|column")
class MultiHeadLinearAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads, self.causal = num_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x):
        B, N, E = x.shape
        q, k, v = (layer(x).view(B, N, -1, self.heads).permute(0, 3, 1, 2)
                   for layer in (self.q, self.k, self.v))
        q, k = nn.functional.elu(q) + 1, nn.functional.elu(k) + 1
        weights = q @ k.transpose(2, 3)
        if self.causal:
            weights = torch.tril(weights)
        out = weights / weights.sum(dim=-1, keepdim=True) @ v
        return self.o(out.permute(0, 2, 3, 1).reshape(B, N, E))


@wrong("normaliser_without_mask", "mask|denominator|normalis|sum")
class MultiHeadLinearAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads, self.causal = num_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x):
        B, N, E = x.shape
        q, k, v = (layer(x).view(B, N, self.heads, -1).transpose(1, 2)
                   for layer in (self.q, self.k, self.v))
        q, k = nn.functional.elu(q) + 1, nn.functional.elu(k) + 1
        weights = q @ k.transpose(2, 3)
        total = weights.sum(dim=-1, keepdim=True)
        if self.causal:
            weights = torch.tril(weights)
        return self.o((weights / total @ v).transpose(1, 2).reshape(B, N, E))


@wrong("similarities_are_shifted", "shift|as they are|maximum|subtract")
def softmax_sim(Q, K):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(np.shape(Q)[-1])
    return np.exp(s - s.max(axis=-1, keepdims=True))


@wrong("pairs_before_squares", "order|square|pair")
def poly2_features(X):
    X = np.asarray(X, float)
    i, j = np.triu_indices(X.shape[-1], 1)
    return np.concatenate([np.ones((*X.shape[:-1], 1)), np.sqrt(2) * X,
                           np.sqrt(2) * X[..., i] * X[..., j], X**2], axis=-1)


@wrong("linear_features_without_root", "linear|2|coefficient")
def poly2_features(X):
    X = np.asarray(X, float)
    i, j = np.triu_indices(X.shape[-1], 1)
    return np.concatenate([np.ones((*X.shape[:-1], 1)), X, X**2,
                           np.sqrt(2) * X[..., i] * X[..., j]], axis=-1)


def by_hand(X, degree, alpha, c, weigh, keep=lambda picked, D: True):
    X = np.asarray(X, float)
    D, columns = X.shape[-1], []
    for picked in combinations_with_replacement(range(D + 1), degree):
        times = np.bincount(picked, minlength=D + 1)
        if keep(times, D):
            columns.append(weigh(times, degree, alpha, c) * np.prod(X ** times[:D], axis=-1))
    return np.stack(columns, axis=-1)


def orders_of(times, degree):
    return math.factorial(degree) / math.prod(math.factorial(t) for t in times)


@wrong("constant_is_not_counted_as_picked", "constant|order|factorial|multinomial")
def poly_features(X, degree, alpha=1.0, c=1.0):
    return by_hand(X, degree, alpha, c, lambda t, d, a, c: math.sqrt(
        math.factorial(d) / math.prod(math.factorial(i) for i in t[:-1])
        * a ** t[:-1].sum() * c ** t[-1]))


@wrong("alpha_and_c_without_root", "root|alpha|c")
def poly_features(X, degree, alpha=1.0, c=1.0):
    return by_hand(X, degree, alpha, c, lambda t, d, a, c: math.sqrt(orders_of(t, d))
                      * a ** t[:-1].sum() * c ** t[-1])


@wrong("highest_degree_only", "lower|degree|constant|number of features|C")
def poly_features(X, degree, alpha=1.0, c=1.0):
    return by_hand(X, degree, alpha, c, lambda t, d, a, c: math.sqrt(
        orders_of(t, d) * a ** t[:-1].sum()), keep=lambda t, D: t[-1] == 0)


@wrong("absolute_denominator", "sign|absolute|negative|scale")
def linear_attention(phiQ, phiK, V):
    phiQ, phiK, V = (np.asarray(a, float) for a in (phiQ, phiK, V))
    z = phiK.sum(axis=-2)[..., None]
    return phiQ @ (np.swapaxes(phiK, -1, -2) @ V) / np.abs(phiQ @ z)


@wrong("features_of_keys_only", "quer|both|2N|keys")
def attention_macs(kind, N, D, M, C=None):
    if kind == "softmax":
        return N * N * (D + M)
    if kind == "linear":
        return 2 * N * C * (M + 1)
    if kind == "rff":
        return N * D * C + 4 * N * C * (M + 1)
    raise ValueError(kind)


@wrong("divided_by_the_variance", "sigma|variance|deviation|width")
def sample_frequencies(D, n, sigma, rng):
    return rng.normal(size=(n, D)) / sigma**2


@wrong("mean_over_2n", "2n|n|root|factor|mean")
def rff_features(X, W):
    z = X @ W.T
    return np.concatenate([np.sin(z), np.cos(z)], axis=-1) / np.sqrt(2 * len(W))


@wrong("width_instead_of_variance", "sigma2|variance|width|squar")
def rff_variance(dist2, sigma2, n):
    return (1 - np.exp(-np.asarray(dist2) / sigma2**2)) ** 2 / (2 * n)


def causal_by_hand(phiQ, phiK, V, whole):
    phiQ, phiK = np.asarray(phiQ), np.asarray(phiK)
    V = np.asarray(V)
    lead = V.shape[:-2]
    S, Z = np.zeros((*lead, phiK.shape[-1], V.shape[-1])), np.zeros((*lead, phiK.shape[-1]))
    out = np.zeros(V.shape)
    for i in range(V.shape[-2]):
        k, v, q = phiK[..., i, :], V[..., i, :], phiQ[..., i, :]
        S = S + k[..., :, None] * v[..., None, :]
        Z = Z + k
        z = phiK.sum(axis=-2) if whole else Z
        out[..., i, :] = np.einsum("...c,...cm->...m", q, S) / np.sum(q * z, axis=-1)[..., None]
    return out


@wrong("normalised_by_all_keys", "denominator|all|sum|normal|later")
def causal_linear_attention(phiQ, phiK, V):
    return causal_by_hand(phiQ, phiK, V, whole=True)


class Machine:
    def __init__(self, phi, C, M):
        self.phi, self.C, self.M = phi, C, M
        self.t = 0
        self.reset()

    def reset(self):
        self.S, self.Z, self.t = np.zeros((self.C, self.M)), np.zeros(self.C), 0

    def answer(self, q):
        return self.phi(q) @ self.S / (self.phi(q) @ self.Z)

    def step(self, q, k, v):
        self.S += np.outer(self.phi(k), v)
        self.Z += self.phi(k)
        self.t += 1
        return self.answer(q)


@wrong("average_of_the_normalised", "sum|normal|Z|mean")
class LinearAttentionState(Machine):
    def step(self, q, k, v):
        f = self.phi(k) / self.phi(k).sum()
        self.S += np.outer(f, v)
        self.Z += f
        self.t += 1
        return self.answer(q)


@wrong("query_and_key_exchanged", "quer|key|stored")
class LinearAttentionState(Machine):
    def step(self, q, k, v):
        return super().step(k, q, v)


class HeadsByHand(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads, self.causal = num_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def phi(self, x):
        return nn.functional.elu(x) + 1

    def divide(self, w):
        return w / w.sum(dim=-1, keepdim=True)

    def forward(self, x):
        B, N, E = x.shape
        q, k, v = (y.view(B, N, self.heads, -1).transpose(1, 2)
                   for y in (self.phi(self.q(x)), self.phi(self.k(x)), self.v(x)))
        w = q @ k.mT
        if self.causal:
            w = w.tril()
        return self.o((self.divide(w) @ v).transpose(1, 2).reshape(B, N, E))


@wrong("softmax_in_the_end", "softmax|sum|similar|normal")
class MultiHeadLinearAttention(HeadsByHand):
    def divide(self, w):
        return torch.softmax(w.masked_fill(w == 0, -math.inf), dim=-1)


@wrong("another_error", "AssertionError|assert")
class MultiHeadLinearAttention(HeadsByHand):
    def __init__(self, embed_dim, num_heads, causal=False):
        if embed_dim % num_heads:
            raise ValueError("heads")
        super().__init__(embed_dim, num_heads, causal)
