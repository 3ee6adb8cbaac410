"""Causal self-attention with several heads."""

from torch import nn


class CausalSelfAttention(nn.Module):
    """Softmax attention of every token to itself and the tokens before it.

    d features, h heads, projections q, k, v, o; x (B, T, d) -> (B, T, d)
    """

    def __init__(self, d, h):
        super().__init__()
        if d % h:
            raise ValueError(f"{h} heads do not divide {d} features")
        self.h = h
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (p(x).view(B, T, self.h, d // self.h).transpose(1, 2)  # (B, h, T, d / h)
                   for p in (self.q, self.k, self.v))
        scores = q @ k.transpose(-1, -2) / (d // self.h) ** 0.5
        future = scores.new_ones(T, T).triu(1).bool()
        weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
        return self.o((weights @ v).transpose(1, 2).reshape(B, T, d))
