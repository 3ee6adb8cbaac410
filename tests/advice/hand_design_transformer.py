"""Wrong solutions of hand_design_transformer, written from its text alone."""

import math

import numpy as np
import torch
from torch import nn

from advice import wrong
from viva.kits.hand_design_transformer.heads import LearnableHead


def _gap(T, tol):
    return max(0.0, math.log((T - 1) * (1 - tol) / tol)) if T > 1 else 0.0


def _softmax(scores, axis=-1, shift=None):
    scores = np.asarray(scores)
    if not np.issubdtype(scores.dtype, np.floating):
        scores = scores.astype(float)
    top = scores.max(axis=axis, keepdims=True) if shift is None else shift
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0))
    return powers / np.maximum(powers.sum(axis=axis, keepdims=True), 1)


@wrong("minus_the_mean", "largest|maximum")
def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    if scores.dtype.kind != "f":
        scores = scores.astype(float)
    finite = np.isfinite(scores)
    count = np.maximum(finite.sum(axis=axis, keepdims=True), 1)
    mean = np.where(finite, scores, 0).sum(axis=axis, keepdims=True) / count
    with np.errstate(all="ignore"):
        e = np.exp(scores - mean.astype(scores.dtype))
        total = e.sum(axis=axis, keepdims=True)
        return e / np.where(total == 0, 1, total).astype(scores.dtype)


@wrong("always_double", "float32|precision|dtype")
def stable_softmax(scores, axis=-1):
    s = np.array(scores, dtype=float)
    top = s.max(axis=axis, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0))
    return e / np.maximum(e.sum(axis=axis, keepdims=True), 1)


def _plain_head(X, Km, Qm, Vm, pos, causal, return_weights, hide=-np.inf, root=None):
    X = np.asarray(X, float)
    T = X.shape[-2]
    if pos is not None:
        if T > len(pos):
            raise ValueError
        X = np.concatenate([X, np.broadcast_to(pos[:T], (*X.shape[:-1], pos.shape[1]))], axis=-1)
    K, Q, V = X @ Km, X @ Qm, X @ Vm
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(root or Km.shape[1])
    if causal:
        s = np.where(np.tri(T, dtype=bool), s, hide)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    W = e / e.sum(axis=-1, keepdims=True)
    return (W @ V, W) if return_weights else W @ V


@wrong("minus_a_billion", "inf|large negative|finite|small")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _plain_head(X, Km, Qm, Vm, pos, causal, return_weights, hide=-1e9)


@wrong("root_of_the_token", "d_qk|columns of|width of")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _plain_head(X, Km, Qm, Vm, pos, causal, return_weights, root=np.asarray(X).shape[-1])


@wrong("dim_one", "axis|dim")
class TorchHead(nn.Module):
    def __init__(self, input_dim, qk_dim, v_dim, pos_dim=None, max_seq_len=10):
        super().__init__()
        d = input_dim + (pos_dim or 0)
        self.Km, self.Qm = nn.Linear(d, qk_dim, bias=False), nn.Linear(d, qk_dim, bias=False)
        self.Vm = nn.Linear(d, v_dim, bias=False)
        self.pos = nn.Embedding(max_seq_len, pos_dim) if pos_dim else None

    def forward(self, seq):
        if self.pos is not None:
            table = self.pos(torch.arange(seq.shape[-2])).expand(*seq.shape[:-1], -1)
            seq = torch.cat([seq, table], dim=-1)
        K, Q, V = self.Km(seq), self.Qm(seq), self.Vm(seq)
        return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=1) @ V


@wrong("counts_the_target", "T - 1|T-1|others|target")
def min_score_gap(T, tol):
    return max(0.0, float(np.log(T * (1 - tol) / tol))) if T > 1 else 0.0


@wrong("as_many_tokens_as_kinds", "max_len|length|long")
def design_identity(n_tokens, max_len, tol=1e-3):
    root = np.sqrt(_gap(n_tokens, tol) * np.sqrt(n_tokens))
    return root * np.eye(n_tokens), root * np.eye(n_tokens), np.eye(n_tokens)


@wrong("values_are_flat", "value|forgotten|which token")
def design_histogram(n_tokens):
    zero = np.zeros((n_tokens, 1))
    return zero, zero, np.ones((n_tokens, n_tokens)) / n_tokens


@wrong("query_of_places_shrinks", "every row|all rows|ask|place")
def design_first(n_tokens, max_len, tol=1e-3):
    Km, Qm = np.zeros((n_tokens + max_len, 1)), np.zeros((n_tokens + max_len, 1))
    Km[n_tokens] = _gap(max_len, tol)
    Qm[n_tokens] = 1  # the first place asks, the others do not
    return Km, Qm, np.eye(n_tokens + max_len)[:, :n_tokens], np.eye(max_len)


@wrong("wraps_to_the_end", "first|place 0|wrap|end|round")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    L = max_len
    big = _gap(L, tol) * np.sqrt(L)
    Km = np.vstack([np.zeros((n_tokens, L)), np.eye(L)])
    Qm = np.vstack([np.zeros((n_tokens, L)), big * np.eye(L)[(np.arange(L) - offset) % L]])
    return Km, Qm, np.eye(n_tokens + L)[:, :n_tokens], np.eye(L)


@wrong("earlier_doubles_only", "later|earlier|both")
def design_unique(n_tokens, max_len):
    n, L = n_tokens + 1, max_len
    table = np.zeros((n + L, n + L))
    table[:n_tokens, :n_tokens] = 20 * np.eye(n_tokens)
    table[:n_tokens, n_tokens] = 10
    table[n:, n:] = -60 * np.triu(np.ones((L, L)))
    d = n + L
    Vm = np.zeros((d, 1))
    Vm[:n_tokens] = -1
    Vm[n_tokens] = 1
    return np.eye(d), table * np.sqrt(d), Vm, np.eye(L)


@wrong("inverse_not_transposed", "transpos")
def gauge_transform(Km, Qm, R):
    return Km @ np.linalg.inv(R), Qm @ R


@wrong("always_four", "length")
def train_head(task, steps=500, lr=0.05, seed=0):
    torch.manual_seed(seed)
    head = LearnableHead(3, 3, 3, pos_dim=4 if task == "first" else None)
    adam = torch.optim.Adam(head.parameters(), lr=lr)
    for _ in range(steps):
        X = torch.eye(3)[torch.randint(3, (32, 4))]
        wanted = X if task == "identity" else X[:, :1].expand_as(X)
        loss = ((head(X) - wanted) ** 2).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
    return head, loss.item()


@wrong("asks_with_the_note", "query|ask|token")
def design_induction(n_tokens, max_len, tol=1e-3):
    n, L = n_tokens, max_len
    first = _gap(L, tol) * np.sqrt(L)
    Km = np.vstack([np.zeros((n, L)), np.eye(L)])
    Qm = np.vstack([np.zeros((n, L)), first * np.eye(L)[np.maximum(np.arange(L) - 1, 0)]])
    layer1 = (Km, Qm, np.eye(n + L)[:, :n], np.eye(L))
    slot = np.vstack([np.zeros((n, n)), np.eye(n)])
    token = np.vstack([np.eye(n), np.zeros((n, n))])
    return layer1, (slot, _gap(L, tol) * np.sqrt(n) * 1.2 * slot, token)


@wrong("no_shift", "maximum|largest|overflow|shift")
def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    if not np.issubdtype(scores.dtype, np.floating):
        scores = scores.astype(float)
    powers = np.exp(scores)
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@wrong("global_max", "whole|all scores|own maximum|along the axis|each slice|every slice|each row")
def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    if not np.issubdtype(scores.dtype, np.floating):
        scores = scores.astype(float)
    top = scores.max()
    powers = np.exp(scores - (top if np.isfinite(top) else 0))
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@wrong("always_last_axis", "axis")
def stable_softmax(scores, axis=-1):
    return _softmax(scores, -1)


@wrong("float64_always", "float32|dtype|precision")
def stable_softmax(scores, axis=-1):
    return _softmax(np.asarray(scores, float), axis)


@wrong("nan_for_nothing", "inf|NaN|nothing|zeros")
def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    if not np.issubdtype(scores.dtype, np.floating):
        scores = scores.astype(float)
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False, *, first=False,
          root=None, masked="scores", axis=-1, strict=False, place=slice(None), order="qk"):
    T = X.shape[-2]
    Z = X
    if pos is not None:
        if len(pos) < T or (strict and len(pos) == T):
            raise ValueError
        rows = pos[-T:] if place == "last" else pos[:T]
        table = np.broadcast_to(rows, (*X.shape[:-1], pos.shape[1]))
        Z = np.concatenate([table, X] if first else [X, table], axis=-1)
    K, Q, V = Z @ Km, Z @ Qm, Z @ Vm
    if order == "kq":
        K, Q = Q, K
    scores = Q @ np.swapaxes(K, -1, -2) / (math.sqrt(Km.shape[1]) if root is None else root(Km, X))
    sees = np.tri(T, dtype=bool)
    if causal and masked == "scores":
        scores = np.where(sees, scores, -np.inf)
    elif causal and masked == "finite":
        scores = np.where(sees, scores, -1e4)
    elif causal and masked == "added":
        scores = scores + np.where(sees, 0, -1e3)
    elif causal and masked == "zero":
        scores = np.where(sees, scores, 0)
    elif causal and masked == "strict":
        scores = np.where(np.tri(T, k=-1, dtype=bool), scores, -np.inf)
    elif causal and masked == "ahead":
        scores = np.where(sees.T, scores, -np.inf)
    weights = _softmax(scores, axis)
    if causal and masked == "weights":
        weights = weights * sees
    elif causal and masked == "renormalised":
        weights = weights * sees
        weights = weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1e-300)
    out = weights @ V
    return (out, weights) if return_weights else out


@wrong("added_mask_of_a_thousand", "mask|-inf|infin|future|later")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, masked="added")


@wrong("finite_mask", "mask|-inf|infin|future|later")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, masked="finite")


@wrong("mask_after_softmax", "before|after|sum to one|mask")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, masked="weights")


@wrong("renormalised_after_softmax", "before|after|maximum|mask|future|later|underflow")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, masked="renormalised")


@wrong("masked_scores_zero", "-inf|infin|zero|0")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, masked="zero")


@wrong("looks_ahead", "ahead|upper|transpos|future|later|wrong way|earlier|past|upside")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, masked="ahead")


@wrong("places_first", "after|before|order|place|position")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, first=True)


@wrong("root_of_d", "d_qk|root|scal|divid")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights,
                 root=lambda Km, X: math.sqrt(Km.shape[0]))


@wrong("softmax_over_queries", "row|axis|column|quer")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, axis=-2)


@wrong("full_table_refused", "exactly|same length|long enough|equal|T rows")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _head(X, Km, Qm, Vm, pos, causal, return_weights, strict=True)


class _Torch(nn.Module):
    bias, dim, scaled = False, -1, True

    def __init__(self, input_dim, qk_dim, v_dim, pos_dim=None, max_seq_len=10):
        super().__init__()
        d = input_dim + (pos_dim or 0)
        self.Km = nn.Linear(d, qk_dim, bias=self.bias)
        self.Qm = nn.Linear(d, qk_dim, bias=self.bias)
        self.Vm = nn.Linear(d, v_dim, bias=self.bias)
        self.pos = nn.Embedding(max_seq_len, pos_dim) if pos_dim else None

    def table(self, seq):
        return self.pos(torch.arange(seq.shape[-2])).expand(*seq.shape[:-1], -1)

    def forward(self, seq):
        Z = seq if self.pos is None else torch.cat([seq, self.table(seq)], dim=-1)
        K, Q, V = self.Km(Z), self.Qm(Z), self.Vm(Z)
        scores = Q @ K.mT
        if self.scaled:
            scores = scores / math.sqrt(K.shape[-1])
        return scores.softmax(dim=self.dim) @ V


@wrong("with_bias", "bias")
class TorchHead(_Torch):
    bias = True


@wrong("softmax_dim_one", "dim|axis|batch")
class TorchHead(_Torch):
    dim = 1


@wrong("not_scaled", "root|scal|sqrt|divid")
class TorchHead(_Torch):
    scaled = False


@wrong("detached_table", "gradient|detach|data|learn")
class TorchHead(_Torch):
    def table(self, seq):
        return super().table(seq).detach()


@wrong("one_competitor", "T - 1|all others|every other|compete")
def min_score_gap(T, tol):
    return max(0.0, math.log((1 - tol) / tol)) if T > 1 else 0.0


@wrong("mass_without_target", "1 - tol|share|whole|1 \\+ x|target")
def min_score_gap(T, tol):
    return max(0.0, math.log((T - 1) / tol)) if T > 1 else 0.0


@wrong("negative_gap", "negative|0|never")
def min_score_gap(T, tol):
    return math.log((T - 1) * (1 - tol) / tol) if T > 1 else 0.0


@wrong("root_forgotten", "root|sqrt|scal|divi")
def design_identity(n_tokens, max_len, tol=1e-3):
    size = math.sqrt(_gap(max_len, tol))
    return size * np.eye(n_tokens), size * np.eye(n_tokens), np.eye(n_tokens)


@wrong("default_tolerance", "tol")
def design_identity(n_tokens, max_len, tol=1e-3):
    size = math.sqrt(_gap(max_len, 1e-3) * math.sqrt(n_tokens))
    return size * np.eye(n_tokens), size * np.eye(n_tokens), np.eye(n_tokens)


@wrong("kinds_not_length", "max_len|length|number of tokens|kinds")
def design_identity(n_tokens, max_len, tol=1e-3):
    size = math.sqrt(_gap(n_tokens, tol) * math.sqrt(n_tokens))
    return size * np.eye(n_tokens), size * np.eye(n_tokens), np.eye(n_tokens)


@wrong("values_sharpened", "value|Vm")
def design_identity(n_tokens, max_len, tol=1e-3):
    size = math.sqrt(_gap(max_len, tol) * math.sqrt(n_tokens))
    return (size * np.eye(n_tokens),) * 3


@wrong("weak_content", "flat|equal|exact|depend|constant|score|stand out")
def design_histogram(n_tokens):
    return 1e-4 * np.eye(n_tokens), 1e-3 * np.eye(n_tokens), np.eye(n_tokens)


@wrong("uniform_values", "value|which token|Vm")
def design_histogram(n_tokens):
    zero = np.zeros((n_tokens, n_tokens))
    return zero, zero, np.full((n_tokens, n_tokens), 1 / n_tokens)


def _first(n, L, tol, row=0, asks="tokens", size=None, extra=0.0):
    Km, Qm = np.zeros((n + L, 1)), np.zeros((n + L, 1))
    Km[n + row] = _gap(L, tol) if size is None else size
    Km[0] += extra
    if asks == "tokens":
        Qm[:n] = 1
    elif asks == "first place":
        Qm[n] = 1
    return Km, Qm, np.eye(n + L, n), np.eye(L)


@wrong("content_has_a_say", "token|content")
def design_first(n_tokens, max_len, tol=1e-3):
    return _first(n_tokens, max_len, tol, extra=1.0)


@wrong("second_place", "place 0|position 0|first place|second|row n")
def design_first(n_tokens, max_len, tol=1e-3):
    return _first(n_tokens, max_len, tol, row=1)


@wrong("only_the_first_row_asks", "every row|all rows|ask|quer")
def design_first(n_tokens, max_len, tol=1e-3):
    return _first(n_tokens, max_len, tol, asks="first place")


def _shift(n, L, offset, tol, wants=None, root=True):
    place = np.arange(L)
    wanted = np.maximum(place - offset, 0) if wants is None else wants(place)
    size = _gap(L, tol) * (math.sqrt(L) if root else 1)
    zero = np.zeros((n, L))
    table = np.where((wanted >= 0)[:, None] & (wanted < L)[:, None],
                     np.eye(L)[np.clip(wanted, 0, L - 1)], 0)
    return (np.vstack([zero, np.eye(L)]), np.vstack([zero, size * table]),
            np.eye(n + L, n), np.eye(L))


@wrong("first_rows_ask_nothing", "first|nothing|uniform|zero")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    return _shift(n_tokens, max_len, offset, tol, lambda place: place - offset)


@wrong("looks_ahead", "ahead|transpos|after|next|later")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    return _shift(n_tokens, max_len, offset, tol,
                  lambda place: np.minimum(place + offset, max_len - 1))


@wrong("wraps_around", "wrap|first|last|cycl|end|behind")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    return _shift(n_tokens, max_len, offset, tol, lambda place: (place - offset) % max_len)


@wrong("offset_ignored", "offset")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    return _shift(n_tokens, max_len, 1, tol)


@wrong("root_forgotten", "root|sqrt|scal|divi")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    return _shift(n_tokens, max_len, offset, tol, root=False)


def _unique(n, L, same=20.0, cls=10.0, own=-40.0, double_value=-1.0, cls_value=1.0):
    d = n + 1 + L
    table = np.zeros((d, d))
    table[:n, :n] = same * np.eye(n)
    table[:n, n] = cls
    table[n + 1:, n + 1:] = own * np.eye(L)
    Vm = np.zeros((d, 1))
    Vm[:n], Vm[n] = double_value, cls_value
    return np.eye(d), table * math.sqrt(d), Vm, np.eye(L)


@wrong("finds_itself", "itself|own place|exclu")
def design_unique(n_tokens, max_len):
    return _unique(n_tokens, max_len, own=0.0)


@wrong("self_ties_with_cls", "itself|own place|exclu|weak|outweigh|below")
def design_unique(n_tokens, max_len):
    return _unique(n_tokens, max_len, own=-10.0)


@wrong("cls_beats_doubles", "CLS|double")
def design_unique(n_tokens, max_len):
    return _unique(n_tokens, max_len, cls=25.0)


@wrong("signs_exchanged", "sign|positive|negative|value")
def design_unique(n_tokens, max_len):
    return _unique(n_tokens, max_len, double_value=1.0, cls_value=-1.0)


@wrong("value_of_cls_zero", "CLS|value|0")
def design_unique(n_tokens, max_len):
    return _unique(n_tokens, max_len, cls_value=0.0)


@wrong("keys_also_times_R", "inverse|transpos")
def gauge_transform(Km, Qm, R):
    return Km @ R, Qm @ R


@wrong("inverse_without_transpose", "transpos")
def gauge_transform(Km, Qm, R):
    return Km @ np.linalg.inv(R), Qm @ R


@wrong("exchanged_results", "order|first|exchang|swap")
def gauge_transform(Km, Qm, R):
    return Qm @ R, np.linalg.solve(R, Km.T).T


@wrong("transposed_table", "transpos|row|quer")
def qk_ov(Km, Qm, Vm):
    return Km @ Qm.T, Vm.copy()


@wrong("no_copy", "copy")
def qk_ov(Km, Qm, Vm):
    return Qm @ Km.T, Vm


def _train(task, steps, lr, seed, positions=True, zero=True, again=False, biased=False,
           wanted=None, late=False):
    if not late:
        torch.manual_seed(seed)
    head = LearnableHead(3, 3, 3, pos_dim=4 if task == "first" and positions else None)
    if late:
        torch.manual_seed(seed)
    optimizer = torch.optim.Adam(head.parameters(), lr=lr)
    kept = {}
    for _ in range(steps):
        T = int(torch.randint(1, 5, ()))
        numbers = torch.randint(0, 3, (32, T))
        if biased:
            numbers = torch.randint(0, 2, (32, T))
        if again:
            numbers = kept.setdefault(T, numbers)
        batch = torch.eye(3)[numbers]
        goal = batch if task == "identity" else batch[:, :1].expand_as(batch)
        loss = ((head(batch) - goal) ** 2).mean()
        if zero:
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return head, loss.item()


@wrong("no_positions", "position|pos_dim|histogram|table")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _train(task, steps, lr, seed, positions=False)


@wrong("gradients_add_up", "gradient|zero")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _train(task, steps, lr, seed, zero=False)


@wrong("same_batch_every_step", "fresh|again|new|re-?use|same|draw|every step|each step")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _train(task, steps, lr, seed, again=True)


@wrong("seeded_too_late", "seed")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _train(task, steps, lr, seed, late=True)


@wrong("two_of_three_tokens", "token|equally|three|kinds")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _train(task, steps, lr, seed, biased=True)


@wrong("loss_is_a_tensor", "item|float|tensor|number")
def train_head(task, steps=500, lr=0.05, seed=0):
    head, loss = _train(task, steps, lr, seed)
    return head, torch.tensor(loss)


def _induction(n, L, tol, offset=1, query="token", key="slot", value="token", root=True):
    zero = np.zeros((n, n))
    half = {"token": lambda size: np.vstack([size * np.eye(n), zero]),
            "slot": lambda size: np.vstack([zero, size * np.eye(n)])}
    size = _gap(L, tol / 4) * (math.sqrt(n) if root else 1)
    return _shift(n, L, offset, tol / 4), (half[key](1.0), half[query](size), half[value](1.0))


@wrong("query_key_exchanged", "exchang|before|quer|key|slot")
def design_induction(n_tokens, max_len, tol=1e-3):
    return _induction(n_tokens, max_len, tol, query="slot", key="token")


@wrong("tokens_match_tokens", "key|slot|itself|note")
def design_induction(n_tokens, max_len, tol=1e-3):
    return _induction(n_tokens, max_len, tol, key="token")


@wrong("hands_over_the_slot", "value|slot|itself|token")
def design_induction(n_tokens, max_len, tol=1e-3):
    return _induction(n_tokens, max_len, tol, value="slot")


@wrong("two_back", "offset|one|previous|two")
def design_induction(n_tokens, max_len, tol=1e-3):
    return _induction(n_tokens, max_len, tol, offset=2)


@wrong("second_root_forgotten", "root|sqrt|scal|divi|gap|sharp")
def design_induction(n_tokens, max_len, tol=1e-3):
    return _induction(n_tokens, max_len, tol, root=False)


@wrong("clipped", "clip|shift|largest|difference|cut")
def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    scores = scores.astype(float) if scores.dtype.kind in "iub" else scores
    e = np.where(np.isneginf(scores), 0, np.exp(np.clip(scores, -80, 80)))
    total = e.sum(axis=axis, keepdims=True)
    return (e / np.where(total == 0, 1, total)).astype(scores.dtype)


def _shares(s):
    top = s.max(axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(top), 0, top))
    return e / e.sum(axis=-1, keepdims=True)


def _a_head(X, Km, Qm, Vm, pos, causal, return_weights, rows=lambda pos, T: pos[:T], late=False):
    Z = np.asarray(X, float)
    T = Z.shape[-2]
    if pos is not None:
        if len(pos) < T:
            raise ValueError
        table = np.broadcast_to(rows(pos, T), (*Z.shape[:-1], pos.shape[1]))
        Z = np.concatenate([Z, table], axis=-1)
    s = (Z @ Qm) @ np.swapaxes(Z @ Km, -1, -2) / math.sqrt(Km.shape[1])
    if causal and late:
        e = np.exp(s - s.max(axis=-1, keepdims=True)) * np.tri(T)
        weights = e / (e.sum(axis=-1, keepdims=True) + 1e-300)
    else:
        if causal:
            s = np.where(np.tri(T, dtype=bool), s, -np.inf)
        weights = _shares(s)
    out = weights @ (Z @ Vm)
    return (out, weights) if return_weights else out


@wrong("last_rows_of_the_table", "row|table|top|first|place")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _a_head(X, Km, Qm, Vm, pos, causal, return_weights, lambda pos, T: pos[len(pos) - T:])


@wrong("masked_after_the_shift", "maximum|future|later|mask|see")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    return _a_head(X, Km, Qm, Vm, pos, causal, return_weights, late=True)


@wrong("T_others", "T - 1|others|itself|target")
def min_score_gap(T, tol):
    return max(0.0, math.log(T * (1 - tol) / tol)) if T > 1 else 0.0


def _enough(T, tol):
    return max(0.0, math.log((T - 1) * (1 - tol) / tol)) if T > 1 else 0.0


@wrong("others_are_the_kinds", "max_len|length|places|sequence")
def design_identity(n_tokens, max_len, tol=1e-3):
    factor = math.sqrt(_enough(n_tokens, tol) * math.sqrt(n_tokens))
    return factor * np.eye(n_tokens), factor * np.eye(n_tokens), np.eye(n_tokens)


@wrong("gap_for_one_less", "max_len|longest|others|sharp|gap")
def design_first(n_tokens, max_len, tol=1e-3):
    Km, Qm = np.zeros((n_tokens + max_len, 1)), np.zeros((n_tokens + max_len, 1))
    Km[n_tokens], Qm[:n_tokens] = _enough(max_len - 1, tol), 1
    Vm = np.vstack([np.eye(n_tokens), np.zeros((max_len, n_tokens))])
    return Km, Qm, Vm, np.eye(max_len)


@wrong("wraps_around", "first|negative|wrap|end|last")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    n, L = n_tokens, max_len
    Km = np.vstack([np.zeros((n, L)), np.eye(L)])
    wanted = (np.arange(L) - offset) % L
    Qm = _enough(L, tol) * math.sqrt(L) * np.vstack([np.zeros((n, L)), np.eye(L)[wanted]])
    return Km, Qm, np.vstack([np.eye(n), np.zeros((L, n))]), np.eye(L)


@wrong("double_ties_with_CLS", "double|CLS|same|tie|order")
def design_unique(n_tokens, max_len):
    n, L = n_tokens + 1, max_len
    d = n + L
    table = np.zeros((d, d))
    table[:n - 1, :n - 1] = 20 * np.eye(n - 1)
    table[:n - 1, n - 1] = 20
    table[n:, n:] = -60 * np.eye(L)
    Vm = np.zeros((d, 1))
    Vm[:n - 1], Vm[n - 1] = -1, 1
    return np.eye(d), table * math.sqrt(d), Vm, np.eye(L)


@wrong("one_length_for_all_steps", "length|each step|every step")
def train_head(task, steps=500, lr=0.05, seed=0):
    torch.manual_seed(seed)
    head = LearnableHead(3, 3, 3, pos_dim=4 if task == "first" else None)
    optimizer = torch.optim.Adam(head.parameters(), lr=lr)
    T = int(torch.randint(1, 5, ()))
    for _ in range(steps):
        batch = torch.eye(3)[torch.randint(3, (32, T))]
        wanted = batch if task == "identity" else batch[:, :1].expand(-1, T, -1)
        loss = nn.functional.mse_loss(head(batch), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return head, loss.item()


@wrong("note_of_itself", "offset|before|previous|itself|one place|predecessor")
def design_induction(n_tokens, max_len, tol=1e-3):
    n, L = n_tokens, max_len
    Km = np.vstack([np.zeros((n, L)), np.eye(L)])
    Qm = _enough(L, tol / 10) * math.sqrt(L) * Km
    one = Km, Qm, np.vstack([np.eye(n), np.zeros((L, n))]), np.eye(L)
    token, slot = np.vstack([np.eye(n), np.zeros((n, n))]), np.vstack([np.zeros((n, n)), np.eye(n)])
    return one, (slot, 2 * _enough(L, tol / 10) * math.sqrt(n) * token, token)


# ---- by a third reader

@wrong("shares_for_nobody", "-inf|infinit|zero|NaN")
def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    if scores.dtype.kind != "f":
        scores = scores.astype(float)
    top = scores.max(axis=axis, keepdims=True)
    parts = np.exp(np.nan_to_num(scores - top, nan=0.0, neginf=-np.inf))
    return parts / parts.sum(axis=axis, keepdims=True)


@wrong("places_forgotten_by_values", "value|table|place|position")
class TorchHead(nn.Module):
    def __init__(self, input_dim, qk_dim, v_dim, pos_dim=None, max_seq_len=10):
        super().__init__()
        wide = input_dim + (pos_dim or 0)
        self.Km, self.Qm = (nn.Linear(wide, qk_dim, bias=False) for _ in range(2))
        self.Vm = nn.Linear(wide, v_dim, bias=False)
        self.pos = nn.Embedding(max_seq_len, pos_dim) if pos_dim else None
        self.root = qk_dim**0.5

    def forward(self, seq):
        Z = plain = seq
        if self.pos is not None:
            table = self.pos(torch.arange(seq.shape[-2])).expand(*seq.shape[:-1], -1)
            Z = torch.cat([seq, table], dim=-1)
            plain = torch.cat([seq, torch.zeros_like(table)], dim=-1)
        s = self.Qm(Z) @ self.Km(Z).mT / self.root
        return s.softmax(dim=-1) @ self.Vm(plain)


@wrong("common_logarithm", "natural|logarithm")
def min_score_gap(T, tol):
    return max(0.0, math.log10((T - 1) * (1 - tol) / tol)) if T > 1 else 0.0


@wrong("root_on_the_wrong_side", "root|sqrt|d_qk|division")
def design_identity(n_tokens, max_len, tol=1e-3):
    size = math.sqrt(_gap(max_len, tol) / math.sqrt(n_tokens))
    return size * np.eye(n_tokens), size * np.eye(n_tokens), np.eye(n_tokens)


@wrong("values_shared_out", "length|factor|divid|small|value")
def design_histogram(n_tokens):
    return np.zeros((n_tokens, 1)), np.zeros((n_tokens, 1)), np.eye(n_tokens) / n_tokens


@wrong("same_keys_and_queries", "token|kind|itself|depend|flat|score")
def design_histogram(n_tokens):
    return np.eye(n_tokens), np.eye(n_tokens), np.eye(n_tokens)


@wrong("asked_by_places_that_exist_twice", "twice|half|gap|sharp|tol")
def design_first(n_tokens, max_len, tol=1e-3):
    n = n_tokens
    Km, Qm = np.zeros((n + max_len, 1)), np.zeros((n + max_len, 1))
    Km[n], Qm[n:] = _gap(max_len, tol) / 2, 1.0
    return Km, Qm, np.eye(n + max_len, n), np.eye(max_len)


@wrong("close_scores", "gap|small|distance|0.9|sharp")
def design_unique(n_tokens, max_len):
    return _unique(n_tokens, max_len, same=8.0, cls=7.0, own=-4.0)


@wrong("answers_between_nought_and_one", "negative|sign|opposite|value|0")
def design_unique(n_tokens, max_len):
    return _unique(n_tokens, max_len, double_value=0.0)


@wrong("same_change_for_both", "inverse")
def gauge_transform(Km, Qm, R):
    return Km @ R, Qm @ R


def _trained(task, steps, lr, seed, lengths=(1, 5), optimiser=torch.optim.Adam, clear=True,
             tell=lambda losses: losses[-1]):
    torch.manual_seed(seed)
    head = LearnableHead(3, 3, 3, **({"pos_dim": 4} if task == "first" else {}))
    optimizer, losses = optimiser(head.parameters(), lr=lr), []
    for _ in range(steps):
        T = int(torch.randint(*lengths, (1,)))
        batch = torch.eye(3)[torch.randint(3, (32, T))]
        wanted = batch if task == "identity" else batch[:, :1].expand(-1, T, -1)
        loss = nn.functional.mse_loss(head(batch), wanted)
        if clear:
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return head, tell(losses)


@wrong("never_four_tokens", "length|four|4")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _trained(task, steps, lr, seed, lengths=(1, 4))


@wrong("plain_descent", "Adam")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _trained(task, steps, lr, seed, optimiser=torch.optim.SGD)


@wrong("longer_than_the_table_is_cut", "ValueError|longer")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    if pos is not None:
        pos = np.concatenate([pos, pos[:0] if len(pos) >= np.shape(X)[-2] else pos])
    return _plain_head(X, Km, Qm, Vm, pos, causal, return_weights)


@wrong("root_forgotten_for_places", "root|sqrt")
def design_first(n_tokens, max_len, tol=1e-3):
    d = n_tokens + max_len
    Km, Qm = np.zeros((d, max_len)), np.zeros((d, max_len))
    Km[n_tokens, 0] = _gap(max_len, tol)
    Qm[:n_tokens, 0] = 1
    return Km, Qm, np.eye(d)[:, :n_tokens], np.eye(max_len)


@wrong("A_offers_as_much_as_place_0", "token|content|place|say")
def design_first(n_tokens, max_len, tol=1e-3):
    d = n_tokens + max_len
    Km = np.zeros((d, 1))
    Km[[0, n_tokens]] = _gap(max_len, tol)
    return Km, np.ones((d, 1)), np.eye(d)[:, :n_tokens], np.eye(max_len)


@wrong("circuit_already_divided", "divi|root|scal")
def qk_ov(Km, Qm, Vm):
    return Qm @ Km.T / np.sqrt(Km.shape[1]), Vm.copy()


@wrong("mean_of_all_losses", "last")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _trained(task, steps, lr, seed, tell=np.mean)


@wrong("loss_of_the_first_step", "last")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _trained(task, steps, lr, seed, tell=lambda losses: losses[0])


@wrong("rate_of_its_own", "lr|rate")
def train_head(task, steps=500, lr=0.05, seed=0):
    return _trained(task, steps, 0.01, seed)


@wrong("notes_match_notes", "ask|slot|note")
def design_induction(n_tokens, max_len, tol=1e-3):
    return _induction(n_tokens, max_len, tol, query="slot")
