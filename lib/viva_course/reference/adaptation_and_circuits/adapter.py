"""A linear layer with a low-rank update."""

import torch
from torch import nn


class LoRALinear(nn.Module):
    """x (W_0 + (alpha / k) A B)^T + b with a frozen W_0 (m, l), A (m, k) = 0, B (k, l) random.

    base: an nn.Linear; k from 1 to min(m, l), else ValueError; alpha is k if it is not given
    """

    def __init__(self, base, k, alpha=None):
        super().__init__()
        m, l = base.weight.shape
        if not 1 <= k <= min(m, l):
            raise ValueError(f"rank {k} is not between 1 and {min(m, l)}")
        self.base = base.requires_grad_(False)
        self.scale = (k if alpha is None else alpha) / k
        like = {"dtype": base.weight.dtype, "device": base.weight.device}
        self.A = nn.Parameter(torch.zeros(m, k, **like))
        self.B = nn.Parameter(torch.randn(k, l, **like) / l**0.5)

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.B.T) @ self.A.T  # (..., m)

    def merged_weight(self):
        return self.base.weight + self.scale * self.A @ self.B  # (m, l)
