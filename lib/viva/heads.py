"""Sequences like "ABCC", and attention heads run on them by torch."""
from itertools import product

import numpy as np
import torch
from torch.nn import functional as F


def tokens(text):
    """The letters of `text` as numbers: "ABCC" -> [0, 1, 2, 2]."""
    return [ord(letter) - ord("A") for letter in text]


def one_hot(sequence, n_tokens):
    """One-hot rows (T, n_tokens) of a sequence of numbers, or of letters A, B, C, ..."""
    numbers = tokens(sequence) if isinstance(sequence, str) else sequence
    return np.eye(n_tokens)[np.asarray(numbers, dtype=int)]


def all_sequences(n_tokens, max_len):
    """Every sequence of length 1..max_len as a tuple of numbers: n + n^2 + ... of them."""
    for length in range(1, max_len + 1):
        yield from product(range(n_tokens), repeat=length)


def letters(rows):
    """The nearest tokens of output rows (T, n) as letters: the inverse of `one_hot`."""
    return "".join(chr(ord("A") + int(i)) for i in np.argmax(rows, axis=-1))


def apply_head(X, Km, Qm, Vm, pos=None, causal=False):
    """Output (..., T, d_v) of one head on X (..., T, d_in), in float64.

    Km, Qm (d_in + d_pos, d_qk), Vm (d_in + d_pos, d_v), pos (L, d_pos) with L >= T or None;
    with `causal` row i sees the columns j <= i only. Returns a numpy array.
    """
    Z = torch.tensor(np.asarray(X, dtype=float))                            # (..., T, d_in)
    if pos is not None:
        table = torch.tensor(np.asarray(pos, dtype=float)[: Z.shape[-2]])   # (T, d_pos)
        Z = torch.cat([Z, table.expand(*Z.shape[:-1], -1)], dim=-1)         # (..., T, d)
    K, Q, V = (Z @ torch.tensor(np.asarray(M, dtype=float)) for M in (Km, Qm, Vm))
    return F.scaled_dot_product_attention(Q, K, V, is_causal=causal).numpy()
