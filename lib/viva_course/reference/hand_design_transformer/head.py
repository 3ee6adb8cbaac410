"""The attention head as a formula in numpy."""
import numpy as np

from .common import floating
from .softmax import stable_softmax


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
    X, Km, Qm, Vm = (floating(a) for a in (X, Km, Qm, Vm))
    T = X.shape[-2]
    if pos is None:
        Z = X                                                               # (..., T, d)
    else:
        pos = floating(pos)
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
