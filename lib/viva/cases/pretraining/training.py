"""Cases of train_gpt. The drivers run beside the student's function and hand back plain data."""

import numpy as np
import torch
from torch import nn

from viva.case import candidate_side, case


def plain(loss):
    """A loss that is a number; what it is instead, if it is none."""
    return float(loss) if isinstance(loss, float | int | np.number) else f"a {type(loss).__name__}"


class Slope(nn.Module):
    """A model with one number p and the loss x p: every step of SGD moves p by the rate times x."""

    def __init__(self):
        super().__init__()
        self.p = nn.Parameter(torch.zeros(1, dtype=torch.float64))
        self.path = []

    def forward(self, x, y=None):
        self.path.append(float(self.p.detach()))
        return None, (self.p * x).sum()


@candidate_side
def slide(train_gpt, lr, steps, cuts, xs):
    """SGD on a Slope, in the pieces between the cuts: losses, places of p and the batches asked."""
    model, asked, losses = Slope(), [], []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

    def batch(t):
        asked.append(t)
        return torch.tensor([xs[t % len(xs)]], dtype=torch.float64), None

    for first, last in cuts:
        if (first, last) == (0, None):
            found = train_gpt(model, optimizer, batch, lr, steps)
        else:
            found = train_gpt(model, optimizer, batch, lr, steps, first=first, last=last)
        losses += [plain(each) for each in found]
    return {"losses": losses, "path": [*model.path, float(model.p.detach())], "asked": asked}


class Slopes(nn.Module):
    """A model with two numbers and the loss p + 2 r."""

    def __init__(self):
        super().__init__()
        self.p, self.r = (nn.Parameter(torch.zeros(1, dtype=torch.float64)) for _ in range(2))

    def forward(self, x=None, y=None):
        return None, (self.p + 2 * self.r).sum()


@candidate_side
def slide_two(train_gpt, lr, steps):
    """SGD with two groups of parameters, one each of Slopes: where both end."""
    model = Slopes()
    optimizer = torch.optim.SGD([{"params": [model.p]}, {"params": [model.r]}], lr=0.5)
    train_gpt(model, optimizer, lambda t: (None, None), lr, steps)
    return [float(each.detach()) for each in (model.p, model.r)]


class Reader(nn.Module):
    """The mean of the tokens' embeddings, and one linear layer."""

    def __init__(self, V, d=16):
        super().__init__()
        self.token, self.head = nn.Embedding(V, d), nn.Linear(d, V)

    def forward(self, x, y):
        logits = self.head(self.token(x).mean(dim=1))
        return logits, nn.functional.cross_entropy(logits, y)


@candidate_side
def taught(train_gpt, V, weights, x, y, lr, steps):
    """The weights of a Reader after training on questions x (n, 2) with answers y (n,)."""
    model = Reader(V)
    with torch.no_grad():
        for parameter, weight in zip(model.parameters(), weights, strict=True):
            parameter.copy_(torch.tensor(weight))
    optimizer = torch.optim.AdamW(model.parameters(), lr)
    x, y = torch.tensor(x), torch.tensor(y)
    losses = train_gpt(model, optimizer, lambda t: (x, y), lr, steps)
    weights = [p.detach().double().numpy() for p in model.parameters()]
    return weights, [float(torch.as_tensor(each).detach()) for each in losses]


def families(rng):
    """A town: 10 first names, 12 family names, and each family has its place, one of six.

    Returns (V, weights to start with, training and fresh questions with their answers)
    """
    home = 22 + rng.integers(0, 6, 12)
    pairs = np.array([(first, 10 + last) for first in range(10) for last in range(12)])
    pairs = pairs[rng.permutation(120)]
    places = home[pairs[:, 1] - 10]
    V = 28
    weights = [rng.normal(size=(V, 16)), rng.normal(size=(V, 16)) / 4, np.zeros(V)]
    return V, weights, (pairs[:70], places[:70]), (pairs[70:], places[70:])


def accuracy(weights, questions):
    """How many of the questions the trained weights answer rightly, as a share."""
    token, head, bias = weights
    x, y = questions
    return float(((token[x].mean(axis=1) @ head.T + bias).argmax(axis=1) == y).mean())


@case("train_gpt")
def rates(rng, train_gpt):
    """ten steps on a straight slope: the way of p shows the rate of every step"""
    return slide(train_gpt, 0.3, 10, [(0, None)], [1.0])


@case("train_gpt")
def gradients_anew(rng, train_gpt):
    """the slope changes from step to step"""
    return slide(train_gpt, 0.2, 6, [(0, None)], [float(each) for each in rng.normal(size=6)])


@case("train_gpt")
def in_two_pieces(rng, train_gpt):
    """steps 0 to 3, then 4 to 8, of a run of nine: as if in one"""
    return slide(train_gpt, 0.1, 9, [(0, 4), (4, 9)], [1.0, 2.0, -1.0])


@case("train_gpt")
def a_piece_only(rng, train_gpt):
    """only the steps 5 and 6 of a run of twenty"""
    return slide(train_gpt, 0.1, 20, [(5, 7)], [1.0, 2.0, -1.0])


@case("train_gpt")
def nothing_to_do(rng, train_gpt):
    """last = 0: no step is made"""
    return slide(train_gpt, 0.1, 8, [(0, 0)], [1.0, 2.0])


@case("train_gpt")
def a_long_run(rng, train_gpt):
    """the first four steps of a run of 1000: the rate begins at lr, without a warm-up"""
    return slide(train_gpt, 0.5, 1000, [(0, 4)], [1.0, 3.0])


@case("train_gpt")
def steep(rng, train_gpt):
    """slopes of 40 and -70: a step is the rate times the slope, however steep"""
    return slide(train_gpt, 0.1, 4, [(0, None)], [40.0, -70.0])["path"]


@case("train_gpt")
def two_groups(rng, train_gpt):
    """an optimiser with two groups of parameters: where both are after five steps"""
    return slide_two(train_gpt, 0.3, 5)


@case("train_gpt")
def fresh_questions(rng, train_gpt):
    """70 questions about families, 60 steps of AdamW; 50 fresh questions: nine of ten are right"""
    V, weights, known, fresh = families(rng)
    weights, losses = taught(train_gpt, V, weights, *known, 0.05, 60)
    return [accuracy(weights, fresh) > 0.9, len(losses)]
