"""The attention head as formulas in numpy."""
import numpy as np


def _floating(x):
    """`x` as an array that keeps a floating dtype and makes float64 of everything else."""
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def stable_softmax(scores, axis=-1):
    r"""Softmax along `axis`, $e^{s_i-m} / \sum_j e^{s_j-m}$ with $m = \max_j s_j$.

    scores  (...) any shape; a floating dtype is kept, anything else becomes float64
    Returns the weights, (...) as `scores`. An entry -inf gets weight 0 and a slice that is
    -inf throughout becomes zeros. `scores` is not modified.
    """
    scores = _floating(scores)
    top = scores.max(axis=axis, keepdims=True)
    # In a slice of -inf only, -inf - (-inf) would be NaN: shift such a slice by 0 instead.
    weights = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    r"""One head without bias: $A V$ with $A = \mathrm{softmax}(QK^T/\sqrt{d_{qk}})$.

    $K = ZK_m$, $Q = ZQ_m$, $V = ZV_m$; $Z = [X, pos_{:T}]$, or $X$ when `pos` is None.
    X         (..., T, d_in) any leading batch axes
    Km, Qm    (d_in + d_pos, d_qk)
    Vm        (d_in + d_pos, d_v)
    pos       (L, d_pos) positional table with L >= T, or None
    causal    True lets row i see the columns j <= i only
    Returns the output (..., T, d_v), and with `return_weights` also A (..., T, T), whose rows
    belong to queries and sum to one. Raises ValueError when T > L. No argument is modified.
    """
    X, Km, Qm, Vm = (_floating(a) for a in (X, Km, Qm, Vm))
    T = X.shape[-2]
    if pos is None:
        Z = X                                                               # (..., T, d)
    else:
        pos = _floating(pos)
        if T > len(pos):
            raise ValueError(f"{T} tokens, but the positional table has {len(pos)} rows")
        table = np.broadcast_to(pos[:T], (*X.shape[:-1], pos.shape[1]))
        Z = np.concatenate([X, table], axis=-1)                             # (..., T, d)
    K, Q, V = Z @ Km, Z @ Qm, Z @ Vm                                        # (..., T, d_*)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Km.shape[1]).astype(K.dtype)  # (..., T, T)
    if causal:
        scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    weights = stable_softmax(scores)
    out = weights @ V                                                       # (..., T, d_v)
    return (out, weights) if return_weights else out


def min_score_gap(T, tol):
    r"""Smallest score gap $g = \max(0, \ln((T-1)(1-tol)/tol))$ that isolates one of T tokens.

    A target with score g against T - 1 competitors with score 0 keeps at least the mass
    1 - tol. The gap is meant after the division by $\sqrt{d_{qk}}$.
    T    number of tokens, at least 1
    tol  mass the competitors may have together, between 0 and 1
    """
    if T < 1 or not 0 < tol < 1:
        raise ValueError(f"need T >= 1 and 0 < tol < 1, got T={T}, tol={tol}")
    if T == 1:
        return 0.0
    return max(0.0, float(np.log(T - 1) + np.log1p(-tol) - np.log(tol)))
