"""Wrong solutions of adaptation_and_circuits, written from its text alone."""

import numpy as np
import torch
from torch import nn

from advice import wrong


class _Adapter(nn.Module):
    """A right layer, of which each wrong one below changes a part."""

    def __init__(self, base, k, alpha=None):
        super().__init__()
        m, l = base.weight.shape
        if k < 1 or k > min(m, l):
            raise ValueError
        self.base = base
        for parameter in base.parameters():
            parameter.requires_grad = False
        self.factor = 1.0 if alpha is None else alpha / k
        self.A = nn.Parameter(torch.zeros(m, k))
        self.B = nn.Parameter(torch.randn(k, l))

    def forward(self, x):
        return self.base(x) + self.factor * x @ self.B.T @ self.A.T

    def merged_weight(self):
        return self.base.weight + self.factor * self.A @ self.B


@wrong("alpha_falsy", "alpha")
class LoRALinear(_Adapter):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        self.factor = (alpha or k) / k


@wrong("alpha_without_rank", "alpha|k")
class LoRALinear(_Adapter):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        self.factor = 1.0 if alpha is None else alpha


@wrong("root_of_rank", "root|alpha|factor")
class LoRALinear(_Adapter):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        self.factor = (k if alpha is None else alpha) / k**0.5


@wrong("only_weight_frozen", "bias|frozen|freeze")
class LoRALinear(_Adapter):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        if base.bias is not None:
            base.bias.requires_grad = True


@wrong("merged_bare", "alpha|scale|factor|merged")
class LoRALinear(_Adapter):
    def merged_weight(self):
        return self.base.weight + self.A @ self.B


@wrong("merged_update_only", "base|W_0|whole|update")
class LoRALinear(_Adapter):
    def merged_weight(self):
        return self.factor * self.A @ self.B


@wrong("merge_writes", "merged|chang|base|twice")
class LoRALinear(_Adapter):
    def merged_weight(self):
        with torch.no_grad():
            self.base.weight += self.factor * self.A @ self.B
        return self.base.weight


@wrong("zero_starts_exchanged", "zero|start|A|B")
class LoRALinear(_Adapter):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        m, l = base.weight.shape
        self.A, self.B = nn.Parameter(torch.randn(m, k)), nn.Parameter(torch.zeros(k, l))


@wrong("ones_start", "rank|equal|independent|random|direction")
class LoRALinear(_Adapter):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        self.B = nn.Parameter(torch.ones(k, base.weight.shape[1]))


@wrong("rank_too_large_allowed", "rank|min|ValueError")
class LoRALinear(_Adapter):
    def __init__(self, base, k, alpha=None):
        m, l = base.weight.shape
        if not 1 <= k <= max(m, l):
            raise ValueError
        nn.Module.__init__(self)
        self.base, self.factor = base.requires_grad_(False), 1.0 if alpha is None else alpha / k
        self.A, self.B = nn.Parameter(torch.zeros(m, k)), nn.Parameter(torch.randn(k, l))


@wrong("base_is_a_copy", "copy|frozen|freeze|base")
class LoRALinear(_Adapter):
    def __init__(self, base, k, alpha=None):
        import copy
        super().__init__(copy.deepcopy(base), k, alpha)


@wrong("detached_B", "gradient|detach|B")
class LoRALinear(_Adapter):
    def forward(self, x):
        return self.base(x) + self.factor * x @ self.B.detach().T @ self.A.T


@wrong("exchanged", "exchanged|swap|order")
def lora_grads(G, A, B):
    return A.T @ G, G @ B.T


@wrong("square_guess", "transpos")
def lora_grads(G, A, B):
    return (G @ B if G.shape == B.shape and len(G) == len(B) else G @ B.T), A.T @ G


@wrong("divided_by_k", "k|scale|factor|mean")
def lora_grads(G, A, B):
    return G @ B.T / A.shape[1], A.T @ G / A.shape[1]


@wrong("gradient_transposed", "transpos|shape")
def lora_grads(G, A, B):
    return B @ G.T, G.T @ A


@wrong("left_singular", "left|right")
def svd_init(G, k):
    return np.zeros((len(G), k)), np.linalg.svd(G)[0].T[:k]


@wrong("scaled_rows", "orthonormal|singular value|length|scale")
def svd_init(G, k):
    _, size, right = np.linalg.svd(G, full_matrices=False)
    return np.zeros((len(G), k)), size[:k, None] * right[:k]


@wrong("columns_of_vt", "row|column|transpos")
def svd_init(G, k):
    return np.zeros((len(G), k)), np.linalg.svd(G)[2][:, :k].T


@wrong("random_orthonormal", "random|gradient|singular|nothing to do with G")
def svd_init(G, k):
    draw = np.random.default_rng(0).normal(size=(G.shape[1], k))
    return np.zeros((len(G), k)), np.linalg.qr(draw)[0].T


@wrong("A_not_zero", "zero|function|W_0")
def svd_init(G, k):
    U, size, right = np.linalg.svd(G, full_matrices=False)
    return U[:, :k] * size[:k], right[:k]


@wrong("states_returned", "state|difference|added|parts")
def residual_contributions(X0, layers):
    states = [X0]
    for layer in layers:
        states.append(states[-1] + layer(states[-1]))
    return states[-1], states


@wrong("layers_on_the_part", "stream|part|current|reads")
def residual_contributions(X0, layers):
    parts = [X0]
    for layer in layers:
        parts.append(layer(parts[-1]))
    return sum(parts), parts


@wrong("layer_returns_its_input", "same array|own|copy|place|chang")
def residual_contributions(X0, layers):
    X, parts = X0.copy(), [X0]
    for layer in layers:
        added = layer(X)
        parts.append(added)
        X += added
    return X, parts


@wrong("embedding_missing", "X0|X\\^0|embedding|first part|too few")
def residual_contributions(X0, layers):
    X, parts = X0, []
    for layer in layers:
        parts.append(layer(X))
        X = X + parts[-1]
    return X, parts


def _softmax(scores):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


@wrong("scale_of_the_stream", "d_head|scale|rows of")
def head_patterns(X, WQ, WK, causal=False):
    scores = (WQ @ X).T @ (WK @ X) / np.sqrt(len(X))
    return _softmax(np.where(np.tri(X.shape[1]) > 0, scores, -np.inf) if causal else scores)


@wrong("masks_itself", "itself|diagonal|own")
def head_patterns(X, WQ, WK, causal=False):
    scores = (WQ @ X).T @ (WK @ X) / np.sqrt(len(WQ))
    if causal:
        mask = np.tri(X.shape[1], k=-1) > 0
        mask[0, 0] = True
        scores = np.where(mask, scores, -np.inf)
    return _softmax(scores)


@wrong("mask_after_softmax", "mask|sum|softmax|normal")
def head_patterns(X, WQ, WK, causal=False):
    weights = _softmax((WQ @ X).T @ (WK @ X) / np.sqrt(len(WQ)))
    return np.tril(weights) if causal else weights


@wrong("finite_mask", "infin|mask|finite")
def head_patterns(X, WQ, WK, causal=False):
    scores = (WQ @ X).T @ (WK @ X) / np.sqrt(len(WQ))
    return _softmax(np.where(np.tri(X.shape[1]) > 0, scores, -1e3) if causal else scores)


@wrong("keys_ask", "transpos|quer|key")
def head_patterns(X, WQ, WK, causal=False):
    scores = (WK @ X).T @ (WQ @ X) / np.sqrt(len(WQ))
    return _softmax(np.where(np.tri(X.shape[1]) > 0, scores, -np.inf) if causal else scores)


def _pattern(X, WQ, WK, causal):
    scores = (WQ @ X).T @ (WK @ X) / np.sqrt(len(WQ))
    return _softmax(np.where(np.tri(X.shape[1]) > 0, scores, -np.inf) if causal else scores)


@wrong("pattern_not_transposed", "transpos|P|row")
def multihead_concat(X, heads, WO, causal=False):
    return WO @ np.vstack([WV @ X @ _pattern(X, WQ, WK, causal) for WQ, WK, WV in heads])


@wrong("causal_forgotten", "causal")
def multihead_concat(X, heads, WO, causal=False):
    return WO @ np.vstack([WV @ X @ _pattern(X, WQ, WK, False).T for WQ, WK, WV in heads])


@wrong("equal_slices", "width|slice|block|equal")
def multihead_additive(X, heads, WO, causal=False):
    wide = WO.shape[1] // len(heads)
    parts = []
    for h, (WQ, WK, WV) in enumerate(heads):
        r = WV @ X @ _pattern(X, WQ, WK, causal).T
        padded = np.zeros((wide, r.shape[1]))
        padded[:min(wide, len(r))] = r[:wide]
        parts.append(WO[:, h * wide : (h + 1) * wide] @ padded)
    return parts


@wrong("scale_of_the_first_head", "scale|width|first head|d_head")
def multihead_additive(X, heads, WO, causal=False):
    parts, start, width = [], 0, len(heads[0][0])
    for WQ, WK, WV in heads:
        scores = (WQ @ X).T @ (WK @ X) / np.sqrt(width)
        P = _softmax(np.where(np.tri(X.shape[1]) > 0, scores, -np.inf) if causal else scores)
        parts.append(WO[:, start : start + len(WV)] @ WV @ X @ P.T)
        start += len(WV)
    return parts


@wrong("one_array", "list|sum|each")
def multihead_additive(X, heads, WO, causal=False):
    rows = np.vstack([WV @ X @ _pattern(X, WQ, WK, causal).T for WQ, WK, WV in heads])
    return WO @ rows


@wrong("asked_and_asking", "transpos|exchang|order")
def qk_circuit(WQ, WK):
    return WK.T @ WQ


@wrong("with_scale", "scale")
def qk_circuit(WQ, WK):
    return WQ.T @ WK / np.sqrt(len(WQ))


@wrong("backwards", "transpos|order|read")
def ov_circuit(WO_h, WV):
    return (WO_h @ WV).T


def _paths(X, WU, first, second, middle):
    """Three kinds of paths as they should be, and the virtual ones by `middle`."""
    return (WU @ X, np.array([WU @ M @ X @ P.T for P, M in first]),
            np.array([WU @ M @ X @ P.T for P, M in second]),
            np.array([[middle(P1, M1, P2, M2) for P2, M2 in second] for P1, M1 in first]))


@wrong("circuits_reversed", "order|circuit|left|first")
def virtual_paths(X, WU, first, second):
    return _paths(X, WU, first, second,
                  lambda P1, M1, P2, M2: WU @ M1 @ M2 @ X @ P1.T @ P2.T)


@wrong("patterns_reversed", "order|pattern|P")
def virtual_paths(X, WU, first, second):
    return _paths(X, WU, first, second,
                  lambda P1, M1, P2, M2: WU @ M2 @ M1 @ X @ P2.T @ P1.T)


@wrong("patterns_times_entries", "entry|product|pattern")
def virtual_paths(X, WU, first, second):
    return _paths(X, WU, first, second,
                  lambda P1, M1, P2, M2: WU @ M2 @ M1 @ X @ (P1 * P2).T)


@wrong("second_reads_all", "twice|virtual|stream|embedding")
def virtual_paths(X, WU, first, second):
    direct, ones, _, virtual = _paths(
        X, WU, first, second, lambda P1, M1, P2, M2: WU @ M2 @ M1 @ X @ P1.T @ P2.T)
    stream = X + sum(M @ X @ P.T for P, M in first)
    return direct, ones, np.array([WU @ M @ stream @ P.T for P, M in second]), virtual


@wrong("one_pattern_only", "pattern|first|both")
def virtual_paths(X, WU, first, second):
    return _paths(X, WU, first, second, lambda P1, M1, P2, M2: WU @ M2 @ M1 @ X @ P2.T)


@wrong("heads_exchanged", "axis|axes|order|first")
def virtual_paths(X, WU, first, second):
    direct, ones, twos, virtual = _paths(
        X, WU, first, second, lambda P1, M1, P2, M2: WU @ M2 @ M1 @ X @ P1.T @ P2.T)
    return direct, ones, twos, virtual.swapaxes(0, 1)


@wrong("eps_in_score", "constant|denominator|small|added")
def copying_score(M):
    values = np.linalg.eigvals(M)
    return values.sum().real / (np.abs(values).sum() + 1e-6)


@wrong("trace_by_norm", "singular|nuclear|eigenvalue|moduli")
def copying_score(M):
    return np.trace(M) / np.linalg.norm(M, "nuc")


@wrong("share_of_positive", "share|count|size|number")
def copying_score(M):
    real = np.linalg.eigvals(M).real
    return float(np.mean(real > 0) - np.mean(real < 0))


@wrong("moduli_of_real_parts", "moduli|real part|imaginary|complex")
def copying_score(M):
    real = np.linalg.eigvals(M).real
    return float(real.sum() / (np.abs(real).sum() or 1.0))


def _score(P, tokens, places, mean=True):
    tokens, found = np.asarray(tokens), []
    for t in range(len(tokens)):
        earlier = np.flatnonzero(tokens[:t] == tokens[t])
        if len(earlier):
            found.append(places(P[t], earlier, t))
    if not found:
        raise ValueError
    return float(np.mean(found) if mean else np.sum(found) / len(tokens))


@wrong("the_token_itself", "after|next|itself|earlier")
def induction_score(P, tokens):
    return _score(P, tokens, lambda row, earlier, t: row[earlier].sum())


@wrong("last_occurrence_only", "all|every|last|several")
def induction_score(P, tokens):
    return _score(P, tokens, lambda row, earlier, t: row[earlier[-1] + 1])


@wrong("first_occurrence_only", "all|every|first|several")
def induction_score(P, tokens):
    return _score(P, tokens, lambda row, earlier, t: row[earlier[0] + 1])


@wrong("own_place_left_out", "own|itself|right after")
def induction_score(P, tokens):
    return _score(P, tokens, lambda row, earlier, t: row[earlier[earlier + 1 < t] + 1].sum())


@wrong("all_positions_average", "average|mean|position|divid|never")
def induction_score(P, tokens):
    return _score(P, tokens, lambda row, earlier, t: row[earlier + 1].sum(), mean=False)


@wrong("mean_over_places", "sum|total|mean|average")
def induction_score(P, tokens):
    return _score(P, tokens, lambda row, earlier, t: row[earlier + 1].mean())


@wrong("transposed_pattern", "transpos|row|quer|reads")
def induction_score(P, tokens):
    return _score(np.asarray(P).T, tokens, lambda row, earlier, t: row[earlier + 1].sum())


@wrong("nan_without_repetition", "ValueError|repeat|NaN|no token")
def induction_score(P, tokens):
    try:
        return _score(P, tokens, lambda row, earlier, t: row[earlier + 1].sum())
    except ValueError:
        return float("nan")


def _run(X0, layers, skip):
    X = X0
    for number, layer in enumerate(layers):
        X = X + sum((head(X) for h, head in enumerate(layer) if not skip(number, h)),
                    np.zeros_like(X0))
    return X


def _refuse(layers, removed):
    for number, h in removed:
        if not (0 <= number < len(layers) and 0 <= h < len(layers[number])):
            raise ValueError


@wrong("subtracts_the_part", "later|reads|direct|subtract|stream")
def ablate(X0, layers, removed):
    _refuse(layers, removed)
    X, gone = X0, np.zeros_like(X0)
    for number, layer in enumerate(layers):
        parts = [head(X) for head in layer]
        gone = gone + sum((part for h, part in enumerate(parts) if (number, h) in removed),
                          np.zeros_like(X0))
        X = X + sum(parts)
    return X - gone


@wrong("whole_layer", "layer|head|other")
def ablate(X0, layers, removed):
    _refuse(layers, removed)
    return _run(X0, layers, lambda number, h: number in {each for each, _ in removed})


@wrong("heads_one_after_another", "same stream|one after|layer")
def ablate(X0, layers, removed):
    _refuse(layers, removed)
    X = X0
    for number, layer in enumerate(layers):
        for h, head in enumerate(layer):
            if (number, h) not in removed:
                X = X + head(X)
    return X


@wrong("keeps_the_removed", "other way|only|removed|keep")
def ablate(X0, layers, removed):
    _refuse(layers, removed)
    return _run(X0, layers, lambda number, h: (number, h) not in removed)


@wrong("unknown_head_ignored", "ValueError|no head|names|exist")
def ablate(X0, layers, removed):
    return _run(X0, layers, lambda number, h: (number, h) in removed)


@wrong("only_the_first_removed", "all|every|several|only")
def ablate(X0, layers, removed):
    _refuse(layers, removed)
    return _run(X0, layers, lambda number, h: (number, h) in list(removed)[:1])


@wrong("counted_from_one", "zero|count|one")
def ablate(X0, layers, removed):
    _refuse(layers, removed)
    return _run(X0, layers, lambda number, h: (number + 1, h + 1) in removed)


@wrong("writes_into_X0", "argument|chang|place|caller")
def ablate(X0, layers, removed):
    _refuse(layers, removed)
    X = X0
    for number, layer in enumerate(layers):
        X += sum((head(X) for h, head in enumerate(layer) if (number, h) not in removed),
                 np.zeros_like(X0))
    return X


def _share(product, left, right):
    return float(np.linalg.norm(product) / (np.linalg.norm(left) * np.linalg.norm(right)))


@wrong("query_and_key_exchanged", "exchang|query|key|side")
def composition_scores(QK, OV2, OV1):
    return _share(QK @ OV1, QK, OV1), _share(OV1.T @ QK, QK, OV1), _share(OV2 @ OV1, OV2, OV1)


@wrong("value_reversed", "order|value|OV|later")
def composition_scores(QK, OV2, OV1):
    return _share(OV1.T @ QK, QK, OV1), _share(QK @ OV1, QK, OV1), _share(OV1 @ OV2, OV2, OV1)


@wrong("not_divided", "divid|norm|size")
def composition_scores(QK, OV2, OV1):
    return tuple(float(np.linalg.norm(each)) for each in (OV1.T @ QK, QK @ OV1, OV2 @ OV1))


@wrong("spectral_norm", "Frobenius|spectral|norm")
def composition_scores(QK, OV2, OV1):
    def share(product, left, right):
        return float(np.linalg.norm(product, 2)
                     / (np.linalg.norm(left, 2) * np.linalg.norm(right, 2)))

    return share(OV1.T @ QK, QK, OV1), share(QK @ OV1, QK, OV1), share(OV2 @ OV1, OV2, OV1)


@wrong("no_transpose_for_queries", "transpos|query")
def composition_scores(QK, OV2, OV1):
    return _share(OV1 @ QK, QK, OV1), _share(QK @ OV1, QK, OV1), _share(OV2 @ OV1, OV2, OV1)


# ---- by the second reader, before the catalogue was opened

class _Layer(nn.Module):
    def __init__(self, base, k, alpha=None):
        super().__init__()
        m, n = base.weight.shape
        if not 1 <= k <= min(m, n):
            raise ValueError
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.zeros(m, k))
        self.B = nn.Parameter(torch.randn(k, n) / n**0.5)
        self.factor = (k if alpha is None else alpha) / k

    def forward(self, x):
        return self.base(x) + self.factor * (x @ self.B.T) @ self.A.T

    def merged_weight(self):
        return self.base.weight + self.factor * self.A @ self.B


@wrong("factor_by_the_root", "alpha|root|factor|k")
class LoRALinear(_Layer):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        self.factor = (k if alpha is None else alpha) / k**0.5


@wrong("bias_still_trained", "frozen|bias|freez|train")
class LoRALinear(_Layer):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        if base.bias is not None:
            base.bias.requires_grad_(True)


@wrong("merged_without_the_base", "base|W_0|whole|update")
class LoRALinear(_Layer):
    def merged_weight(self):
        return self.factor * self.A @ self.B


@wrong("rows_scaled_by_singular_values", "orthonormal|singular values|length|scal")
def svd_init(G, k):
    U, s, Vt = np.linalg.svd(G)
    return np.zeros((len(G), k)), s[:k, None] * Vt[:k]


@wrong("layers_read_the_last_part", "stream|part|sum|read")
def residual_contributions(X0, layers):
    parts = [np.array(X0)]
    for layer in layers:
        parts.append(layer(parts[-1]))
    return sum(parts), parts


def _pattern2(X, WQ, WK, causal, scale=None):
    S = (WQ @ X).T @ (WK @ X) / np.sqrt(scale or len(WQ))
    if causal:
        S = np.where(np.triu(np.ones(S.shape), 1) > 0, -np.inf, S)
    S = np.exp(S - S.max(axis=1, keepdims=True))
    return S / S.sum(axis=1, keepdims=True)


@wrong("scale_of_the_stream_again", "scale|d_head|root|width")
def head_patterns(X, WQ, WK, causal=False):
    return _pattern2(X, WQ, WK, causal, len(X))


@wrong("pattern_not_transposed_again", "transpos|column|row|P")
def multihead_additive(X, heads, WO, causal=False):
    out, at = [], 0
    for WQ, WK, WV in heads:
        r = WV @ X @ _pattern2(X, WQ, WK, causal)
        out.append(WO[:, at:at + len(WV)] @ r)
        at += len(WV)
    return out


@wrong("asked_and_asking_exchanged", "transpos|query|exchang|left")
def qk_circuit(WQ, WK):
    return WK.T @ WQ


@wrong("patterns_in_the_wrong_order", "order|pattern|first|second")
def virtual_paths(X, WU, first, second):
    ones = [WU @ M @ X @ P.T for P, M in first]
    twos = [WU @ M @ X @ P.T for P, M in second]
    virtual = [[WU @ M2 @ M1 @ X @ P2.T @ P1.T for P2, M2 in second] for P1, M1 in first]
    return WU @ X, ones, twos, virtual


@wrong("modulus_of_the_sum", "modul|absolute|eigenvalue|sum")
def copying_score(M):
    lam = np.linalg.eigvals(M)
    return float(lam.sum().real / abs(lam.sum()))


@wrong("the_place_itself", "right after|after|one further|next")
def induction_score(P, tokens):
    found = []
    for t in range(len(tokens)):
        before = [s for s in range(t) if tokens[s] == tokens[t]]
        if before:
            found.append(sum(P[t, s] for s in before))
    if not found:
        raise ValueError
    return float(np.mean(found))


@wrong("heads_one_after_another_again", "same stream|layer|one after")
def ablate(X0, layers, removed):
    for i, h in removed:
        if i not in range(len(layers)) or h not in range(len(layers[i])):
            raise ValueError
    X = np.array(X0, float)
    for i, layer in enumerate(layers):
        for h, head in enumerate(layer):
            if (i, h) not in [tuple(r) for r in removed]:
                X = X + head(X)
    return X


@wrong("spectral_norms", "Frobenius|norm")
def composition_scores(QK, OV2, OV1):
    def size(M):
        return np.linalg.norm(M, 2)
    return (size(OV1.T @ QK) / size(QK) / size(OV1), size(QK @ OV1) / size(QK) / size(OV1),
            size(OV2 @ OV1) / size(OV2) / size(OV1))


# ---- by the third reader, before the catalogue was opened; what is above already is left out

@wrong("full_rank_refused", "min|full|allowed")
class LoRALinear(_Layer):
    def __init__(self, base, k, alpha=None):
        if k == min(base.weight.shape):
            raise ValueError
        super().__init__(base, k, alpha)


@wrong("rank_against_the_inputs", "smaller|min|outputs")
class LoRALinear(_Layer):
    def __init__(self, base, k, alpha=None):
        m, n = base.weight.shape
        if not 1 <= k <= n:
            raise ValueError
        super().__init__(base, 1, alpha)
        self.A = nn.Parameter(torch.zeros(m, k))
        self.B = nn.Parameter(torch.randn(k, n) / n**0.5)
        self.factor = (k if alpha is None else alpha) / k


@wrong("rows_all_equal", "independent|equal|same")
class LoRALinear(_Layer):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        self.B = nn.Parameter(torch.randn(1, base.weight.shape[1]).repeat(k, 1))


@wrong("pseudo_inverse", "invert|inverse|transpose")
def lora_grads(G, A, B):
    return G @ np.linalg.pinv(B), np.linalg.pinv(A) @ G


@wrong("smallest_directions", "small|largest|order")
def svd_init(G, k):
    vectors = np.linalg.eigh(G.T @ G)[1]
    return np.zeros((len(G), k)), vectors[:, :k].T


@wrong("span_of_the_first_rows", "span|singular|direction|largest")
def svd_init(G, k):
    return np.zeros((len(G), k)), np.linalg.qr(G[:k].T)[0].T


@wrong("all_read_the_embedding", "X0|X\\^0|embedding|stream|earlier")
def residual_contributions(X0, layers):
    parts = [X0] + [layer(X0) for layer in layers]
    return sum(parts), parts


@wrong("one_shift_for_all", "maximum|shift|row")
def head_patterns(X, WQ, WK, causal=False):
    scores = (WQ @ X).T @ (WK @ X) / np.sqrt(len(WQ))
    if causal:
        scores = np.where(np.tri(X.shape[1]) > 0, scores, -np.inf)
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(axis=1, keepdims=True)


@wrong("lowered_by_ten_thousand", "infinity|still win|lowered")
def head_patterns(X, WQ, WK, causal=False):
    scores = (WQ @ X).T @ (WK @ X) / np.sqrt(len(WQ))
    return _softmax(scores - 1e4 * np.triu(np.ones(scores.shape), 1) if causal else scores)


@wrong("added_without_causal", "causal")
def multihead_additive(X, heads, WO, causal=False):
    out, at = [], 0
    for WQ, WK, WV in heads:
        out.append(WO[:, at:at + len(WV)] @ WV @ X @ _pattern2(X, WQ, WK, False).T)
        at += len(WV)
    return out


@wrong("adds_the_stream", "without X|stream|residual")
def multihead_concat(X, heads, WO, causal=False):
    return X + WO @ np.vstack([WV @ X @ _pattern2(X, WQ, WK, causal).T for WQ, WK, WV in heads])


@wrong("second_layer_first", "order|before the first|exchang")
def virtual_paths(X, WU, first, second):
    return _paths(X, WU, first, second,
                  lambda P1, M1, P2, M2: WU @ M1 @ (M2 @ X @ P2.T) @ P1.T)


@wrong("safe_denominator", "added|small|constant|denominator")
def copying_score(M):
    values = np.linalg.eigvals(M)
    return float(values.sum().real / (np.abs(values).sum() + 1e-8))


@wrong("real_parts_below", "modul|real part|imaginary")
def copying_score(M):
    real = np.linalg.eigvals(M).real
    with np.errstate(all="ignore"):
        return float(real.sum() / np.abs(real).sum())


@wrong("zero_without_repetition", "ValueError|repeat|no token")
def induction_score(P, tokens):
    try:
        return _score(P, tokens, lambda row, earlier, t: row[earlier + 1].sum())
    except ValueError:
        return 0.0


@wrong("python_counts_from_the_end", "negative|names no|not there")
def ablate(X0, layers, removed):
    try:
        for number, h in removed:
            layers[number][h]
    except IndexError:
        raise ValueError from None
    return _run(X0, layers, lambda number, h: (number, h) in removed)


@wrong("one_norm_below", "both|missing|size")
def composition_scores(QK, OV2, OV1):
    size = np.linalg.norm
    return (size(OV1.T @ QK) / size(QK), size(QK @ OV1) / size(QK), size(OV2 @ OV1) / size(OV2))


@wrong("divided_by_the_value_circuit", "QK|OV|below")
def composition_scores(QK, OV2, OV1):
    size = np.linalg.norm
    both = size(OV2) * size(OV1)
    return size(OV1.T @ QK) / both, size(QK @ OV1) / both, size(OV2 @ OV1) / both


class _LoRA(nn.Module):
    def __init__(self, base, k, alpha=None):
        super().__init__()
        m, l = base.weight.shape
        self.refuse(k, m, l)
        self.base = self.frozen(base)
        self.k, self.alpha = k, k if alpha is None else alpha
        self.A, self.B = nn.Parameter(torch.zeros(m, k)), nn.Parameter(torch.randn(k, l))

    def refuse(self, k, m, l):
        if not 1 <= k <= min(m, l):
            raise ValueError

    def frozen(self, base):
        return base.requires_grad_(False)

    def scale(self):
        return self.alpha / self.k

    def forward(self, x):
        return self.base(x) + self.scale() * (x @ self.B.T @ self.A.T)

    def merged_weight(self):
        return self.base.weight + self.scale() * self.A @ self.B


@wrong("B_a_buffer", "parameter|train|B")
class LoRALinear(_LoRA):
    def __init__(self, base, k, alpha=None):
        super().__init__(base, k, alpha)
        values = self.B.data
        del self.B
        self.register_buffer("B", values)


@wrong("bias_twice", "bias")
class LoRALinear(_LoRA):
    def forward(self, x):
        y = super().forward(x)
        return y if self.base.bias is None else y + self.base.bias


@wrong("seeds_the_generator", "seed|random|generator|twice|same")
class LoRALinear(_LoRA):
    def __init__(self, base, k, alpha=None):
        torch.manual_seed(0)
        super().__init__(base, k, alpha)


@wrong("no_transpose_for_A", "transpos")
def lora_grads(G, A, B):
    return G @ B.T, (G.T @ A).T * 1.0 if G.shape[0] != G.shape[1] else (G @ A).T


@wrong("minus_sign", "sign|step|gradient")
def lora_grads(G, A, B):
    return -G @ B.T, -A.T @ G


def _soft(S, axis):
    S = S - S.max(axis=axis, keepdims=True)
    E = np.exp(S)
    return E / E.sum(axis=axis, keepdims=True)


@wrong("masks_with_zero", "score of 0")
def head_patterns(X, WQ, WK, causal=False):
    S = (WQ @ X).T @ (WK @ X) / len(WQ) ** 0.5
    if causal:
        S = np.tril(S)
    return _soft(S, 1)


def _P(X, WQ, WK, causal):
    S = (WQ @ X).T @ (WK @ X) / len(WQ) ** 0.5
    if causal:
        S = np.where(np.tri(len(S), dtype=bool), S, -np.inf)
    return _soft(S, 1)


@wrong("rows_of_WO", "column|rows|block")
def multihead_additive(X, heads, WO, causal=False):
    out, at = [], 0
    for WQ, WK, WV in heads:
        r = WV @ X @ _P(X, WQ, WK, causal).T
        out.append(WO.T[at:at + len(WV)].T @ r if False else WO[at:at + len(WV)].T @ r)
        at += len(WV)
    return out


@wrong("small_space", "order|d_model|d_head|outside")
def qk_circuit(WQ, WK):
    return WQ @ WK.T


@wrong("second_axis_first", "axes|first layer|virtual\\[i, j\\]|exchang|H1")
def virtual_paths(X, WU, first, second):
    one = [M @ X @ P.T for P, M in first]
    return (WU @ X, [WU @ a for a in one], [WU @ M @ X @ P.T for P, M in second],
            [[WU @ M2 @ a @ P2.T for a in one] for P2, M2 in second])


@wrong("pairs_of_equal_number", "every pair|pair|number")
def virtual_paths(X, WU, first, second):
    one = [M @ X @ P.T for P, M in first]
    n2 = len(second)
    virtual = np.zeros((len(first), n2, len(WU), X.shape[1]))
    for i, (a, (P2, M2)) in enumerate(zip(one, second)):
        virtual[i, i] = WU @ M2 @ a @ P2.T
    return WU @ X, [WU @ a for a in one], [WU @ M @ X @ P.T for P, M in second], virtual


@wrong("no_transpose_of_P", "transpos|pattern")
def virtual_paths(X, WU, first, second):
    one = [M @ X @ P for P, M in first]
    return (WU @ X, [WU @ a for a in one], [WU @ M @ X @ P for P, M in second],
            [[WU @ M2 @ a @ P2 for P2, M2 in second] for a in one])


@wrong("only_one_norm_below", "norm|product|below|circuits")
def composition_scores(QK, OV2, OV1):
    def c(a, b):
        return np.linalg.norm(a @ b) / np.linalg.norm(a)
    return c(OV1.T, QK), c(QK, OV1), c(OV2, OV1)
