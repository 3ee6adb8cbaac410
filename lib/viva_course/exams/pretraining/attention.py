"""Exam of CausalSelfAttention."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from viva.case import outcome
from viva.cases.pretraining.attention import attend, weights_of
from viva_course.reference import pretraining as reference
from viva_course.rubric import Exercise, altered

attention = Exercise(
    "CausalSelfAttention",
    expects="from (B, T, d) to (B, T, d): each token attends to itself and the tokens before it",
    forbidden=("F.scaled_dot_product_attention", "nn.MultiheadAttention"),
    survivors={
        "CausalSelfAttention.forward: scores = q @ k.transpose(-1, -2) / math.sqrt(d // self.h) -> "
        "scores = q @ k.transpose(-1, 2) / math.sqrt(d // self.h)": "of four axes, 2 is -2",
    },
)

attention.values(5, "The output must be causal softmax attention with the same weights.")


def _fused(h, weights, x):
    """By torch's own routine."""
    q, k, v = (torch.tensor(x @ w.T + b) for w, b in (weights[name] for name in "qkv"))
    split = [each.unflatten(-1, (h, -1)).transpose(1, 2) for each in (q, k, v)]
    heads = F.scaled_dot_product_attention(*split, is_causal=True).transpose(1, 2).flatten(2)
    return heads.numpy() @ weights["o"][0].T + weights["o"][1]


@attention.item(2.5, "It must agree with torch's fused attention, is_causal=True.",
                name="as torch's own")
def as_torch_s_own(exam, CausalSelfAttention):
    for d, h, B, T in ((8, 4, 3, 7), (10, 1, 1, 3), (9, 3, 2, 6)):
        weights, x = weights_of(exam.rng, d), exam.rng.normal(size=(B, T, d))
        exam.same(attend(CausalSelfAttention, d, h, weights, x), _fused(h, weights, x),
                  rtol=1e-9, atol=1e-9)


@attention.item(2, "Output t does not depend on inputs after t, and does depend on input t and "
                "those before.")
def no_gradient_from_the_future(exam, CausalSelfAttention):
    weights, x = weights_of(exam.rng, 6), exam.rng.normal(size=(1, 6, 6))
    for t in (0, 2, 5):
        g = np.zeros((1, 6, 6))
        g[:, t] = exam.rng.normal(size=6)
        flow = np.abs(attend(CausalSelfAttention, 6, 2, weights, x, g)[0]).max(axis=(0, 2))
        exam.true((flow[t + 1 :] == 0).all(), f"output {t} depends on a later token")
        exam.true((flow[: t + 1] > 1e-9).all(), f"output {t} misses a token before it")


@attention.item(1.5, "Gradients of input and weights are the formula's.")
def it_can_be_trained(exam, CausalSelfAttention):
    weights, x = weights_of(exam.rng, 6), exam.rng.normal(size=(2, 4, 6))
    g = exam.rng.normal(size=(2, 4, 6))
    exam.same(attend(CausalSelfAttention, 6, 3, weights, x, g),
              attend(reference.CausalSelfAttention, 6, 3, weights, x, g), rtol=1e-8, atol=1e-8)


@attention.item(1, "h must divide d (ValueError); a single token works, and 300 do.", name="heads")
def ask_heads(exam, CausalSelfAttention):
    weights, x = weights_of(exam.rng, 6), exam.rng.normal(size=(2, 1, 6))
    exam.same(attend(CausalSelfAttention, 6, 3, weights, x), _fused(3, weights, x), atol=1e-9)
    x = exam.rng.normal(size=(1, 300, 6))
    exam.same(attend(CausalSelfAttention, 6, 3, weights, x), _fused(3, weights, x), atol=1e-9)
    for d, h in ((7, 2), (6, 4)):
        raised = outcome(CausalSelfAttention, d, h)
        exam.true(raised in ("ValueError", "AssertionError"), f"d = {d}, h = {h} gave {raised}")


class _Base(nn.Module):
    """The layer with places to go wrong."""

    def __init__(self, d, h):
        super().__init__()
        if d % h:
            raise ValueError("heads")
        self.h = h
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def split(self, x):
        return x.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def join(self, x):
        return x.transpose(1, 2).flatten(2)

    def scale(self, d):
        return (d // self.h) ** -0.5

    def weights(self, scores):
        T = scores.shape[-1]
        hidden = torch.ones(T, T, dtype=torch.bool).triu(1)
        return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)

    def forward(self, x):
        q, k, v = (self.split(p(x)) for p in (self.q, self.k, self.v))
        return self.o(self.join(self.weights(q @ k.mT * self.scale(x.shape[-1])) @ v))


attention.mistakes_of(CausalSelfAttention={
    "none": ("Every token sees all others: the mask is missing.",
             altered(_Base, weights=lambda self, scores: scores.softmax(dim=-1))),
    "zero": ("A masked score of 0 still gets weight: exp(0) is 1. Mask with -inf.",
             altered(_Base, weights=lambda self, scores: scores.tril().softmax(dim=-1))),
    "mask_after": ("Weights masked after the softmax no longer sum to one.",
                   altered(_Base, weights=lambda self, scores: scores.softmax(dim=-1).tril())),
    "scale_d": ("Scores are divided by the root of the size of a head, d / h, not of d.",
                altered(_Base, scale=lambda self, d: d**-0.5)),
    "noscale": ("The scores are not divided by the root of the size of a head.",
                altered(_Base, scale=lambda self, d: 1.0)),
    "scale_h": ("Scores are divided by the root of the size of a head, d / h, not of the number "
                "of heads.", altered(_Base, scale=lambda self, d: self.h**-0.5)),
    "scale_without_root": ("Divide by the root of a head's size, not by the size.",
                           altered(_Base, scale=lambda self, d: self.h / d)),
})


@attention.mistake("strict", "A token must see itself: the diagonal is masked too.")
class CausalSelfAttention(_Base):
    def weights(self, scores):
        T = scores.shape[-1]
        hidden = torch.ones(T, T, dtype=torch.bool).triu(0)
        return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1).nan_to_num()


@attention.mistake("leak1", "One token of the future is visible: the mask is off by one.")
class CausalSelfAttention(_Base):
    def weights(self, scores):
        T = scores.shape[-1]
        hidden = torch.ones(T, T, dtype=torch.bool).triu(2)
        return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)


@attention.mistake("dim", "The softmax must run over the keys, the last axis.")
class CausalSelfAttention(_Base):
    def weights(self, scores):
        T = scores.shape[-1]
        hidden = torch.ones(T, T, dtype=torch.bool).triu(1)
        return scores.masked_fill(hidden, -torch.inf).softmax(dim=-2)


@attention.mistake("past_masked", "The mask is upside down: tokens see themselves and the future.")
class CausalSelfAttention(_Base):
    def weights(self, scores):
        T = scores.shape[-1]
        hidden = torch.ones(T, T, dtype=torch.bool).tril(-1)
        return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)


@attention.mistake("view", "view(B, h, T, ...) mixes tokens and heads: view as (B, T, h, ...), "
                   "then transpose.")
class CausalSelfAttention(_Base):
    def split(self, x):
        B, T, d = x.shape
        return x.reshape(B, self.h, T, d // self.h)

    def join(self, x):
        B, h, T, e = x.shape
        return x.reshape(B, T, h * e)


@attention.mistake("join", "Move the heads behind the tokens before joining them.")
class CausalSelfAttention(_Base):
    def join(self, x):
        B, h, T, e = x.shape
        return x.reshape(B, T, h * e)


@attention.mistake("interleaved", "Head i owns a block of neighbouring features.")
class CausalSelfAttention(_Base):
    def split(self, x):
        return x.unflatten(-1, (-1, self.h)).permute(0, 3, 1, 2)

    def join(self, x):
        return x.permute(0, 2, 3, 1).flatten(2)


@attention.mistake("one_head", "h has no effect: split the features into heads.")
class CausalSelfAttention(_Base):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.h = 1


@attention.mistake("no_output", "The joined heads go through o.")
class CausalSelfAttention(_Base):
    def forward(self, x):
        q, k, v = (self.split(p(x)) for p in (self.q, self.k, self.v))
        return self.join(self.weights(q @ k.mT * self.scale(x.shape[-1])) @ v)


@attention.mistake("q_k_swapped", "Rows of the scores are queries: q times k transposed.")
class CausalSelfAttention(_Base):
    def forward(self, x):
        q, k, v = (self.split(p(x)) for p in (self.q, self.k, self.v))
        return self.o(self.join(self.weights(k @ q.mT * self.scale(x.shape[-1])) @ v))


@attention.mistake("lowered_by_one", "A forbidden score that is only lowered by 1 still gets "
                   "weight: mask with -inf.")
class CausalSelfAttention(_Base):
    def weights(self, scores):
        return (scores - torch.ones_like(scores).triu(1)).softmax(dim=-1)


@attention.mistake("tiny_score", "A masked score of -1e-9 is nearly 0 and still gets weight: mask "
                   "with -inf.")
class CausalSelfAttention(_Base):
    def weights(self, scores):
        T = scores.shape[-1]
        hidden = torch.ones(T, T, dtype=torch.bool).triu(1)
        return scores.masked_fill(hidden, -1e-9).softmax(dim=-1)


@attention.mistake("root_of_T", "The scores are divided by the root of the size of a head, not of "
                   "the number of tokens.")
class CausalSelfAttention(_Base):
    def scale(self, d):
        return 1.0

    def weights(self, scores):
        return super().weights(scores / scores.shape[-1] ** 0.5)


@attention.mistake("no_bias", "The four layers have biases; here at least one has none.")
class CausalSelfAttention(_Base):
    def __init__(self, d, h):
        super().__init__(d, h)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))


@attention.mistake("short_mask", "The mask has a fixed size: it must fit a text of any length.")
class CausalSelfAttention(_Base):
    def weights(self, scores):
        T = scores.shape[-1]
        hidden = torch.ones(64, 64, dtype=torch.bool).triu(1)[:T, :T]
        return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)


@attention.mistake("no_check", "Heads that do not divide d must be refused when the layer is made.")
class CausalSelfAttention(_Base):
    def __init__(self, d, h):
        super().__init__(d, 1)
        self.h = h


@attention.mistake("detached", "Weights computed without gradients cannot be trained.",
                   hidden_only="only gradients show it")
class CausalSelfAttention(_Base):
    def weights(self, scores):
        return super().weights(scores).detach()


@attention.variant("a large negative number, einsum")
class CausalSelfAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        assert d % h == 0
        self.h, self.size = h, d // h
        self.q, self.k = nn.Linear(d, d), nn.Linear(d, d)
        self.v, self.o = nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (p(x).view(B, T, self.h, self.size) for p in (self.q, self.k, self.v))
        scores = torch.einsum("bthe,bshe->bhts", q, k) / self.size**0.5
        scores = torch.where(torch.tril(torch.ones(T, T)).bool(), scores, -1e9)
        return self.o(torch.einsum("bhts,bshe->bthe", scores.softmax(-1), v).reshape(B, T, d))


@attention.variant("head by head, with a mask kept as a buffer")
class CausalSelfAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        if d % h != 0:
            raise ValueError("h must divide d")
        self.h = h
        self.q, self.k, self.v, self.o = [nn.Linear(d, d) for _ in range(4)]
        self.register_buffer("mask", torch.ones(2048, 2048).tril())

    def forward(self, x):
        T, out = x.shape[1], []
        for q, k, v in zip(*(p(x).chunk(self.h, dim=-1) for p in (self.q, self.k, self.v)),
                           strict=True):
            scores = (q @ k.transpose(1, 2)) / q.shape[-1] ** 0.5
            scores = scores.masked_fill(self.mask[:T, :T] == 0, float("-inf"))
            out.append(torch.softmax(scores, dim=-1) @ v)
        return self.o(torch.cat(out, dim=-1))
