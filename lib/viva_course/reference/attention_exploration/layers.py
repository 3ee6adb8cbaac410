"""A layer of several heads, each with matrices of its own."""

import torch


def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    """Causal attention of several heads: (out (B, T, D), weights (B, heads, T, T)).

    x (B, T, D), W_Q and W_K (D, heads d), W_V (D, heads e), W_O (heads e, D); head h owns the h-th
    block of columns. turns (T, d, d): queries and keys of position t are multiplied by turns[t].
    """
    if W_Q.shape[1] % heads or W_V.shape[1] % heads:
        raise ValueError(f"the columns cannot be divided among {heads} heads")
    q, k, v = ((x @ W).unflatten(-1, (heads, -1)).transpose(1, 2) for W in (W_Q, W_K, W_V))
    if turns is not None:
        q, k = ((each[..., None, :] @ turns)[..., 0, :] for each in (q, k))  # (B, heads, T, d)
    scores = q @ k.mT / q.shape[-1] ** 0.5  # (B, heads, T, T)
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    weights = scores.masked_fill(future, -torch.inf).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ W_O, weights
