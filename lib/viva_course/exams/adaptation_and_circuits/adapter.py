"""Exam of `LoRALinear`: a frozen layer and a low-rank update."""

import copy

import torch
from torch import nn

from viva.cases.adaptation_and_circuits.adapter import (
    changed,
    gradients,
    problem,
    ranks,
    start,
    trained,
)
from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise, altered

lora = Exercise(
    "LoRALinear",
    expects="the base layer, frozen, plus (alpha / k) A B; A (m, k) zero and B (k, l) random at "
            "the start",
    survivors={
        "LoRALinear.__init__: self.B = nn.Parameter(torch.randn(k, l) / l ** 0.5) -> "
        f"self.B = nn.Parameter({law})": "the law of B is free, and so is its scale"
        for law in ("torch.randn(k, l) * l ** 0.5", "l ** 0.5 / torch.randn(k, l)",
                    "torch.randn(k, l)", "torch.randn(k, l) / (l * 0.5)",
                    "torch.randn(k, l) / 0.5 ** l", "torch.randn(k, l) / l")
    },
)

lora.values(2.5, "A fresh layer computes what the base computes, and only k (m + l) numbers can be "
            "trained.", only=("as_the_base",), name="start")
lora.values(0.5, "Every new layer draws numbers of its own for B.", only=("own_numbers",),
            name="own numbers")
lora.values(3, "Output and merged weight are those of W_0 + (alpha / k) A B.", name="update",
            only=("scaled_update", "default_alpha", "alpha_zero"))
lora.values(1, "A base without bias, and any leading axes.", name="shapes",
            only=("no_bias_and_batch_axes",))
lora.values(1, "In the first step A has a gradient, B has none, and the base has none.",
            only=("first_step",), name="first step")
lora.values(1, "Once A is no longer zero, both A and B have a gradient.", only=("later_step",),
            name="later steps")
lora.values(1, "A rank below 1 or above min(m, l) raises ValueError; min(m, l) itself is fine.",
            only=("allowed_ranks",), name="ranks")


@lora.item(2, "Training lowers the loss, by an update of rank k at most, and leaves the base "
           "alone.")
def training(exam, LoRALinear):
    for m, l, k in ((4, 7, 1), (6, 5, 3)):
        W, b, _, _, x = problem(exam.rng, m, l, k, 30)
        y = x @ (W + exam.rng.normal(size=(m, l))).T + b
        found = trained(LoRALinear, W, b, k, x, y)
        exam.true(found["learns"], "sixty steps did not lower the loss by a tenth")
        exam.true(found["rank"] <= k, f"the update has rank {found['rank']}, k is {k}")
        exam.true(found["base unchanged"], "the base's weight has changed")


@lora.item(1, "A linear layer with the merged weight computes the same; merging changes nothing.")
def merging(exam, LoRALinear):
    W, b, A, B, x = problem(exam.rng, 6, 4, 2, 5)
    found = changed(LoRALinear, W, b, 2, 5.0, A, B, x)
    exam.same(found["output"], x @ (W + 2.5 * A @ B).T + b)
    exam.same(found["again"], found["output"])
    exam.same(x @ found["merged"].T + b, found["output"])


@lora.item(1, "Wide and tall layers, ranks up to the largest.")
def other_sizes(exam, LoRALinear):
    for m, l, k in ((3, 8, 3), (8, 3, 2)):
        W, b, _, B, x = problem(exam.rng, m, l, k, 5)
        expected = start(reference.LoRALinear, W, b, k, x)
        exam.same(start(LoRALinear, W, b, k, x), expected)
        g = exam.rng.normal(size=(5, m))
        exam.same(gradients(LoRALinear, W, b, k, 4.0, x, g, B=B),
                  gradients(reference.LoRALinear, W, b, k, 4.0, x, g, B=B))
    exam.same(ranks(LoRALinear, W, b, [3, 4]), ["no exception", "ValueError"])


class _Base(nn.Module):
    """The layer with places to go wrong."""

    def __init__(self, base, k, alpha=None):
        super().__init__()
        m, l = base.weight.shape
        if not self.allowed(k, m, l):
            raise ValueError
        self.base, self.k, self.alpha = base, k, self.default(k) if alpha is None else alpha
        self.freeze()
        self.make(m, l, k)

    def allowed(self, k, m, l):
        return 1 <= k <= min(m, l)

    def default(self, k):
        return k

    def freeze(self):
        for parameter in self.base.parameters():
            parameter.requires_grad = False

    def make(self, m, l, k):
        self.A, self.B = map(nn.Parameter, self.start(m, l, k))

    def start(self, m, l, k):
        return torch.zeros(m, k), torch.randn(k, l)

    @property
    def scale(self):
        return self.alpha / self.k

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.B.T @ self.A.T)

    def merged_weight(self):
        return self.base.weight + self.scale * (self.A @ self.B)


@lora.mistake("full_rank", "An m x l matrix can be trained here: that is full fine-tuning.")
class LoRALinear(_Base):
    def make(self, m, l, k):
        super().make(m, l, k)
        self.full = nn.Parameter(torch.zeros(m, l))

    def forward(self, x):
        return super().forward(x) + x @ self.full.T

    def merged_weight(self):
        return super().merged_weight() + self.full


@lora.mistake("shapes_exchanged", "A is (m, k) and B is (k, l), m outputs and l inputs.")
class LoRALinear(_Base):
    def make(self, m, l, k):
        self.A, self.B = nn.Parameter(torch.zeros(l, k)), nn.Parameter(torch.randn(k, m))

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.A @ self.B)

    def merged_weight(self):
        return self.base.weight + self.scale * (self.A @ self.B).T


def _bias(layer):
    return 0 if layer.base.bias is None else layer.base.bias


def _drawn(*size, seed=0):
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed))


lora.mistakes_of(LoRALinear={
    "A_random": ("Here A starts at zero and B at random, not the other way round.",
                 altered(_Base, start=lambda self, m, l, k: (_drawn(m, k), torch.zeros(k, l)))),
    "both_random": (
        "With both factors random the pretrained function is changed before the first step.",
        altered(_Base, start=lambda self, m, l, k: (
            _drawn(m, k), _drawn(k, l, seed=int(1e6 * self.base.weight.abs().sum()))))),
    "one_seed": ("Every layer gets the same B: a seed is set where the numbers are drawn.",
                 altered(_Base, start=lambda self, m, l, k: (torch.zeros(m, k), _drawn(k, l)))),
    "base_trainable": ("The base must be frozen, its weight and its bias.",
                       altered(_Base, freeze=lambda self: None)),
    "bias_trainable": ("The base's bias must be frozen as well as its weight.",
                       altered(_Base, freeze=lambda self: self.base.weight.requires_grad_(False))),
    "both_zero": (
        "With A = B = 0 both gradients are zero, and training never starts.",
        altered(_Base, start=lambda self, m, l, k: (torch.zeros(m, k), torch.zeros(k, l)))),
    "B_constant": (
        "The entries of B are not independent random numbers, as the contract asks.",
        altered(_Base, start=lambda self, m, l, k: (torch.zeros(m, k), torch.full((k, l), 0.01)))),
    "no_scale": ("The factor alpha / k is missing.", altered(_Base, scale=1.0)),
    "only_zero_checked": ("A rank above min(m, l) must raise ValueError, too.",
                          altered(_Base, allowed=lambda self, k, m, l: k >= 1)),
    "assertion": ("A rank that is not possible raises ValueError, no other exception.",
                  altered(_Base, allowed=lambda self, k, m, l: bool(
                      1 / (1 <= k <= min(m, l))))),
    "larger_side": ("The rank may not exceed the smaller of m and l.",
                    altered(_Base, allowed=lambda self, k, m, l: 1 <= k <= max(m, l))),
    "full_rank_refused": (
        "k = min(m, l) is allowed.",
        altered(_Base, allowed=lambda self, k, m, l: 1 <= k < min(m, l) or min(m, l) == 1)),
    "scale_twice": (
        "The factor is applied twice in the output.",
        altered(_Base, forward=lambda self, x: (
            self.base(x) + self.scale**2 * (x @ self.B.T @ self.A.T)))),
    "detached_A": (
        "A is cut out of the graph: no gradient reaches it.",
        altered(_Base, forward=lambda self, x: (
            self.base(x) + self.scale * (x @ self.B.T @ self.A.detach().T) + 0 * self.B.sum()))),
    "detached_B": (
        "B is cut out of the graph: no gradient reaches it once A has moved.",
        altered(_Base, forward=lambda self, x: (
            self.base(x) + self.scale * (x @ self.B.detach().T @ self.A.T) + 0 * self.B.sum()))),
    "bias_twice": ("The bias belongs to the base and is added once.",
                   altered(_Base, forward=lambda self, x: _Base.forward(self, x) + (
                       _bias(self) if (self.A != 0).any() else 0))),
    "bias_always_twice": (
        "The bias belongs to the base and is added once.",
        altered(_Base, forward=lambda self, x: _Base.forward(self, x) + _bias(self))),
    "needs_bias": ("The base may have no bias.",
                   altered(_Base, forward=lambda self, x: _Base.forward(self, x) * (
                       float("nan") if self.base.bias is None else 1))),
    "merge_transposed": ("The merged weight has the shape of the base's weight, (m, l).",
                         altered(_Base, merged_weight=lambda self: _Base.merged_weight(self).T)),
    "bias_lost": ("The base's bias is missing from the output.",
                  altered(_Base, forward=lambda self, x: x @ self.merged_weight().T)),
    "scale_alpha": ("The factor is alpha / k, not alpha.",
                    altered(_Base, scale=property(lambda self: self.alpha))),
    "scale_inverted": ("The factor is alpha / k, not k / alpha.",
                       altered(_Base, scale=property(lambda self: self.k / self.alpha))),
    "alpha_alone": ("The factor is alpha / k, not alpha.",
                    altered(_Base, scale=property(
                        lambda self: 1.0 if self.alpha == self.k else self.alpha))),
    "root_of_k": ("The factor is alpha / k, not alpha over the root of k.",
                  altered(_Base, scale=property(lambda self: self.alpha / self.k**0.5))),
    "alpha_zero_ignored": ("alpha = 0 is given, and is not k: ask whether alpha is None, not "
                           "whether it is zero.",
                           altered(_Base, scale=property(
                               lambda self: (self.alpha or self.k) / self.k))),
    "alpha_one": ("alpha is k where it is not given, so that the factor is 1.",
                  altered(_Base, default=lambda self, k: 1.0)),
    "output_no_scale": (
        "The output needs the factor alpha / k as well.",
        altered(_Base, forward=lambda self, x: self.base(x) + x @ self.B.T @ self.A.T)),
    "merge_no_scale": (
        "The merged weight needs the factor alpha / k as well.",
        altered(_Base, merged_weight=lambda self: self.base.weight + self.A @ self.B)),
    "merge_only_update": ("The merged weight is W_0 plus the update, not only the update.",
                          altered(_Base, merged_weight=lambda self: self.scale * self.A @ self.B)),
})


@lora.mistake("merge_in_place", "merged_weight() writes the update into the base; the next output "
              "counts it twice.")
class LoRALinear(_Base):
    def merged_weight(self):
        with torch.no_grad():
            self.base.weight += self.scale * self.A @ self.B
        return self.base.weight.clone()


@lora.mistake("no_rank_check", "A rank of 0, or above min(m, l), must raise ValueError.")
class LoRALinear(_Base):
    def allowed(self, k, m, l):
        return True

    @property
    def scale(self):
        return self.alpha / max(self.k, 1)

    def make(self, m, l, k):
        super().make(m, l, max(k, 0))


@lora.mistake("base_copied", "The layer that was given must be frozen itself; here a copy of it "
              "is, and the original can still be trained.")
class LoRALinear(_Base):
    def freeze(self):
        self.base = copy.deepcopy(self.base)
        super().freeze()


@lora.mistake("frozen_B", "B can be trained as well as A; only the base is frozen.")
class LoRALinear(_Base):
    def make(self, m, l, k):
        super().make(m, l, k)
        self.B.requires_grad = False


@lora.variant("merged on every call")
class LoRALinear(_Base):
    def forward(self, x):
        return nn.functional.linear(x, self.merged_weight(), self.base.bias)


@lora.variant("copies of the base in buffers")
class LoRALinear(nn.Module):
    def __init__(self, base, k, alpha=None):
        super().__init__()
        out, size = base.weight.shape
        if k <= 0 or k > out or k > size:
            raise ValueError("rank")
        base.weight.requires_grad = False
        if base.bias is not None:
            base.bias.requires_grad = False
        self.base = base
        self.alpha = alpha if alpha is not None else k
        self.k = k
        self.A = nn.Parameter(torch.zeros((out, k)))
        self.B = nn.Parameter(torch.empty((k, size)))
        nn.init.kaiming_uniform_(self.B, a=5**0.5)

    def forward(self, x):
        low = torch.einsum("...l,kl->...k", x, self.B)
        return self.base(x) + torch.einsum("...k,mk->...m", low, self.A) * (self.alpha / self.k)

    def merged_weight(self):
        return self.base.weight.data + (self.alpha / self.k) * torch.mm(self.A, self.B)
