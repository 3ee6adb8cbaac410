"""Cases of GPT."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from viva.case import beside, case, outcome


def answer(GPT, size, options, idx, targets=None, seed=0):
    """Logits of each array of ids, and the loss of the last one if there are targets."""
    torch.manual_seed(seed)
    model = GPT(*size, **options).double()
    logits = [model(torch.tensor(each))[0].detach().numpy() for each in idx]
    if targets is None:
        return logits
    return logits, model(torch.tensor(idx[-1]), torch.tensor(targets))[1].item()


def no_targets(GPT, size, options, idx):
    """The shape of the logits, whether the loss is None, and whether they are probabilities."""
    logits, loss = GPT(*size, **options)(torch.tensor(idx))
    sums = logits.detach().sum(dim=-1)
    return [list(logits.shape), loss is None, bool((sums - 1).abs().max() < 1e-3)]


def size_of(GPT, size, options):
    """The number of parameters, and the standard deviation of every matrix."""
    torch.manual_seed(1)
    weights = list(GPT(*size, **options).parameters())
    return sum(w.numel() for w in weights), [w.std().item() for w in weights if w.ndim > 1]


def bypassed(GPT, size, d, idx):
    """Logits when attention and MLP write nothing into the stream: every Linear to d is zero."""
    torch.manual_seed(2)
    model = GPT(*size, d=d, h=2, n=2).double()
    with torch.no_grad():
        for module in model.modules():
            if getattr(module, "out_features", None) == d:
                for parameter in module.parameters():
                    parameter.zero_()
        return [model(torch.tensor(each))[0].detach().numpy() for each in idx]


def calls(GPT, size, options, idx):
    """Every call of a LayerNorm or a linear layer of torch: (module, input, output), in order."""
    torch.manual_seed(3)
    model, seen = GPT(*size, **options).double(), []
    for module in model.modules():
        if isinstance(module, nn.LayerNorm | nn.Linear):
            module.register_forward_hook(
                lambda module, given, out: seen.append((module, given[0].detach(), out.detach())))
    with torch.no_grad():
        model(torch.tensor(idx))
    return seen


@beside
def first_norm_moves(GPT, size, options, idx, other):
    """At which places the input of the first LayerNorm differs between two texts."""
    one, two = (next((given for module, given, _ in calls(GPT, size, options, each)
                      if isinstance(module, nn.LayerNorm)), None) for each in (idx, other))
    if one is None:  # a LayerNorm of one's own is out of sight here
        return np.flatnonzero(idx[0] != other[0]).tolist()
    return np.flatnonzero((one - two).abs().amax(dim=(0, 2)).numpy() > 1e-12).tolist()


@beside
def inside_mlp(GPT, size, d, idx):
    """Of every MLP: is its input normalised, and is a GELU all there is between its layers?"""
    seen = calls(GPT, size, {"d": d, "h": 2}, idx)
    ups = [(x, y) for module, x, y in seen
           if isinstance(module, nn.Linear) and (module.in_features, module.out_features)
           == (d, 4 * d)]
    downs = [x for module, x, _ in seen if isinstance(module, nn.Linear)
             and module.in_features == 4 * d]
    normal = [bool(x.mean(dim=-1).abs().max() < 1e-3 and (x.std(dim=-1) - 1).abs().max() < 0.1)
              for x, _ in ups]
    bent = [any((x - F.gelu(y, approximate=kind)).abs().max() < 1e-9 for kind in ("none", "tanh"))
            for (_, y), x in zip(ups, downs, strict=False)]
    return [all(normal), all(bent)]


def idle(GPT, size, options, x, y):
    """How many parameters take no part in the loss."""
    model = GPT(*size, **options)
    model(torch.tensor(x), torch.tensor(y))[1].backward()
    return sum(weight.grad is None for weight in model.parameters())


def plain_norms(GPT, size, options):
    """How many vectors of parameters are all ones, as the weights of a LayerNorm are at first."""
    return sum(bool((w == 1).all()) for w in GPT(*size, **options).parameters() if w.ndim == 1)


def length_outcomes(GPT, block):
    """What happens with `block` tokens, and with one more."""
    model = GPT(11, block)
    return [outcome(model, torch.ones(1, T, dtype=torch.int64)) for T in (block, block + 1)]


@beside
def memorised(GPT, size, options, x, y, steps, lr, seed=0):
    """The model itself after some steps of Adam on these sequences: whoever gets it asks it."""
    torch.manual_seed(seed)
    model = GPT(*size, **options)
    optimizer = torch.optim.Adam(model.parameters(), lr)
    x, y = torch.tensor(x), torch.tensor(y)
    for _ in range(steps):
        optimizer.zero_grad()
        model(x, y)[1].backward()
        optimizer.step()
    return model


def cross_entropy(logits, targets, skip=0):
    """Mean over the targets that are not `skip`."""
    logits, targets = torch.tensor(logits).flatten(0, 1), torch.tensor(targets).flatten()
    return F.cross_entropy(logits[targets != skip], targets[targets != skip]).item()


def tokens(rng, V, *shape):
    return rng.integers(1, V, shape)


@case("GPT")
def no_loss_without_targets(rng, GPT):
    """logits (2, 7, 19), not probabilities, and None as loss"""
    return no_targets(GPT, (19, 10), {}, tokens(rng, 19, 2, 7))


@case("GPT")
def knows_nothing(rng, GPT):
    """the first loss is within 5% of ln V"""
    V = 60
    idx, targets = tokens(rng, V, 8, 12), tokens(rng, V, 8, 12)
    _, loss = answer(GPT, (V, 12), {}, [idx], targets)
    return abs(loss / math.log(V) - 1) < 0.05


@case("GPT")
def padding_ignored(rng, GPT):
    """the loss is the mean over targets that are not PAD: not over all, not divided by all"""
    idx, targets = tokens(rng, 9, 2, 6), tokens(rng, 9, 2, 6)
    targets[:, :3], targets[1, 5], targets[0, 4] = 0, 0, 1
    logits, loss = answer(GPT, (9, 8), {"d": 16, "h": 2}, [idx], targets)
    asked, count = cross_entropy(logits[0], targets), int((targets != 0).sum())
    every = [cross_entropy(logits[0], targets, skip) for skip in (-1, 1)]
    shifted = cross_entropy(logits[0][:, :-1], targets[:, 1:])
    candidates = [asked, *every, asked * count / targets.size, asked * count, shifted]
    # float64; a few sums in another order
    return [abs(loss - each) < 1e-9 for each in candidates]


@case("GPT")
def causal(rng, GPT):
    """token 4 of 7 changes: which logits change? From 4 on"""
    idx = tokens(rng, 12, 1, 7)
    other = idx.copy()
    other[0, 4] = idx[0, 4] % 11 + 1
    one, two = answer(GPT, (12, 9), {}, [idx, other])
    return [bool(each) for each in np.abs(one - two).max(axis=(0, 2)) > 1e-12]


@case("GPT")
def places_matter(rng, GPT):
    """one block: two earlier tokens change places, and the last logits change"""
    idx = rng.permutation(11)[None, :5] + 1
    other = idx[:, [1, 0, 2, 3, 4]]
    one, two = answer(GPT, (12, 9), {"n": 1}, [idx, other])
    return bool(np.abs(one - two)[0, 4].max() > 1e-9)


@case("GPT")
def stream(rng, GPT):
    """attention and MLP write nothing: each logit still depends on its own token, and no other"""
    idx = tokens(rng, 12, 1, 5)
    other = idx.copy()
    other[0, 2] = idx[0, 2] % 11 + 1
    one, two = bypassed(GPT, (12, 9), 16, [idx, other])
    return [bool(each) for each in np.abs(one - two).max(axis=(0, 2)) > 1e-12]


@case("GPT")
def norm_first(rng, GPT):
    """token 1 of 5 changes: so does the input of the first LayerNorm at place 1, and only there"""
    idx = tokens(rng, 12, 1, 5)
    other = idx.copy()
    other[0, 1] = idx[0, 1] % 11 + 1
    return first_norm_moves(GPT, (12, 9), {}, idx, other)


@case("GPT")
def mlp(rng, GPT):
    """the MLP reads normalised features and has a GELU between its two layers"""
    return inside_mlp(GPT, (12, 9), 16, tokens(rng, 12, 2, 5))


@case("GPT")
def all_take_part(rng, GPT):
    """how many parameters have no influence on the loss: none"""
    return idle(GPT, (12, 9), {"n": 3}, tokens(rng, 12, 2, 5), tokens(rng, 12, 2, 5))


@case("GPT")
def norms_start(rng, GPT):
    """every LayerNorm starts with weights of 1: 2 n + 1 of them, for n = 2 and n = 3"""
    return [plain_norms(GPT, (23, 10), {"d": 24, "h": 3, "n": n}) for n in (2, 3)]


@case("GPT")
def too_long(rng, GPT):
    """`block` tokens work, one more raises ValueError"""
    return length_outcomes(GPT, 6)


@case("GPT")
def parameters(rng, GPT):
    """the number of parameters with V = 50, block = 40, d = 32, h = 4, n = 2, and other sizes"""
    return [size_of(GPT, (50, 40), {})[0], size_of(GPT, (23, 10), {"d": 24, "h": 3, "n": 3})[0]]


@case("GPT")
def small_weights(rng, GPT):
    """all matrices start with a standard deviation near 0.02: 1 times, and nothing else"""
    # 1024 entries or more: the sample's standard deviation is within 2% on average
    return sorted({round(each / 0.02) if abs(each / 0.02 - 1) > 0.15 else 1
                   for each in size_of(GPT, (50, 40), {})[1]})
