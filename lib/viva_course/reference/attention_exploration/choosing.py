"""Choosing one value, and blending them all."""

import torch


def hard_attention(q, K, V):
    """v_i of the key with the largest k_i . q, the first of equals: q (d,), K (n, d), V (n, e)."""
    scores = (K @ q).tolist()
    return V[scores.index(max(scores))]  # (e,)


def soft_attention(q, K, V, temp=1.0):
    """sum_i p_i v_i with p = softmax(K q / temp), temp > 0; keeps dtype and gradients."""
    return torch.softmax(K @ q / temp, dim=-1) @ V  # (e,)
