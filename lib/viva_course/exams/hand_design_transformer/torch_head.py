"""TorchHead."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from viva.cases.hand_design_transformer.head import random_head
from viva.cases.hand_design_transformer.torch_head import sizes_of, torch_head, torch_head_gradients
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise, altered

module = Exercise("TorchHead", "the numpy head with matrices stored transposed, without bias")

# torch.sqrt(torch.tensor(d)) is float32 whatever the module is: 6e-8 in every score
TOLERANCE = dict(rtol=1e-6, atol=1e-6)

module.values(5, "With the numpy matrices loaded, the module must be the numpy head.")


@module.item(2, "A batch (N, T, d) must give what its sequences give one by one.")
def batches(exam, TorchHead):
    for positions in (False, True):
        X, *matrices = random_head(exam.rng, positions)
        sizes = sizes_of(X, *matrices)
        X = exam.rng.normal(size=(7, *X.shape))
        expected = torch.tensor(np.stack([reference.attention_head(x, *matrices) for x in X]))
        exam.same(torch_head(TorchHead, sizes, *matrices, X), expected, **TOLERANCE)
        exam.same(torch_head(TorchHead, sizes, *matrices, X[:1]), expected[:1], **TOLERANCE)


@module.item(2, "Every matrix learns, and of the positions those that occur.")
def gradients(exam, TorchHead):
    for positions, batch in ((False, ()), (True, ()), (True, (3,))):
        X, *matrices = random_head(exam.rng, positions)
        sizes = sizes_of(X, *matrices)
        X = exam.rng.normal(size=(*batch, *X.shape))
        weight = exam.rng.normal(size=(*X.shape[:-1], matrices[2].shape[1]))
        got = torch_head_gradients(TorchHead, sizes, *matrices, X, weight)
        expected = torch_head_gradients(reference.TorchHead, sizes, *matrices, X, weight)
        for name, gradient in expected.items():
            exam.true(got[name] is not None, f"no gradient reaches {name}")
            exam.same(got[name], gradient, **TOLERANCE)


@module.item(1, "Scores of 10,000 in float32 must stay finite.", name="large scores, float32")
def large_scores_float32(exam, TorchHead):
    X, *matrices = random_head(exam.rng, True)
    sizes = sizes_of(X, *matrices)
    got = torch_head(TorchHead, sizes, *matrices, X, torch.float32)
    expected = torch.tensor(reference.attention_head(X, *matrices), dtype=torch.float32)
    exam.same(got, expected, rtol=1e-3, atol=1e-4)           # scores of size 50 in float32
    matrices[1] = 1e4 * matrices[1]
    got = torch_head(TorchHead, sizes, *matrices, X)
    exam.same(got, torch.tensor(reference.attention_head(X, *matrices)), **TOLERANCE)


class Head(nn.Module):
    """A correct head in parts, each of which a mistake replaces."""

    def __init__(self, input_dim, qk_dim, v_dim, pos_dim=None, max_seq_len=10):
        super().__init__()
        width = input_dim + (pos_dim or 0)
        self.Km, self.Qm = (self.linear(width, qk_dim) for _ in range(2))
        self.Vm = self.linear(width, v_dim)
        self.pos = None if pos_dim is None else nn.Embedding(max_seq_len, pos_dim)

    def linear(self, wide, narrow):
        return nn.Linear(wide, narrow, bias=False)

    def table(self, seq):
        return self.pos(torch.arange(seq.shape[-2])).expand(*seq.shape[:-1], -1)

    def join(self, seq):
        return torch.cat([seq, self.table(seq)], dim=-1)

    def scores(self, Q, K):
        return Q @ K.transpose(-1, -2) / Q.shape[-1] ** .5

    def weights(self, scores):
        return torch.softmax(scores, dim=-1)

    def forward(self, seq):
        Z = seq if self.pos is None else self.join(seq)
        return self.weights(self.scores(self.Qm(Z), self.Km(Z))) @ self.Vm(Z)


module.mistakes_of(TorchHead={
    "bias": ("nn.Linear adds a bias by itself: say bias=False.",
             altered(Head, linear=lambda self, wide, narrow: nn.Linear(wide, narrow))),
    "dim0": ("dim=0 normalises over queries, or over the batch: use dim=-1.",
             altered(Head, weights=lambda self, scores: torch.softmax(scores, dim=0))),
    "dim1": ("In a batch dim=1 is the query axis: use dim=-1.",
             altered(Head, weights=lambda self, scores: torch.softmax(scores, dim=1))),
    "no_scale": ("The scores are divided by the square root of qk_dim.",
                 altered(Head, scores=lambda self, Q, K: Q @ K.transpose(-1, -2))),
    "scale_d": ("Divide by the square root of qk_dim, not by qk_dim.",
                altered(Head, scores=lambda self, Q, K: Q @ K.transpose(-1, -2) / Q.shape[-1])),
    "pos_unbatched": ("The table has no batch axis: expand it over that of seq.",
                      altered(Head, table=lambda self, seq: self.pos(torch.arange(seq.shape[-2])))),
    "pos_in_front": (
        "The token comes first, then its positional code.",
        altered(Head, join=lambda self, seq: torch.cat([self.table(seq), seq], dim=-1))),
    "KQ_transposed": ("Rows belong to queries: the scores are Q K^T.",
                      altered(Head, scores=lambda self, Q, K: Head.scores(self, K, Q))),
    "pos_detached": ("The table must learn as well: do not detach it.",
                     altered(Head, table=lambda self, seq: Head.table(self, seq).detach())),
    "keys_detached": ("A detached tensor does not learn: gradients must reach Km.",
                      altered(Head, scores=lambda self, Q, K: Head.scores(self, Q, K.detach()))),
    "always_float64": ("The module keeps the dtype of its parameters.",
                       altered(Head, forward=lambda self, seq: Head.forward(self, seq).double())),
})


@module.mistake("scale_width", "Divide by the square root of qk_dim, not of the input's width.")
class TorchHead(Head):
    def scores(self, Q, K):
        return Q @ K.transpose(-1, -2) / self.Qm.in_features ** .5


@module.mistake("shared_QK", "Queries and keys need a matrix each.")
class TorchHead(Head):
    def forward(self, seq):
        Z = seq if self.pos is None else self.join(seq)
        return self.weights(self.scores(self.Km(Z), self.Km(Z))) @ self.Vm(Z)


@module.mistake("values_without_places", "The values are made of the token alone: Vm reads token "
                "and place, as Km and Qm do.")
class TorchHead(Head):
    def forward(self, seq):
        if self.pos is None:
            return Head.forward(self, seq)
        Z, blank = self.join(seq), torch.zeros_like(self.table(seq))
        return self.weights(self.scores(self.Qm(Z), self.Km(Z))) @ self.Vm(
            torch.cat([seq, blank], dim=-1))


@module.mistake("batch_transposed", ".T reverses all axes of a batch: swap the last two.")
class TorchHead(Head):
    def scores(self, Q, K):
        return Q @ K.permute(*range(K.ndim - 1, -1, -1)) / Q.shape[-1] ** .5


@module.mistake("pos_tail", "Position i is row i of the table, counted from the top.")
class TorchHead(Head):
    def table(self, seq):
        return self.pos.weight[-seq.shape[-2]:].expand(*seq.shape[:-1], -1)


@module.mistake("pos_by_batch", "len(seq) is the batch size for (N, T, d): T is seq.shape[-2].")
class TorchHead(Head):
    def table(self, seq):
        return self.pos(torch.arange(len(seq))).expand(*seq.shape[:-1], -1)


@module.mistake("naive_softmax", "exp overflows for large scores: use torch.softmax.")
class TorchHead(Head):
    def weights(self, scores):
        shares = torch.exp(scores)
        return shares / shares.sum(dim=-1, keepdim=True)


@module.variant("torch's fused attention")
class TorchHead(Head):
    def forward(self, seq):
        Z = seq if self.pos is None else self.join(seq)
        return F.scaled_dot_product_attention(self.Qm(Z), self.Km(Z), self.Vm(Z))


@module.variant("always a batch, rows of the table by slicing")
class TorchHead(Head):
    def forward(self, seq):
        Z = seq if seq.ndim == 3 else seq[None]
        if self.pos is not None:
            rows = self.pos.weight[:Z.shape[1]].repeat(len(Z), 1, 1)
            Z = torch.cat([Z, rows], dim=2)
        root = torch.sqrt(torch.tensor(self.Km.out_features))
        scores = torch.bmm(self.Qm(Z), self.Km(Z).mT) / root
        out = torch.bmm(scores.softmax(2), self.Vm(Z))
        return out if seq.ndim == 3 else out[0]
