"""Dropout as a torch module."""

import torch
from torch import nn


class Dropout(nn.Module):
    """Zero each entry with probability p and divide the others by 1 - p; nothing in eval mode.

    p: the probability to drop, in [0, 1); anything else raises ValueError
    """

    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"p must be in [0, 1), not {p}")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
