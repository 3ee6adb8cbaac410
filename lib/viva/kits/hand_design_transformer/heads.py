"""Sequences like "ABCC", and attention heads run on them by torch."""
import functools
from itertools import product

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.modules.module import register_module_forward_hook


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


def attend(X, Km, Qm, Vm, pos=None, causal=False):
    """Output (..., T, d_v) of one head on tensors: X (..., T, d_in), the rest as in apply_head."""
    if pos is not None:
        rows = pos[: X.shape[-2]]                                           # (T, d_pos)
        X = torch.cat([X, rows.expand(*X.shape[:-1], -1)], dim=-1)          # (..., T, d)
    return F.scaled_dot_product_attention(X @ Qm, X @ Km, X @ Vm, is_causal=causal)


def apply_head(X, Km, Qm, Vm, pos=None, causal=False):
    """Output (..., T, d_v) of one head on X (..., T, d_in), in float64.

    Km, Qm (d_in + d_pos, d_qk), Vm (d_in + d_pos, d_v), pos (L, d_pos) with L >= T or None;
    with `causal` row i sees the columns j <= i only. Returns a numpy array.
    """
    given = (X, Km, Qm, Vm) if pos is None else (X, Km, Qm, Vm, pos)
    arrays = [np.array(each, dtype=float, order="C") for each in given]
    return _attended(causal, *((each.shape, each.tobytes()) for each in arrays)).copy()


@functools.lru_cache(maxsize=512)
def _attended(causal, *parts):
    """`attend` for arrays given as (shape, bytes); the same sequence is often run again."""
    tensors = [torch.from_numpy(np.frombuffer(bytearray(data)).reshape(shape))
               for shape, data in parts]
    return attend(*tensors, causal=causal).numpy()


class LearnableHead(nn.Module):
    """A head whose matrices can be trained: parameters Km, Qm (d, qk_dim) and Vm (d, v_dim).

    d = input_dim + pos_dim; pos (max_seq_len, pos_dim) is a parameter too, or None without
    pos_dim. It starts from random matrices: torch.manual_seed says which.
    """

    def __init__(self, input_dim, qk_dim, v_dim, pos_dim=None, max_seq_len=10):
        super().__init__()
        d = input_dim + (pos_dim or 0)
        self.Km, self.Qm, self.Vm = (
            nn.Parameter((2 * torch.rand(d, columns) - 1) / d**0.5)
            for columns in (qk_dim, qk_dim, v_dim))
        self.pos = nn.Parameter(torch.randn(max_seq_len, pos_dim)) if pos_dim else None

    def forward(self, X):
        """Output (..., T, v_dim) for X (..., T, input_dim)."""
        return attend(X, self.Km, self.Qm, self.Vm, self.pos)


def head_matrices(head):
    """Km, Qm, Vm (, pos) of a LearnableHead or a TorchHead as numpy arrays, for apply_head."""
    parts = [head.Km, head.Qm, head.Vm]
    if isinstance(head.Km, nn.Linear):                   # nn.Linear stores the transpose
        parts = [part.weight.T for part in parts]
    if head.pos is not None:
        parts.append(head.pos.weight if isinstance(head.pos, nn.Embedding) else head.pos)
    return [part.detach().numpy() for part in parts]


def learning_curve(train_head, task, **options):
    """Train, and watch: the head, and its mean squared error on every batch that it was shown."""
    shown = []
    hook = register_module_forward_hook(
        lambda module, given, output: shown.append((module, given[0], output.detach())))
    try:
        head, _ = train_head(task, **options)
    finally:
        hook.remove()
    batches = [(X if task == "identity" else X[:, :1], output)
               for module, X, output in shown if module is head]
    return head, [((output - wanted) ** 2).mean().item() for wanted, output in batches]
