"""A small GPT."""

import torch
from torch import nn
from torch.nn import functional as F


class _Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.before, self.between = h, nn.LayerNorm(d), nn.LayerNorm(d)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        B, T, d = x.shape
        z = self.before(x)
        q, k, v = (p(z).view(B, T, self.h, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(heads.transpose(1, 2).reshape(B, T, d))
        return x + self.mlp(self.between(x))


class GPT(nn.Module):
    """Pre-norm blocks, learned positions, head without bias and not tied; weights N(0, 0.02^2).

    forward(idx (B, T), targets (B, T) or None) -> (logits (B, T, V), loss or None): the loss is the
    mean cross-entropy over targets that are not PAD (0). More than `block` tokens: ValueError
    """

    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__()
        self.block = block
        self.token, self.place = nn.Embedding(V, d), nn.Embedding(block, d)
        self.blocks = nn.ModuleList(_Block(d, h) for _ in range(n))
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
        self.apply(self._start)

    @staticmethod
    def _start(module):
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
        if getattr(module, "bias", None) is not None and isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)

    def forward(self, idx, targets=None):
        T = idx.shape[1]
        if T > self.block:
            raise ValueError(f"{T} tokens, at most {self.block}")
        x = self.token(idx) + self.place(torch.arange(T))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)
