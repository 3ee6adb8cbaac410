"""Cases of LoRALinear."""

import numpy as np
import torch
from torch import nn

from viva.case import candidate_side, case, outcome


@candidate_side
def linear(LoRALinear, W, b=None):
    """A base layer, made where the student's class can use it."""
    base = nn.Linear(W.shape[1], W.shape[0], bias=b is not None).double()
    with torch.no_grad():
        base.weight.copy_(torch.tensor(W))
        if b is not None:
            base.bias.copy_(torch.tensor(b))
    return base


def _layer(LoRALinear, W, b, k, alpha):
    base = linear(LoRALinear, W, b)
    layer = LoRALinear(base, k) if alpha is None else LoRALinear(base, k, alpha)
    return layer.double(), base


@candidate_side
def fill(layer, **values) -> None:
    """Write these arrays into the attributes of those names."""
    with torch.no_grad():
        for name, value in values.items():
            getattr(layer, name).copy_(torch.tensor(value))


def start(LoRALinear, W, b, k, x):
    """A fresh layer: its output, the shapes, how it starts, and what can be trained."""
    layer, base = _layer(LoRALinear, W, b, k, None)
    free = [p for p in layer.parameters() if p.requires_grad]
    return {
        "output": layer(torch.tensor(x)).detach().numpy(),
        "A": list(layer.A.shape), "B": list(layer.B.shape),
        "A is zero": bool((layer.A == 0).all()),
        "rank of B": int(torch.linalg.matrix_rank(layer.B.detach())),
        "trainable": sum(p.numel() for p in free),
        "frozen": sum(p.numel() for p in base.parameters() if not p.requires_grad),
    }


def changed(LoRALinear, W, b, k, alpha, A, B, x):
    """With these A and B: the output, the merged weight, and the output once more."""
    layer, _ = _layer(LoRALinear, W, b, k, alpha)
    fill(layer, A=A, B=B)
    x = torch.tensor(x)
    before, merged = layer(x).detach().numpy(), layer.merged_weight().detach().numpy()
    return {"output": before, "merged": merged, "again": layer(x).detach().numpy()}


def gradients(LoRALinear, W, b, k, alpha, x, g, **factors):
    """Gradients of A and B with these factors, and how many numbers of the base get one.

    At the start, where A is not given, a B that has no gradient is told by a truth value: the
    numbers of a wrong one would depend on how A was drawn.
    """
    layer, base = _layer(LoRALinear, W, b, k, alpha)
    fill(layer, **factors)
    layer(torch.tensor(x)).backward(torch.tensor(g))
    of_A, of_B = (np.zeros(p.shape) if p.grad is None else p.grad.numpy()
                  for p in (layer.A, layer.B))
    for_B = {"B": of_B} if "A" in factors else {"B has no gradient yet": not of_B.any()}
    return {"A": of_A} | for_B | {
        "base": sum(p.numel() for p in base.parameters() if p.grad is not None)}


def ranks(LoRALinear, W, b, tried):
    """What becomes of each rank: the name of an exception, or "no exception"."""
    return [outcome(LoRALinear, linear(LoRALinear, W, b), k) for k in tried]


def trained(LoRALinear, W, b, k, x, y, steps=60, lr=0.05):
    """The rank of the update, whether the loss fell by a tenth, whether the base stayed."""
    layer, base = _layer(LoRALinear, W, b, k, None)
    x, y = torch.tensor(x), torch.tensor(y)
    optimizer = torch.optim.Adam([p for p in layer.parameters() if p.requires_grad], lr=lr)
    losses = []
    for _ in range(steps):
        loss = (layer(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    update = layer.merged_weight().detach() - torch.tensor(W)
    return {"rank": int(torch.linalg.matrix_rank(update, atol=1e-7)),
            "learns": bool(losses[-1] < 0.9 * losses[0]),
            "base unchanged": bool((base.weight.detach() == torch.tensor(W)).all())}


def problem(rng, m, l, k, *batch):
    """W (m, l), b (m,), A (m, k), B (k, l) and inputs (*batch, l)."""
    return [rng.normal(size=shape) for shape in ((m, l), (m,), (m, k), (k, l), (*batch, l))]


@case("LoRALinear")
def as_the_base(rng, LoRALinear):
    """a fresh layer computes what its base computes; sizes 5 x 7, rank 2"""
    W, b, _, _, x = problem(rng, 5, 7, 2, 4)
    return start(LoRALinear, W, b, 2, x)


@case("LoRALinear")
def own_numbers(rng, LoRALinear):
    """two fresh layers of one size draw different numbers for B"""
    first, second = (_layer(LoRALinear, rng.normal(size=(4, 6)), None, 3, None)[0]
                     for _ in range(2))
    return {"each layer draws its own B": bool((first.B != second.B).any()),
            "shape of B": [int(size) for size in first.B.shape]}


@case("LoRALinear")
def scaled_update(rng, LoRALinear):
    """alpha = 6, rank 3: output and merged weight after A and B have changed"""
    W, b, A, B, x = problem(rng, 5, 6, 3, 4)
    return changed(LoRALinear, W, b, 3, 6.0, A, B, x)


@case("LoRALinear")
def default_alpha(rng, LoRALinear):
    """alpha left out, rank 2: the update is A B itself"""
    W, b, A, B, x = problem(rng, 4, 6, 2, 3)
    return changed(LoRALinear, W, b, 2, None, A, B, x)


@case("LoRALinear")
def alpha_zero(rng, LoRALinear):
    """alpha = 0, rank 2: the adapter is switched off"""
    W, b, A, B, x = problem(rng, 4, 5, 2, 3)
    return changed(LoRALinear, W, b, 2, 0.0, A, B, x)


@case("LoRALinear")
def no_bias_and_batch_axes(rng, LoRALinear):
    """a base without bias, inputs (2, 3, 6)"""
    W, _, A, B, x = problem(rng, 4, 6, 1, 2, 3)
    return changed(LoRALinear, W, None, 1, 0.5, A, B, x)


@case("LoRALinear")
def first_step(rng, LoRALinear):
    """gradients of the first step: for A, for B (zero), none for the base"""
    W, b, _, B, x = problem(rng, 5, 4, 2, 6)
    return gradients(LoRALinear, W, b, 2, 3.0, x, rng.normal(size=(6, 5)), B=B)


@case("LoRALinear")
def later_step(rng, LoRALinear):
    """gradients once A is no longer zero: for A and for B, none for the base"""
    W, b, A, B, x = problem(rng, 5, 4, 2, 6)
    return gradients(LoRALinear, W, b, 2, 3.0, x, rng.normal(size=(6, 5)), A=A, B=B)


@case("LoRALinear")
def allowed_ranks(rng, LoRALinear):
    """a 4 x 6 layer: ranks 1 and 4 are fine, 0, 5, 8 and -1 raise ValueError"""
    return ranks(LoRALinear, rng.normal(size=(4, 6)), rng.normal(size=4), [1, 4, 0, 5, 8, -1])


@case("LoRALinear", log=False)
def after_training(rng, LoRALinear):
    """sixty steps: the update has rank 2, the loss falls, the base stays"""
    W, b, _, _, x = problem(rng, 5, 6, 2, 30)
    return trained(LoRALinear, W, b, 2, x, x @ (W + rng.normal(size=(5, 6))).T + b)
