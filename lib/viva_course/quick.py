"""Stand-ins for slow references, with the same answers: for logs, which come in thousands.

To build a module or an optimizer costs torch a hundred times the arithmetic of a small case, and
a path of fifty steps is one product with a matrix. A stand-in answers the drivers that its cases
call (`viva.case.beside`), by the same seam as the examiner's proxies; a driver that it does not
know gets the reference itself. tests/test_logs.py compares every stand-in with its reference.
"""

import functools
import sys

import numpy as np
import torch

from viva.cases.optimizers import paths
from viva_course.reference import hand_design_transformer, kernel_attention, optimizers


class StandIn:
    """In the place of a reference. `drivers`: {name: function of the reference and the rest}."""

    def __init__(self, reference, **drivers):
        self.reference, self.drivers = reference, drivers

    def __call__(self, *args, **kwargs):
        return self.reference(*args, **kwargs)

    def __viva_call_beside__(self, module: str, name: str, args: list, kwargs: dict):
        driver = self.drivers.get(name) or getattr(sys.modules[module], name)
        return driver(self.reference, *args[1:], **kwargs)


def torch_head(_, sizes, Km, Qm, Vm, pos, X):
    """Output (T, d_v) of a TorchHead with these matrices, a tensor of float64."""
    return torch.from_numpy(hand_design_transformer.attention_head(X, Km, Qm, Vm, pos))


def run_module(_, E, heads, causal, weights, x):
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


def newton_schulz(G, steps=30):
    """The limit U V^T in place of 30 steps: 1e-8 apart for the singular values of the cases."""
    if steps != 30:
        return optimizers.newton_schulz(G, steps)
    U, _, Vt = np.linalg.svd(G, full_matrices=False)
    return U @ Vt


def walk(kept_of):
    """The last position of theta <- kept theta - lr g along rows (g, lr, strength)."""

    def last(_, theta, rows):
        gradients, rates, strengths = zip(*rows, strict=True)
        lr, kept, n = rates[0], kept_of(rates[0], strengths[0]), len(rows)
        weights = kept ** np.arange(n - 1, -1, -1)  # (n,)
        return kept**n * theta - lr * np.tensordot(weights, np.array(gradients), 1)

    return last


@functools.lru_cache(maxsize=16)
def powers(decay: float, n: int) -> np.ndarray:
    """The matrix (n, n) of x_t = decay x_{t-1} + y_t: decay^(t-i) for i <= t, else 0."""
    exponent = np.subtract.outer(np.arange(n), np.arange(n))  # (n, n)
    return np.where(exponent >= 0, float(decay) ** np.maximum(exponent, 0), 0.0)


def adam_path(_, gradients, theta, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    """All positions of Adam, with decoupled decay lam, and its last state."""
    g, n = np.asarray(gradients, dtype=float), len(gradients)
    shape, g = np.shape(theta), g.reshape(n, -1)  # (n, d)
    t, (beta1, beta2) = np.arange(1, n + 1)[:, None], betas
    m = (1 - beta1) * powers(beta1, n) @ g
    v = (1 - beta2) * powers(beta2, n) @ g**2
    step = lr * (m / (1 - beta1**t)) / (np.sqrt(v / (1 - beta2**t)) + eps)  # (n, d)
    kept = 1 - lr * lam
    thetas = kept**t * np.reshape(theta, -1) - powers(kept, n) @ step  # (n, d)
    state = {"t": n, "m": m[-1].reshape(shape), "v": v[-1].reshape(shape)}
    return list(thetas.reshape(n, *shape)), state


def feed(_, starts, given, settings):
    """Positions of parameters that AdamW moves, a list of arrays per step."""
    settings = {{"weight_decay": "lam"}.get(name, name): value for name, value in settings.items()}
    tracks = [adam_path(_, gradients, start, **settings)[0]
              for start, gradients in zip(starts, zip(*given, strict=True), strict=True)]
    return {"positions": [list(row) for row in zip(*tracks, strict=True)], "gradients kept": True}


STAND_INS = {each.reference: each for each in (
    StandIn(hand_design_transformer.TorchHead, torch_head=torch_head),
    StandIn(kernel_attention.MultiHeadLinearAttention, run_module=run_module),
    StandIn(optimizers.AdamW, feed=feed),
    StandIn(optimizers.adam_step, long_state_path=adam_path),
    StandIn(optimizers.adamw_step, long_state_path=adam_path),
    StandIn(optimizers.adam_l2_step, long_state_path=paths.state_path),  # without its copies
    StandIn(optimizers.sgd_l2_step, long_walk=walk(lambda lr, gamma: 1 - 2 * lr * gamma)),
    StandIn(optimizers.sgd_wd_step, long_walk=walk(lambda lr, lam: 1 - lam)),
)} | {
    optimizers.newton_schulz: newton_schulz,
    optimizers.muon_step: functools.partial(optimizers.muon_step, orthogonalize=newton_schulz),
}


def stand_ins(candidates: tuple) -> tuple:
    """The candidates, with a stand-in for each that has one."""
    return tuple(STAND_INS.get(candidate, candidate) for candidate in candidates)
