"""Exam of `Dropout`."""

import torch
from torch import nn

from viva.cases.convolution.dropout import tensor, values_taken
from viva_course.rubric import Exercise

dropout = Exercise(
    "Dropout",
    expects="in training every entry is 0 with probability p, else x / (1 - p); else x itself",
    forbidden=("nn.Dropout", "F.dropout", "torch.dropout", "nn.AlphaDropout", "nn.Dropout1d",
               "nn.Dropout2d", "F.dropout1d", "F.dropout2d", "nn.Dropout3d", "F.dropout3d",
               "F.alpha_dropout", "torch.alpha_dropout", "F.feature_alpha_dropout",
               "torch.feature_dropout"),
    survivors={
        "Dropout.forward: keep = torch.rand(x.shape) >= self.p -> keep = torch.rand(x.shape) > "
        "self.p": "a random number equals p with probability zero",
    },
)

dropout.values(2.5, "p is the share that is dropped, and what is kept is divided by 1 - p.",
               only=("training", "default_rate"), name="training")
dropout.values(1, "After eval(), and with p = 0, the layer is the identity.",
               only=("evaluation",), name="evaluation")
dropout.values(1, "Every entry is dropped or kept by itself.", name="independent entries",
               only=("every_entry_alone", "count_varies"))
dropout.values(1, "Every call draws a new mask, and x stays as it was.",
               only=("a_new_mask", "caller_keeps_x"), name="a new mask")
dropout.values(1.5, "Backwards the same mask and scale apply.", only=("gradients",),
               name="gradients")


@dropout.item(0.5, "p must be in [0, 1): anything else raises ValueError.")
def refused(exam, Dropout):
    x = tensor(exam.rng, 40, 50)
    # one that always raises earns nothing
    exam.same(values_taken(Dropout(0.6)(x.clone()) / x), "0, 2.5")
    for p in (1.0, 1.5, 2.0, -0.1, -1.0):
        exam.raises(ValueError, Dropout, p)


@dropout.item(0.5, "Vectors and images too; float32 stays float32, float64 stays float64.",
              name="any shape, any dtype")
def any_shape_any_dtype(exam, Dropout):
    for shape in ((900,), (3, 4, 9, 9)):
        for dtype in (torch.float32, torch.float64):
            x = tensor(exam.rng, *shape).to(dtype)
            out = Dropout(0.5)(x.clone())
            exam.true(out.dtype == dtype and out.shape == x.shape, "dtype or shape changed")
            exam.same(values_taken(out / x), "0, 2")


class _Base(nn.Module):
    """Dropout in parts, each of which can go wrong alone."""

    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError
        self.p = p

    def mask(self, x):
        return torch.rand_like(x) >= self.p

    def scale(self, x):
        return x / (1 - self.p)

    def rest(self, x):
        return x

    def forward(self, x):
        return self.scale(x * self.mask(x)) if self.training else self.rest(x)


@dropout.mistake("always", "After eval() nothing is dropped: look at self.training.")
class Dropout(_Base):
    def forward(self, x):
        return self.scale(x * self.mask(x))


@dropout.mistake("classic", "Divide by 1 - p in training, so that eval() needs no change.")
class Dropout(_Base):
    def scale(self, x):
        return x

    def rest(self, x):
        return x * (1 - self.p)


@dropout.mistake("unscaled", "Without the division the mean shrinks by 1 - p.")
class Dropout(_Base):
    def scale(self, x):
        return x


@dropout.mistake("eval_scaled", "In eval mode the layer is the identity: the scale was applied in "
                 "training.")
class Dropout(_Base):
    def rest(self, x):
        return x * (1 - self.p)


@dropout.mistake("keep", "p is the probability to drop, not to keep.")
class Dropout(_Base):
    def mask(self, x):
        return torch.rand_like(x) < self.p

    def scale(self, x):
        return x / self.p if self.p else x


@dropout.mistake("drops_1_minus_p", "The mask keeps a share p: it must drop it.")
class Dropout(_Base):
    def mask(self, x):
        return torch.rand_like(x) < self.p if self.p else torch.ones_like(x)


@dropout.mistake("always_half", "Half of the entries are dropped, whatever p is.")
class Dropout(_Base):
    def mask(self, x):
        return torch.rand_like(x) >= 0.5 if self.p else torch.ones_like(x)


@dropout.mistake("always_half_at_zero", "Half of the entries are dropped, whatever p is.")
class Dropout(_Base):
    def mask(self, x):
        return torch.rand_like(x) >= 0.5


@dropout.mistake("div_p", "A share 1 - p is kept: divide by 1 - p.")
class Dropout(_Base):
    def scale(self, x):
        return x / self.p if self.p else x


@dropout.mistake("multiplied", "Divide by 1 - p; multiplying shrinks the mean twice.")
class Dropout(_Base):
    def scale(self, x):
        return x * (1 - self.p)


@dropout.mistake("rowmask", "The mask decides about whole rows: every entry needs its own.")
class Dropout(_Base):
    def mask(self, x):
        return torch.rand_like(x[..., :1]) >= self.p


@dropout.mistake("samplemask", "All samples share a mask: every entry needs its own.")
class Dropout(_Base):
    def mask(self, x):
        return torch.rand_like(x[:1]) >= self.p


@dropout.mistake("columnmask", "All rows share a mask: every entry needs its own.")
class Dropout(_Base):
    def mask(self, x):
        return torch.rand_like(x[(0,) * (x.ndim - 1)]) >= self.p


@dropout.mistake("detached", "The output must stay in the graph, or no gradient flows back to x: "
                 "no `detach`, no `no_grad`.")
class Dropout(_Base):
    def forward(self, x):
        return super().forward(x).detach()


@dropout.mistake("fixed", "The mask must be drawn anew at every call.")
class Dropout(_Base):
    def mask(self, x):
        generator = torch.Generator().manual_seed(0)
        return torch.rand(x.shape, generator=generator) >= self.p


@dropout.mistake("kept_mask", "The mask of the first call is kept: draw a new one at every call.")
class Dropout(_Base):
    def mask(self, x):
        if getattr(self, "kept", torch.zeros(0)).shape != x.shape:
            self.kept = super().mask(x)
        return self.kept


@dropout.mistake("nograd", "What was dropped gets no gradient, what was kept is scaled: use the "
                 "same product for both ways.")
class Dropout(_Base):
    def forward(self, x):
        return x + (super().forward(x) - x).detach()


@dropout.mistake("mask_before_scale", "The scale is part of the graph: the gradient is "
                 "divided by 1 - p too.")
class Dropout(_Base):
    def forward(self, x):
        if not self.training:
            return x
        kept = x * self.mask(x)
        return kept + (self.scale(kept) - kept).detach()


@dropout.mistake("in_place", "x belongs to the caller: multiply into a new tensor.")
class Dropout(_Base):
    def forward(self, x):
        out = super().forward(x)
        with torch.no_grad():
            if self.training and not x.requires_grad:
                x.copy_(out)
        return out


@dropout.mistake("exact_count", "Every entry is dropped with probability p by itself: the number "
                 "of dropped entries varies.")
class Dropout(_Base):
    def mask(self, x):
        chosen = torch.randperm(x.numel())[: round(self.p * x.numel())]
        mask = torch.ones(x.numel(), dtype=x.dtype)
        mask[chosen] = 0
        return mask.reshape(x.shape)


@dropout.mistake("not_refused", "p = 1 and p = -0.1 make no sense: raise ValueError in "
                 "__init__, when the layer is made, not when it is used.")
class Dropout(_Base):
    def __init__(self, p=0.5):
        super().__init__(min(max(p, 0), 0.99))


@dropout.mistake("asserts", "The exception must be a ValueError; an assert raises another one.")
class Dropout(_Base):
    def __init__(self, p=0.5):
        assert 0 <= p < 1
        super().__init__(p)


@dropout.mistake("zeros_in_x", "x belongs to the caller: multiply into a new tensor.")
class Dropout(_Base):
    def forward(self, x):
        if not self.training:
            return x
        with torch.no_grad():
            x[~self.mask(x)] = 0
        return self.scale(x)


@dropout.mistake("gaussian", "An entry is dropped or kept: it becomes 0 or x / (1 - p), nothing "
                 "in between.")
class Dropout(_Base):
    def forward(self, x):
        if not self.training:
            return x
        return x * (1 + torch.randn_like(x) * (self.p / (1 - self.p)) ** 0.5)


@dropout.mistake("accepts_one", "p = 1 would divide by zero: it is refused as well.")
class Dropout(_Base):
    def __init__(self, p=0.5):
        super().__init__(0.99 if p == 1 else p)


@dropout.mistake("single_precision", "The output must keep the dtype of x.")
class Dropout(_Base):
    def forward(self, x):
        return super().forward(x.float()) if self.training else x


@dropout.mistake("double_precision", "The output must keep the dtype of x: a mask in double "
                 "precision makes it float64.")
class Dropout(_Base):
    def forward(self, x):
        return super().forward(x.double()) if self.training else x


@dropout.mistake("default_p", "Without an argument half of the entries are dropped.")
class Dropout(_Base):
    def __init__(self, p=0.1):
        super().__init__(p)


@dropout.variant("a Bernoulli mask with its scale")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if self.training and self.p > 0:
            keep = 1 - self.p
            return x * torch.bernoulli(torch.full(x.shape, keep, dtype=x.dtype)) / keep
        return x * 1


@dropout.variant("torch.where")
class Dropout(_Base):
    def forward(self, x):
        if not self.training:
            return x.clone()
        return torch.where(torch.rand(x.shape) < self.p, torch.zeros_like(x), x / (1 - self.p))
