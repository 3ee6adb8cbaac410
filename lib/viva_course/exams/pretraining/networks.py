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

    def attention(self, z, mask):
        return self.attend(z, z, z, attn_mask=mask, need_weights=False)[0]

    def mlp(self, z):
        return self.down(self.bend(self.up(z)))

    def forward(self, x, mask):
        z = self.attention(self.one(x), mask)
        x = x + z if self.residual else z
        z = self.mlp(self.two(x))
        return x + z if self.residual else z


class PostNorm(Block):
    def forward(self, x, mask):
        x = self.one(x + self.attention(x, mask))
        return self.two(x + self.mlp(x))


class Parallel(Block):
    def forward(self, x, mask):
        return x + self.attention(self.one(x), mask) + self.mlp(self.two(x))


class MlpFirst(Block):
    def forward(self, x, mask):
        x = x + self.mlp(self.two(x))
        return x + self.attention(self.one(x), mask)


class AttentionReplaces(Block):
    def forward(self, x, mask):
        x = self.attention(self.one(x), mask)
        return x + self.mlp(self.two(x))


class MlpReplaces(Block):
    def forward(self, x, mask):
        return self.mlp(self.two(x + self.attention(self.one(x), mask)))


def heads(count):
    """A block with so many heads, whatever is asked."""

    class Heads(Block):
        def __init__(self, d, h, residual=True):
            super().__init__(d, count, residual)

    return Heads


class Own(Block):
    """Attention written out, from the same weights."""

    def scale(self, size, d):
        return size**0.5

    def hidden(self, scores, mask):
        return scores.masked_fill(mask, -torch.inf)

    def join(self, x):
        return x.transpose(1, 2).flatten(2)

    def attention(self, z, mask):
        h, d = self.attend.num_heads, z.shape[-1]
        qkv = F.linear(z, self.attend.in_proj_weight, self.attend.in_proj_bias)
        q, k, v = (each.unflatten(-1, (h, -1)).transpose(1, 2) for each in qkv.chunk(3, dim=-1))
        scores = q @ k.mT / self.scale(d // h, d)
        weights = self.hidden(scores, mask).softmax(dim=-1)
        return self.attend.out_proj(self.join(weights @ v))


class Unscaled(Own):
    def scale(self, size, d):
        return 1.0


class ScaledByD(Own):
    def scale(self, size, d):
        return d**0.5


class Strict(Own):
    def hidden(self, scores, mask):
        return scores - 1e9 * (mask | torch.eye(len(mask), dtype=torch.bool))


class StrictFilled(Own):
    def hidden(self, scores, mask):
        return scores.masked_fill(mask | torch.eye(len(mask), dtype=torch.bool), -1e9)


class JoinedByView(Own):
    def join(self, x):
        B, h, T, e = x.shape
        return x.reshape(B, T, h * e)


class NormedStream(Block):
    def forward(self, x, mask):
        x = self.one(x)
        x = self.two(x + self.attention(x, mask))
        return x + self.mlp(x)


class Relu(Block):
    bend = staticmethod(F.relu)


class OneNorm(Block):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.unused, self.two = self.two, self.one


WRONG = {  # hints and blocks
    "one_head": ("There is one head here, whatever h is: cut the features into h heads.",
                 heads(1)),
    "two_heads": ("There are two heads here, whatever h is.",
                  heads(2)),
    "parallel": ("Attention and MLP read the same stream, side by side; the MLP must read it "
                 "after attention has written to it.",
                 Parallel),
    "mlp_first": ("The order is exchanged: attention comes first, then the MLP.",
                  MlpFirst),
    "attention_replaces": ("What attention computes replaces the stream; it must be added to it.",
                           AttentionReplaces),
    "mlp_replaces": ("What the MLP computes replaces the stream; it must be added to it.",
                     MlpReplaces),
    "unscaled": ("The scores are not divided by the root of the size of a head.",
                 Unscaled),
    "scaled_by_d": ("The scores are divided by the root of d; the size of a head, d / h, counts.",
                    ScaledByD),
    "strict": ("A token must see itself: the mask hides the diagonal too.",
               Strict),
    "strict_filled": ("A token must see itself: the mask hides the diagonal too.",
                      StrictFilled),
    "joined_by_view": ("The heads are joined without a transpose, which mixes tokens: move them "
                       "behind the tokens first.",
                       JoinedByView),
    "post_norm": ("A LayerNorm stands before attention and before the MLP, on what they read; "
                  "here it stands on the stream, after the addition.",
                  PostNorm),
    "normed_stream": ("The LayerNorms normalise the stream itself; only what attention and MLP "
                      "read is normalised, inside the sum.",
                      NormedStream),
    "one_norm": ("Attention and MLP have a LayerNorm each; here one of them is never used.",
                 OneNorm),
    "relu": ("The MLP has a GELU between its two layers, and nothing before the first.",
             Relu),
}


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


class Fused(nn.Module):
    """One matrix for queries, keys and values."""

    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__()
        self.h, self.longest = h, block
        self.wte, self.wpe = nn.Embedding(V, d), nn.Parameter(torch.empty(block, d))
        self.layers = nn.ModuleList([nn.ModuleDict({
            "ln1": nn.LayerNorm(d), "qkv": nn.Linear(d, 3 * d), "proj": nn.Linear(d, d),
            "ln2": nn.LayerNorm(d), "fc": nn.Linear(d, 4 * d), "out": nn.Linear(4 * d, d),
        }) for _ in range(n)])
        self.ln, self.lm_head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
        for parameter in self.parameters():
            if parameter.ndim > 1:
                nn.init.normal_(parameter, 0.0, 0.02)

    def forward(self, idx, targets=None):
        B, T = idx.shape
        if T > self.longest:
            raise ValueError("sequence too long")
        x = self.wte(idx) + self.wpe[:T]
        for layer in self.layers:
            q, k, v = layer["qkv"](layer["ln1"](x)).chunk(3, dim=-1)
            q, k, v = (t.reshape(B, T, self.h, -1).transpose(1, 2) for t in (q, k, v))
            scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
            scores = scores + torch.full((T, T), -torch.inf).triu(1)
            y = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1)
            x = x + layer["proj"](y)
            x = x + layer["out"](F.gelu(layer["fc"](layer["ln2"](x))))
        logits = self.lm_head(self.ln(x))
        if targets is None:
            return logits, None
        asked = targets != 0
        return logits, F.cross_entropy(logits[asked], targets[asked])


class Bare(nn.Module):
    """Bare parameters, GELU by tanh."""

    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__()
        self.words = nn.Parameter(0.02 * torch.randn(V, d))
        self.places = nn.Parameter(0.02 * torch.randn(1, block, d))
        self.blocks = nn.Sequential(*(BareBlock(d, h) for _ in range(n)))
        self.last, self.head = nn.LayerNorm(d), nn.Parameter(0.02 * torch.randn(d, V))

    def forward(self, idx, targets=None):
        if idx.shape[1] > self.places.shape[1]:
            raise ValueError("too long")
        logits = self.last(self.blocks(self.words[idx] + self.places[:, :idx.shape[1]])) @ self.head
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=0)
