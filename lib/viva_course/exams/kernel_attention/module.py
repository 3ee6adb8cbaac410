"""Exam of MultiHeadLinearAttention."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from viva.case import outcome
from viva.cases.kernel_attention.module import module_weights, run_module
from viva_course.exams.kernel_attention.common import TIGHT
from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise, altered

heads = Exercise(
    "MultiHeadLinearAttention",
    expects="a module from (B, N, E) to (B, N, E): elu(x) + 1 per head, projections q, k, v, o",
    forbidden=("F.scaled_dot_product_attention", "nn.MultiheadAttention"),
    survivors={
        "MultiHeadLinearAttention.forward: out = (q[..., None, :] @ U)[..., 0, :] / "
        "(q * z).sum(dim=-1, keepdim=True) -> out = (q[..., None, :] @ U)[..., -1, :] / "
        "(q * z).sum(dim=-1, keepdim=True)": "the axis has one entry, its first and its last",
    },
)

heads.values(2, "The forward pass must be the quadratic formula with the same weights.",
             only=("two_heads",))
heads.values(1, "With causal=True row i sees the tokens 0 .. i.", only=("three_causal_heads",),
             name="causal")


@heads.item(1.5, "Gradients of input and weights are those of the formula.")
def gradients(exam, MultiHeadLinearAttention):
    for causal in (False, True):
        weights = module_weights(exam.rng, 4)
        x, g = exam.rng.normal(size=(2, 5, 4)), exam.rng.normal(size=(2, 5, 4))
        run = [4, 2, causal, weights, x, g]
        got = run_module(MultiHeadLinearAttention, *run)
        exam.same(got, run_module(reference.MultiHeadLinearAttention, *run), **TIGHT)


@heads.item(1, "Head h owns the h-th block of features, and only that.")
def heads_are_independent(exam, MultiHeadLinearAttention):
    weights, x = module_weights(exam.rng, 6), exam.rng.normal(size=(1, 4, 6))
    without, changed = (dict(weights) for _ in range(2))
    without["o.weight"] = weights["o.weight"].copy()
    without["o.weight"][:, :2] = 0  # head 0 no longer reaches the output
    for name in ("q.weight", "k.weight", "v.weight"):  # what head 0 does must not matter then
        changed[name] = weights[name].copy()
        changed[name][:2] = exam.rng.normal(size=(2, 6))
    changed["o.weight"] = without["o.weight"]
    full, cut, other = (
        run_module(MultiHeadLinearAttention, 6, 3, False, w, x) for w in (weights, without, changed)
    )
    exam.same(other, cut, **TIGHT)
    expected = [
        run_module(reference.MultiHeadLinearAttention, 6, 3, False, w, x)
        for w in (weights, without)
    ]
    exam.same(full - cut, expected[0] - expected[1], **TIGHT)


@heads.item(0.5, "embed_dim that num_heads does not divide: AssertionError.")
def divisibility(exam, MultiHeadLinearAttention):
    weights, x = module_weights(exam.rng, 6), exam.rng.normal(size=(1, 3, 6))
    out = run_module(MultiHeadLinearAttention, 6, 3, False, weights, x)
    exam.true(tuple(out.shape) == (1, 3, 6) and bool(np.any(out)), "6 and 3 must work")
    raised = outcome(MultiHeadLinearAttention, 7, 2)
    exam.true(raised == "AssertionError", f"7 and 2 gave {raised}")


@heads.item(1, "Causal: tokens from 3 on do not change outputs before 3.")
def the_future_is_unseen(exam, MultiHeadLinearAttention):
    weights, x = module_weights(exam.rng, 4), exam.rng.normal(size=(2, 6, 4))
    other = x.copy()
    other[:, 3:] = exam.rng.normal(size=(2, 3, 4))
    before, after = (
        run_module(MultiHeadLinearAttention, 4, 2, True, weights, tokens) for tokens in (x, other)
    )
    exam.same(after[:, :3], before[:, :3], **TIGHT)
    moved = np.abs(after - before)[:, 3:].max(axis=-1)
    exam.true(np.all(moved > 1e-9), "an output does not notice its own token")
    plain = run_module(MultiHeadLinearAttention, 4, 2, False, weights, x)
    exam.true(np.abs(plain - before)[:, 0].max() > 1e-9, "causal=False sees the same tokens")


class _Base(nn.Module):
    """The module by the quadratic formula, with places to go wrong."""

    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h, self.causal = num_heads, causal
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def split(self, x):
        B, N, E = x.shape
        return x.view(B, N, self.h, E // self.h).transpose(1, 2)

    def join(self, x):
        return x.transpose(1, 2).flatten(2)

    def phi(self, x):
        return F.elu(x) + 1

    def mask(self, weights):
        return weights.tril() if self.causal else weights

    def total(self, weights):
        return weights.sum(dim=-1, keepdim=True)

    def forward(self, x):
        q, k, v = (self.split(project(x)) for project in (self.q, self.k, self.v))
        weights = self.mask(self.phi(q) @ self.phi(k).mT)
        return self.o(self.join(weights @ v / self.total(weights)))


@heads.mistake("view_without_transpose", "view(B, h, N, d) mixes tokens and heads: view, then "
               "transpose.")
class MultiHeadLinearAttention(_Base):
    def split(self, x):
        B, N, E = x.shape
        return x.reshape(B, self.h, N, E // self.h)

    def join(self, x):
        B, h, N, d = x.shape
        return x.reshape(B, N, h * d)


@heads.mistake("split_without_transpose", "view(B, h, N, d) mixes tokens and heads: view as "
               "(B, N, h, d), then transpose.")
class MultiHeadLinearAttention(_Base):
    def split(self, x):
        B, N, E = x.shape
        return x.reshape(B, self.h, N, E // self.h)


@heads.mistake("join_without_transpose", "Move the heads behind the tokens before joining them.")
class MultiHeadLinearAttention(_Base):
    def join(self, x):
        B, h, N, d = x.shape
        return x.reshape(B, N, h * d)


@heads.mistake("heads_interleaved", "Head h owns a block of neighbouring features.")
class MultiHeadLinearAttention(_Base):
    def split(self, x):
        B, N, E = x.shape
        return x.view(B, N, E // self.h, self.h).permute(0, 3, 1, 2)

    def join(self, x):
        return x.permute(0, 2, 3, 1).flatten(2)


heads.mistakes_of(MultiHeadLinearAttention={
    "causal_ignored": ("The flag causal has no effect.",
                       altered(_Base, mask=lambda self, weights: weights)),
    "always_causal": ("Without the flag every token sees all others.",
                      altered(_Base, mask=lambda self, weights: weights.tril())),
    "no_plus_one": ("elu(x) alone is negative for x < 0: the + 1 is missing.",
                    altered(_Base, phi=lambda self, x: F.elu(x))),
    "relu": ("The feature map is elu(x) + 1.", altered(_Base, phi=lambda self, x: F.relu(x) + 1)),
    "exponentials_of_phi": ("phi(q) . phi(k) is the similarity itself: no softmax follows.",
                            altered(_Base, mask=lambda self, weights: (
                                _Base.mask(self, weights.exp())))),
    "scaled": ("phi is applied to queries and keys as they are: no root of the width divides them.",
               altered(_Base, phi=lambda self, x: F.elu(x / x.shape[-1] ** 0.25) + 1)),
    "detached_normaliser": (
        "Gradients flow through the denominator too: do not detach it.",
        altered(_Base, total=lambda self, weights: _Base.total(self, weights).detach())),
    "epsilon": ("A constant added to the denominator is a bias: divide as it is.",
                altered(_Base, total=lambda self, weights: _Base.total(self, weights) + 1e-6)),
})


@heads.mistake("total_without_mask", "The denominator sums over all tokens: with causal=True it "
               "must be masked like the numerator.")
class MultiHeadLinearAttention(_Base):
    def forward(self, x):
        q, k, v = (self.split(project(x)) for project in (self.q, self.k, self.v))
        weights = self.phi(q) @ self.phi(k).mT
        return self.o(self.join(self.mask(weights) @ v / self.total(weights)))


@heads.mistake("single_head", "num_heads has no effect: split the features into heads.")
class MultiHeadLinearAttention(_Base):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__(embed_dim, num_heads, causal)
        self.h = 1


@heads.mistake("under_no_grad", "Features computed without gradients cannot be trained.")
class MultiHeadLinearAttention(_Base):
    def phi(self, x):
        with torch.no_grad():
            return F.elu(x) + 1


@heads.mistake("no_output_projection", "The joined heads go through o.")
class MultiHeadLinearAttention(_Base):
    def forward(self, x):
        q, k, v = (self.split(project(x)) for project in (self.q, self.k, self.v))
        weights = self.mask(self.phi(q) @ self.phi(k).mT)
        return self.join(weights @ v / self.total(weights))


@heads.mistake("softmax", "This is softmax attention: use phi(q) . phi(k) instead.")
class MultiHeadLinearAttention(_Base):
    def forward(self, x):
        q, k, v = (self.split(project(x)) for project in (self.q, self.k, self.v))
        weights = self.mask((q @ k.mT / q.shape[-1] ** 0.5).exp())
        return self.o(self.join(weights @ v / self.total(weights)))


@heads.mistake("no_divisibility_check", "7 features cannot be split into 2 equal heads: assert it.")
class MultiHeadLinearAttention(_Base):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__(embed_dim, 1, causal)
        self.h = num_heads


@heads.variant("cumulative sums")
class MultiHeadLinearAttention(_Base):
    def forward(self, x):
        q, k, v = (self.split(project(x)) for project in (self.q, self.k, self.v))
        q, k = self.phi(q), self.phi(k)
        U, z = torch.einsum("bhnc,bhnm->bhncm", k, v), k
        if self.causal:
            U, z = U.cumsum(dim=2), z.cumsum(dim=2)
        else:
            U, z = U.sum(dim=2, keepdim=True), z.sum(dim=2, keepdim=True)
        total = (q * z).sum(dim=-1, keepdim=True)
        return self.o(self.join((q.unsqueeze(-2) @ U).squeeze(-2) / total))


@heads.variant("quadratic formula")
class MultiHeadLinearAttention(_Base):
    pass
