"""Exam of GPT."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from viva.cases.pretraining import model as cases
from viva.cases.pretraining.forward import RIGHT, formula
from viva.cases.pretraining.model import tokens
from viva_course.exams.pretraining import networks
from viva_course.exams.pretraining.networks import Bare, Base, Fused
from viva_course.rubric import Exercise, altered

gpt = Exercise(
    "GPT",
    expects="forward(idx, targets=None) gives (logits (B, T, V), loss or None): pre-norm blocks, "
            "causal, PAD ignored",
    survivors={
        "Block.forward: heads = F.scaled_dot_product_attention(q, k, v, is_causal=True) -> "
        "heads = F.scaled_dot_product_attention(k, q, v, is_causal=True)":
            "queries and keys exchange their names: their layers are alike",
    },
)

gpt.values(4, "Shapes, first loss, padding, causality, positions, residuals, norms, MLP, "
           "size and start.")


@gpt.item(1.5, "The loss is the mean over the supervised positions only.")
def PAD_is_not_asked(exam, GPT):
    for _ in range(2):
        idx, targets = tokens(exam.rng, 14, 3, 7), tokens(exam.rng, 14, 3, 7)
        targets[exam.rng.uniform(size=(3, 7)) < 0.5] = 0
        targets[0, 0] = 5
        logits, loss = cases.answer(GPT, (14, 9), {"d": 16, "h": 4, "n": 1}, [idx], targets)
        exam.same(loss, cases.cross_entropy(logits[0], targets), rtol=1e-7)


@gpt.item(1.5, "Later tokens change no earlier logit; each token counts from its own place on, and "
          "its place matters.", name="causal, with places")
def causal_with_places(exam, GPT):
    for n in (1, 3):
        idx = tokens(exam.rng, 15, 2, 8)
        for t in (0, 3, 7):
            other = idx.copy()
            other[:, t] = idx[:, t] % 14 + 1
            one, two = cases.answer(GPT, (15, 10), {"n": n}, [idx, other])
            moved = np.abs(one - two).max(axis=(0, 2)) > 1e-12
            exam.true(not moved[:t].any(), "a later token changes an earlier logit")
            exam.true(moved[t:].all(), "a token is not seen from its own place on")
    order = exam.rng.permutation(14)[None, :6] + 1
    one, two = cases.answer(GPT, (15, 10), {"n": 1}, [order, order[:, [2, 0, 1, 3, 4, 5]]])
    exam.true(np.abs(one - two)[0, 5].max() > 1e-9, "the order of earlier tokens is lost")
    same = np.full((1, 6), 3)
    (logits,) = cases.answer(GPT, (15, 10), {}, [same])
    exam.true(np.abs(np.diff(logits[0], axis=0)).max(axis=1).min() > 1e-9,
              "equal tokens at different places must differ")


@gpt.item(3, "With any weights the logits are those of n pre-norm blocks with h heads.")
def the_whole_forward_pass(exam, GPT):
    for h, n in ((1, 1), (2, 1), (4, 1), (8, 1), (2, 2), (4, 2)):
        exam.same(formula(GPT, h, n, exam.rng), RIGHT)


@gpt.item(1, "Four sequences are learned by heart in 150 steps of Adam.")
def it_learns_by_heart(exam, GPT):
    x = tokens(exam.rng, 20, 4, 12)
    x[:, 0] = exam.rng.permutation(19)[:4] + 1  # the first token tells which of the four it is
    y = np.concatenate([x[:, 1:], tokens(exam.rng, 20, 4, 1)], axis=1)
    model = cases.memorised(GPT, (20, 12), {}, x, y, 150, 1e-2)
    logits = model(torch.tensor(x))[0].detach().double().numpy()
    loss = cases.cross_entropy(logits, y)
    exam.true(loss < 0.35, f"the loss is still {loss:.2f}")
    # a table of the answers would do so far: the beginnings must be known as well
    T = int(exam.rng.integers(4, 9))
    begun = model(torch.tensor(x[:, :T]))[0].detach().double().numpy()
    exam.same(begun, logits[:, :T], rtol=0, atol=1e-3)  # float32, other sizes of the products


@gpt.item(1, "The numbers of parameters, the standard deviation of the weights, the refusal of "
          "long inputs.")
def size_and_start(exam, GPT):
    V, block, d, n = int(exam.rng.integers(40, 60)), 50, 24, int(exam.rng.integers(1, 4))
    count, spread = cases.size_of(GPT, (V, block), {"d": d, "h": 3, "n": n})
    exam.same(count, 2 * V * d + block * d + n * (12 * d * d + 13 * d) + 2 * d)
    exam.true(0.016 < min(spread) and max(spread) < 0.024, "weights must be N(0, 0.02^2)")
    exam.same(cases.length_outcomes(GPT, 9), ["no exception", "ValueError"])
    idx, targets = tokens(exam.rng, V, 4, 20), tokens(exam.rng, V, 4, 20)
    _, loss = cases.answer(GPT, (V, block), {}, [idx], targets)
    exam.true(abs(loss / math.log(V) - 1) < 0.05, f"the first loss is {loss:.2f}")


def _entropy(logits, targets, **options):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), **options)


gpt.mistakes_of(GPT={
    "nopos": ("The positions are not added: one block cannot tell the order of its tokens.",
              altered(Base, embed=lambda self, idx: self.token(idx))),
    "no_mask": ("Attention sees the future: the causal mask is missing.",
                altered(Base, mask=lambda self, T: torch.zeros(T, T, dtype=torch.bool))),
    "leak_by_one": ("One token of the future is visible: the mask is off by one.",
                    altered(Base, mask=lambda self, T: torch.ones(T, T, dtype=torch.bool).triu(2))),
    "padloss": ("PAD targets are counted; positions with target 0 must be ignored.",
                altered(Base, loss=lambda self, *given: _entropy(*given))),
    "pad_divides": (
        "PAD targets add nothing, but the sum is still divided by all of them.",
        altered(Base, loss=lambda self, logits, targets: (
            _entropy(logits, targets, ignore_index=0, reduction="sum") / targets.numel()))),
    "summed_loss": (
        "The loss is the mean over the supervised positions, not the sum.",
        altered(Base, loss=lambda self, *given: _entropy(*given, ignore_index=0, reduction="sum"))),
    "mean_of_row_means": (
        "The mean is over all targets that are not PAD: here every row counts alike, however many "
        "targets it has.",
        altered(Base, loss=lambda self, logits, targets: torch.stack([
            _entropy(row[None], asked[None], ignore_index=0)
            for row, asked in zip(logits, targets, strict=True)]).mean())),
    "pad_id_1": ("PAD has the id 0; here MASK, 1, is ignored.",
                 altered(Base, loss=lambda self, *given: _entropy(*given, ignore_index=1))),
    "default_start": ("The weights have torch's default start; they must be N(0, 0.02^2).",
                      altered(Base, start=lambda self: None)),
    "nores": ("The residual connections are missing: what a block writes replaces what was there.",
              altered(Base, residual=False)),
    "strict_nan": ("A token must see itself: the mask hides the diagonal too, and the first row "
                   "has nothing left.",
                   altered(Base, mask=lambda self, T: torch.ones(T, T, dtype=torch.bool).triu())),
    "embedding_scaled": ("The token embedding enters the stream as it is, not scaled by a root.",
                         altered(Base, embed=lambda self, idx: (
                             self.token(idx) * self.token.weight.shape[1] ** 0.5
                             + self.place.weight[: idx.shape[1]]))),
    "places_reversed": ("Places count from the beginning of the text, not from its end.",
                        altered(Base, embed=lambda self, idx: (
                            self.token(idx) + self.place.weight[: idx.shape[1]].flip(0)))),
    "places_at_the_end": ("Places count from 0; here the text ends at the last place of the block.",
                          altered(Base, embed=lambda self, idx: (
                              self.token(idx) + self.place.weight[-idx.shape[1]:]))),
})
gpt.mistakes_of(GPT={slug: (hint, altered(Base, kind=kind))
                     for slug, (hint, kind) in networks.WRONG.items()})


@gpt.mistake("leak", "A mean over the whole sequence carries the future into every position.")
class GPT(Base):
    def embed(self, idx):
        x = super().embed(idx)
        return x + 0.1 * x.mean(dim=1, keepdim=True)


@gpt.mistake("shifted_again", "The targets are shifted already: compare place by place.")
class GPT(Base):
    def loss(self, logits, targets):
        return super().loss(logits[:, :-1], targets[:, 1:])


@gpt.mistake("bigscale", "The logits are badly scaled: the first loss is far above ln V.")
class GPT(Base):
    def start(self):
        super().start()
        nn.init.normal_(self.head.weight, std=1.0)


@gpt.mistake("variance_002", "0.02 is the standard deviation, not the variance.")
class GPT(Base):
    def start(self):
        for parameter in self.parameters():
            if parameter.ndim > 1:
                nn.init.normal_(parameter, std=0.02**0.5)


@gpt.mistake("norms_redrawn", "Only matrices and embeddings are drawn anew: the weights of a "
             "LayerNorm start with 1.")
class GPT(Base):
    def start(self):
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.02)


@gpt.mistake("tied", "The head shares its weights with the token embedding; it must have its own.")
class GPT(Base):
    def __init__(self, *size, **options):
        super().__init__(*size, **options)
        self.head.weight = self.token.weight


@gpt.mistake("head_bias", "The head has a bias; it must have none.")
class GPT(Base):
    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__(V, block, d, h, n)
        self.head = nn.Linear(d, V)
        nn.init.normal_(self.head.weight, std=0.02)


@gpt.mistake("no_final_norm", "The last LayerNorm, before the head, is missing.")
class GPT(Base):
    def __init__(self, *size, **options):
        super().__init__(*size, **options)
        self.norm = nn.Identity()


@gpt.mistake("narrow_mlp", "The MLP is 4 d wide inside.")
class GPT(Base):
    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__(V, block, d, h, n)
        for each in self.blocks:
            each.up, each.down = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)
        self.start()


@gpt.mistake("n_ignored", "n blocks are asked for, whatever n is.")
class GPT(Base):
    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__(V, block, d, h, 2)


@gpt.mistake("one_block_shared", "Each of the n blocks has its own weights.")
class GPT(Base):
    def __init__(self, V, block, d=32, h=4, n=2):
        super().__init__(V, block, d, h, 1)
        self.blocks = nn.ModuleList([self.blocks[0]] * n)


@gpt.mistake("first_block_only", "The first block is used n times; the others take no part.")
class GPT(Base):
    def __init__(self, *size, **options):
        super().__init__(*size, **options)
        self.rest = self.blocks[1:]
        self.blocks = nn.ModuleList([self.blocks[0]] * len(self.blocks))


@gpt.mistake("flat_logits", "The logits keep the shape (B, T, V), with targets too; only the loss "
             "needs them flat.")
class GPT(Base):
    def forward(self, idx, targets=None):
        logits, loss = super().forward(idx, targets)
        return (logits if targets is None else logits.flatten(0, 1)), loss


@gpt.mistake("dropout", "There is no dropout here: the same input gives the same logits.")
class GPT(Base):
    def embed(self, idx):
        return F.dropout(super().embed(idx), 0.1)


@gpt.mistake("too_long_cut", "More than `block` tokens must raise ValueError; here they are cut.")
class GPT(Base):
    def forward(self, idx, targets=None):
        return super().forward(idx[:, -self.block :], targets)


@gpt.mistake("too_long_crash", "More than `block` tokens end in an error from the embedding; raise "
             "ValueError first.")
class GPT(Base):
    def check(self, T):
        if T > self.block:
            raise IndexError("index out of range in self")


@gpt.mistake("loss_always", "Without targets there is no loss: None.")
class GPT(Base):
    def forward(self, idx, targets=None):
        logits, loss = super().forward(idx, targets)
        return logits, torch.zeros(()) if loss is None else loss


@gpt.mistake("last_only", "Logits are asked at every position, not only at the last.")
class GPT(Base):
    def forward(self, idx, targets=None):
        logits, loss = super().forward(idx, targets)
        return (logits[:, -1:] if targets is None else logits), loss


@gpt.mistake("probabilities", "Logits are asked for, not probabilities: cross_entropy applies the "
             "softmax itself.")
class GPT(Base):
    def forward(self, idx, targets=None):
        logits, _ = super().forward(idx)
        probabilities = logits.softmax(dim=-1)
        return probabilities, None if targets is None else self.loss(probabilities, targets)


@gpt.variant("torch's attention in the blocks")
class GPT(Base):
    pass


@gpt.variant("one matrix for queries, keys and values")
class GPT(Fused):
    pass


@gpt.variant("bare parameters, GELU by tanh")
class GPT(Bare):
    pass
