"""Cases of `Dropout`. Its masks are random, so the cases return what does not depend on them."""

import numpy as np
import torch

from viva.case import case, outcome


def rounded(share) -> float:
    """A share to the nearest tenth; the cases below know it to 0.01 at worst."""
    return float(np.round(float(share), 1))


def values_taken(ratio) -> str:
    """The different values of out / x, in order, to five places."""
    found = np.unique(np.round(ratio.detach().double().numpy(), 5) + 0.0)  # no -0
    return ", ".join(f"{value:.6g}" for value in found) if len(found) <= 10 else "more than ten"


def tensor(rng, *shape):
    """A float64 tensor without zeros."""
    return torch.tensor(rng.uniform(0.5, 2, shape) * rng.choice([-1, 1], shape))


def calls(layer, x, times=20):
    """Outputs of several calls divided by x, one above the other: (times, *x.shape)."""
    return torch.stack([layer(x.clone()) / x for _ in range(times)])


def agreement(mask, axis) -> float:
    """How often two neighbours along an axis share their fate, to the nearest tenth."""
    return rounded((mask == mask.roll(1, dims=axis)).double().mean())


@case("Dropout")
def training(rng, Dropout):
    """p = 0.3, many calls: values of out / x, share of zeros, mean of out / x"""
    ratio = calls(Dropout(0.3), tensor(rng, 100, 100))
    return {"values": values_taken(ratio), "zeros": rounded((ratio == 0).double().mean()),
            "mean": rounded(ratio.mean())}


@case("Dropout")
def dtype_kept(rng, Dropout):
    """float64 in, float64 out; float32 in, float32 out"""
    x = tensor(rng, 30, 40)
    # of tensors only: their dtype is no mere word
    outs = [torch.stack([Dropout(0.3)(each)]) for each in (x.clone(), x.float())]
    return [str(out.dtype) for out in outs], all(bool((out == 0).any()) for out in outs)


@case("Dropout")
def evaluation(rng, Dropout):
    """after eval(), and with p = 0, out / x is 1; after train() it drops again"""
    layer, x = Dropout(0.4), tensor(rng, 50, 40)
    layer.eval()
    quiet = [values_taken(calls(each, x, times=1)) for each in (layer, Dropout(0.0))]
    layer.train()
    return quiet, bool((calls(layer, x, times=1) == 0).any())


@case("Dropout")
def default_rate(rng, Dropout):
    """Dropout() drops half"""
    ratio = calls(Dropout(), tensor(rng, 100, 100))
    return values_taken(ratio), rounded((ratio == 0).double().mean())


@case("Dropout")
def every_entry_alone(rng, Dropout):
    """how often two neighbours along each axis of a (8, 10, 50) tensor share their fate"""
    mask = calls(Dropout(0.276), tensor(rng, 8, 10, 50), 25) != 0  # 0.276^2 + 0.724^2 = 0.6
    return [agreement(mask, axis) for axis in (1, 2, 3)]


@case("Dropout")
def count_varies(rng, Dropout):
    """of ten entries not always the same number is dropped: 200 calls see four numbers or more"""
    dropped = (calls(Dropout(0.5), tensor(rng, 10), 200) == 0).sum(dim=1)
    return len(dropped.unique()) >= 4


@case("Dropout")
def a_new_mask(rng, Dropout):
    """two calls of a layer, and two layers, drop different entries"""
    x = tensor(rng, 100, 100)
    first, other = (calls(Dropout(0.5), x) != 0 for _ in range(2))
    return agreement(first, 0), rounded((first == other).double().mean())


@case("Dropout")
def caller_keeps_x(rng, Dropout):
    """x is the same after the call"""
    x = tensor(rng, 30, 20)
    before = x.clone()
    out = Dropout(0.5)(x)
    return {"x is unchanged": bool((x == before).all()),
            "entries were dropped": bool((out != before).any())}


@case("Dropout")
def gradients(rng, Dropout):
    """what flows back to x is multiplied by the same mask and scale"""
    x, g = tensor(rng, 30, 20).requires_grad_(), tensor(rng, 30, 20)
    out = Dropout(0.2)(x)
    out.backward(g)
    error = (x.grad - g * (out / x).detach()).abs().max().item()
    return {"x.grad is g times the mask and scale of the output": error < 1e-12,
            "values of x.grad / g": values_taken(x.grad / g)}


@case("Dropout")
def refused(rng, Dropout):
    """p = 1, -0.1 and 1.5 raise ValueError; p = 0.9 does not"""
    return [outcome(Dropout, p) for p in (1.0, -0.1, 1.5, 0.9)]
