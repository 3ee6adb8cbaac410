"""Heads of attention, joined by concatenation or by addition. Columns are tokens."""

import numpy as np


def head_patterns(X, WQ, WK, causal=False):
    """softmax over keys of (W_Q X)^T (W_K X) / sqrt(d_head): (n, n), rows are queries."""
    scores = (WQ @ X).T @ (WK @ X) / np.sqrt(len(WQ))
    if causal:
        scores = np.where(np.tri(X.shape[1], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def multihead_concat(X, heads, WO, causal=False):
    """W_O [r^1; ...; r^H] with r^h = W_V X P^T (d_head, n), P the pattern: (d_model, n)."""
    rows = [WV @ X @ head_patterns(X, WQ, WK, causal).T for WQ, WK, WV in heads]
    return WO @ np.concatenate(rows)


def multihead_additive(X, heads, WO, causal=False):
    """[W_O^1 r^1, ..., W_O^H r^H], each (d_model, n); W_O^h are the columns that belong to h."""
    parts, start = [], 0
    for WQ, WK, WV in heads:
        block = WO[:, start : start + len(WV)]
        parts.append(block @ WV @ X @ head_patterns(X, WQ, WK, causal).T)
        start += len(WV)
    return parts
