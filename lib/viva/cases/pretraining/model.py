"""Cases of GPT."""

import math

import numpy as np
import torch
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


def planted(GPT, size, d, rng, mlp):
    """A model of one block with weights of ours, and these: (model, words (V, d), places, up).

    Whose weight is whose is told by its shape. The token embedding and the head get one matrix,
    the MLP's two layers one matrix and its transpose: so it does not matter which of two is which.
    Vectors are zero but for a LayerNorm's ones. `mlp`: attention is silent, else the MLP is.
    """
    V, block = size
    words, places = 3 * rng.normal(size=(V, d)), 3 * rng.normal(size=(block, d))
    up = 0.5 * rng.normal(size=(4 * d, d))
    if not mlp:
        words[2:4], places = np.outer([2, 3], words[1]), 0 * places
    ours = {(V, d): words, (block, d): places, (4 * d, d): up * mlp, (d, 4 * d): up.T * mlp}
    ours |= {shape[::-1]: value.T for shape, value in ours.items()}
    model, new = GPT(V, block, d=d, h=2, n=1).double(), {}
    for name, weight in model.named_parameters():
        weight, shape = weight.detach(), tuple(each for each in weight.shape if each != 1)
        if shape in ours:
            new[name] = torch.tensor(ours[shape]).reshape(weight.shape)
        elif len(shape) > 1:
            new[name] = weight * (0 if mlp else 25)  # 0.02 is too little to be seen
        else:
            new[name] = weight * bool((weight == 1).all())
    model.load_state_dict(new, strict=False)
    return model, words, places, up


def norm(x):
    """LayerNorm without weights, as large numbers see it."""
    x = x - x.mean(axis=-1, keepdims=True)
    return x / x.std(axis=-1, keepdims=True)


MLPS = {
    "x + down(GELU(up(LN(x))))": lambda x, up, bend: x + bend(norm(x) @ up.T) @ up,
    "LN(x) + down(GELU(up(LN(x))))": lambda x, up, bend: norm(x) + bend(norm(x) @ up.T) @ up,
    "x + down(GELU(up(x)))": lambda x, up, bend: x + bend(x @ up.T) @ up,
    "x + down(ReLU(up(LN(x))))": lambda x, up, bend: x + np.maximum(norm(x) @ up.T, 0) @ up,
    "x + down(up(LN(x)))": lambda x, up, bend: x + norm(x) @ up.T @ up,
    "down(GELU(up(LN(x))))": lambda x, up, bend: bend(norm(x) @ up.T) @ up,
}


def mlp_formula(GPT, size, d, rng):
    """Which formula the MLP follows, told from the logits of a block with silent attention."""
    model, words, places, up = planted(GPT, size, d, rng, mlp=True)
    idx = tokens(rng, size[0], 2, 5)
    logits = model(torch.tensor(idx))[0].detach().numpy()
    for formula, write in MLPS.items():
        for kind in ("none", "tanh"):
            stream = write(words[idx] + places[:5], up,
                           lambda x, kind=kind: F.gelu(torch.tensor(x), approximate=kind).numpy())
            expected = norm(stream) @ words.T
            # the stabiliser of a LayerNorm changes 1e-6 of it, the nearest other formula 1e-2
            if logits.shape == expected.shape and (
                    np.abs(logits - expected).max() < 1e-4 * np.abs(expected).max()):
                return formula
    return "another formula"


def attention_formula(GPT, size, d, rng):
    """Whether attention reads the normalised stream and adds to the stream itself.

    One token, no MLP, and the embeddings x, 2 x and 3 x: attention then adds the same a to each,
    and the last LayerNorm shows x + a, 2 x + a and 3 x + a, each with an unknown factor
    """
    model, words, _, _ = planted(GPT, size, d, rng, mlp=False)
    logits = model(torch.tensor([[1], [2], [3]]))[0].detach().numpy()[:, 0]
    one, two, three = np.linalg.lstsq(words, logits.T, rcond=None)[0].T
    x = words[1] - words[1].mean()
    none, gaps = np.zeros(d), np.concatenate([x, x])
    shown = np.array([[*-one, *none], [*two, *-two], [*none, *three]]).T
    factors = np.linalg.lstsq(shown, gaps, rcond=None)[0]  # two minus one is x, three minus two too
    misfit = np.abs(shown @ factors - gaps).max() / np.abs(x).max()
    return "x + attention(LN(x))" if misfit < 1e-4 and min(factors) > 0 else "another formula"


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
def attention_block(rng, GPT):
    """how attention reads the stream and writes to it: x + attention(LN(x))"""
    return attention_formula(GPT, (24, 9), 16, rng)


@case("GPT")
def mlp_block(rng, GPT):
    """how the MLP reads the stream and writes to it: x + down(GELU(up(LN(x))))"""
    return mlp_formula(GPT, (24, 9), 16, rng)


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
