"""Stand-ins for slow references, with the same answers: for logs, which come in thousands.

To build a module or an optimizer costs torch a hundred times the arithmetic of a small case. A
stand-in for the class answers the drivers that its cases call (`viva.case.beside`) in numpy, by
the same seam as the examiner's proxies; a driver that it does not know gets the class itself.
The limit of the Newton-Schulz iteration comes from an SVD. tests/test_logs.py compares every
stand-in with its reference.
"""

import functools
import sys

import numpy as np
import torch

from viva_course.reference import hand_design_transformer, kernel_attention, optimizers


class StandIn:
    """In the place of a reference class. `drivers`: {name: function of the other arguments}."""

    def __init__(self, reference: type, **drivers):
        self.reference, self.drivers = reference, drivers

    def __viva_call_beside__(self, module: str, name: str, args: list, kwargs: dict):
        if name in self.drivers:
            return self.drivers[name](*args[1:], **kwargs)
        driver = getattr(sys.modules[module], name)
        return driver(self.reference, *args[1:], **kwargs)


def torch_head(sizes, Km, Qm, Vm, pos, X):
    """Output (T, d_v) of a TorchHead with these matrices, a tensor of float64."""
    return torch.from_numpy(hand_design_transformer.attention_head(X, Km, Qm, Vm, pos))


def run_module(E, heads, causal, weights, x):
    """Output (B, N, E) of MultiHeadLinearAttention with these weights."""

    def project(name, x):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def split(name):
        return project(name, x).reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)  # (B, h, N, d)

    q, k = (np.where(s > 0, s + 1, np.exp(np.minimum(s, 0))) for s in map(split, "qk"))
    attend = (kernel_attention.causal_linear_attention if causal
              else kernel_attention.linear_attention)
    mixed = attend(q, k, split("v"))  # (B, h, N, d)
    return project("o", mixed.swapaxes(1, 2).reshape(x.shape))


def feed(starts, given, settings):
    """Positions of parameters that AdamW moves, a list of arrays per step."""
    settings = {{"weight_decay": "lam"}.get(name, name): value for name, value in settings.items()}
    thetas, states, positions = list(starts), [{} for _ in starts], []
    for row in given:
        for i, g in enumerate(row):
            if g is not None:
                thetas[i], states[i] = optimizers.adamw_step(thetas[i], g, states[i], **settings)
        positions.append(list(thetas))
    return {"positions": positions, "gradients kept": True}


def newton_schulz(G, steps=30):
    """The limit U V^T in place of 30 steps: 1e-8 apart for the singular values of the cases."""
    if steps != 30:
        return optimizers.newton_schulz(G, steps)
    U, _, Vt = np.linalg.svd(G, full_matrices=False)
    return U @ Vt


STAND_INS = {each.reference: each for each in (
    StandIn(hand_design_transformer.TorchHead, torch_head=torch_head),
    StandIn(kernel_attention.MultiHeadLinearAttention, run_module=run_module),
    StandIn(optimizers.AdamW, feed=feed),
)} | {
    optimizers.newton_schulz: newton_schulz,
    optimizers.muon_step: functools.partial(optimizers.muon_step, orthogonalize=newton_schulz),
}


def stand_ins(candidates: tuple) -> tuple:
    """The candidates, with a stand-in for each that has one."""
    return tuple(STAND_INS.get(candidate, candidate) for candidate in candidates)
