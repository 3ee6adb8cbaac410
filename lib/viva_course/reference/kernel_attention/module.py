"""Multi-head linear attention as a torch module."""
from torch import nn

from . import differentiable


class MultiHeadLinearAttention(nn.Module):
    """Linear attention with phi(x) = elu(x) + 1 in every head, batch first.

    Projections q, k, v, o are nn.Linear(embed_dim, embed_dim); head h owns the features
    h d .. (h + 1) d - 1 with d = embed_dim / num_heads. (B, N, E) -> (B, N, E)
    """

    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.num_heads, self.causal = num_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x):
        """x (B, N, E) -> (B, N, E)."""
        heads = (self.num_heads, x.shape[-1] // self.num_heads)  # h, d
        q, k, v = (
            project(x).unflatten(-1, heads).transpose(1, 2)  # (B, h, N, d)
            for project in (self.q, self.k, self.v)
        )
        q, k = differentiable.elu_features(q), differentiable.elu_features(k)
        if self.causal:
            mixed = differentiable.causal_linear_attention(q, k, v)
        else:
            mixed = differentiable.linear_attention(q, k, v)
        return self.o(mixed.transpose(1, 2).flatten(2))  # (B, N, E)
