"""Networks with places to go wrong: what mistakes and variants of GPT are made of."""

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    bend = staticmethod(F.gelu)

    def __init__(self, d, h, residual=True):
        super().__init__()
        self.attend = nn.MultiheadAttention(d, h, batch_first=True)
        self.one, self.two, self.residual = nn.LayerNorm(d), nn.LayerNorm(d), residual
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x, mask):
        z = self.one(x)
        z = self.attend(z, z, z, attn_mask=mask, need_weights=False)[0]
        x = x + z if self.residual else z
        z = self.down(self.bend(self.up(self.two(x))))
        return x + z if self.residual else z


class PostNorm(Block):
    def forward(self, x, mask):
        x = self.one(x + self.attend(x, x, x, attn_mask=mask, need_weights=False)[0])
        return self.two(x + self.down(F.gelu(self.up(x))))


class Relu(Block):
    bend = staticmethod(F.relu)


class OneNorm(Block):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.unused, self.two = self.two, self.one


class Base(nn.Module):
    """A GPT with places to go wrong."""

    residual, kind = True, Block

    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__()
        self.block, self.V = block, V
        self.token, self.place = nn.Embedding(V, d), nn.Embedding(block, d)
        self.blocks = nn.ModuleList([self.kind(d, h, self.residual) for _ in range(n)])
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
        self.start()

    def start(self):
        for parameter in self.parameters():
            if parameter.ndim > 1:
                nn.init.normal_(parameter, std=0.02)

    def mask(self, T):
        return torch.ones(T, T, dtype=torch.bool).triu(1)

    def embed(self, idx):
        return self.token(idx) + self.place.weight[: idx.shape[1]]

    def loss(self, logits, targets):
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)

    def check(self, T):
        if T > self.block:
            raise ValueError("too long")

    def forward(self, idx, targets=None):
        self.check(idx.shape[1])
        x = self.embed(idx)
        for block in self.blocks:
            x = block(x, self.mask(idx.shape[1]))
        logits = self.head(self.norm(x))
        return logits, None if targets is None else self.loss(logits, targets)


class BareBlock(nn.Module):
    """A block of bare parameters: products from the right, and a LayerNorm of one's own."""

    def __init__(self, d, h):
        super().__init__()
        sizes = {"q": (d, d), "k": (d, d), "v": (d, d), "o": (d, d), "up": (d, 4 * d),
                 "down": (4 * d, d)}
        self.h = h
        self.w = nn.ParameterDict({name: nn.Parameter(0.02 * torch.randn(size))
                                   for name, size in sizes.items()})
        self.b = nn.ParameterDict({name: nn.Parameter(torch.zeros(size[1]))
                                   for name, size in sizes.items()})
        self.scale = nn.ParameterList([torch.ones(d), torch.ones(d)])
        self.shift = nn.ParameterList([torch.zeros(d), torch.zeros(d)])

    def norm(self, i, x):
        x = x - x.mean(-1, keepdim=True)
        x = x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt()
        return x * self.scale[i] + self.shift[i]

    def forward(self, x):
        z = self.norm(0, x)
        q, k, v = ((z @ self.w[name] + self.b[name]).unflatten(-1, (self.h, -1)).transpose(1, 2)
                   for name in "qkv")
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + heads.transpose(1, 2).flatten(2) @ self.w["o"] + self.b["o"]
        z = F.gelu(self.norm(1, x) @ self.w["up"] + self.b["up"], approximate="tanh")
        return x + z @ self.w["down"] + self.b["down"]
