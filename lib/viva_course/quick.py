"""Stand-ins for slow references, with the same answers: for logs, which come in thousands.

To build a module or an optimizer costs torch a hundred times the arithmetic of a small case, a
path of fifty steps is one product with a matrix, and much of a reference guards against inputs
that no case gives. A stand-in answers the drivers that its cases
call (`viva.case.beside`), by the same seam as the examiner's proxies; a driver that it does not
know gets the reference itself. tests/test_logs.py compares every stand-in with its reference.
"""

import functools
import math
import sys

import numpy as np
import torch

from viva_course.reference import hand_design_transformer, kernel_attention, optimizers
from viva_course.reference.optimizers import MUON_COEFFS
from viva_course.reference.optimizers.common import iterate


class StandIn:
    """In the place of a reference. `drivers`: {name: function of the reference and the rest}.

    step: what is called in the reference's place, if it is called itself
    """

    def __init__(self, reference, step=None, **drivers):
        self.reference, self.step, self.drivers = reference, step or reference, drivers

    def __call__(self, *args, **kwargs):
        return self.step(*args, **kwargs)

    def __viva_call_beside__(self, module: str, name: str, args: list, kwargs: dict):
        driver = self.drivers.get(name) or getattr(sys.modules[module], name)
        return driver(self.reference, *args[1:], **kwargs)


def stable_softmax(scores, axis=-1):
    """Softmax of finite scores along an axis."""
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def attention_head(X, Km, Qm, Vm, pos=None, return_weights=False):
    """Output (T, d_v) of a head for one sequence X (T, d_in), and its weights (T, T) if asked."""
    Z = X if pos is None else np.concatenate([X, pos[: len(X)]], axis=1)  # (T, d)
    weights = stable_softmax((Z @ Qm) @ (Z @ Km).T / math.sqrt(Km.shape[1]))  # (T, T)
    out = weights @ (Z @ Vm)
    return (out, weights) if return_weights else out


def torch_head(_, sizes, Km, Qm, Vm, pos, X):
    """Output (T, d_v) of a TorchHead with these matrices, a tensor of float64."""
    return torch.from_numpy(attention_head(X, Km, Qm, Vm, pos))


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
        return iterate(G / np.linalg.norm(G), steps, 1.5, -0.5, 0.0)
    U, _, Vt = np.linalg.svd(G, full_matrices=False)
    return U @ Vt


def muon_orthogonalize(G, steps=5, coeffs=MUON_COEFFS, eps=1e-7):
    """Muon's iteration of a matrix that is neither tiny nor huge."""
    return iterate(G / (np.linalg.norm(G) + eps), steps, *coeffs)


def steepest(g, norm, alpha=1.0):
    """Steepest descent; under the spectral norm for a matrix of full rank."""
    if norm != "spectral":
        return optimizers.steepest(g, norm, alpha)
    U, s, Vt = np.linalg.svd(g, full_matrices=False)
    return -alpha / 2 * s.sum() * (U @ Vt)


def heavy_ball_radius(lam, eps, alpha):
    """The larger root of z^2 - b z + alpha in modulus, for numbers."""
    b = 1 + alpha - eps * lam
    d = b * b - 4 * alpha
    return (abs(b) + math.sqrt(d)) / 2 if d >= 0 else math.sqrt(alpha)


def descents(_, problems):
    """Counts of gradient descent: theta <- (I - rate H) theta until |theta| <= tol |theta_0|."""
    counts = []
    for rate, H, theta, tol in problems:
        step, goal, n = np.eye(len(H)) - rate * H, tol**2 * (theta @ theta), 0
        while theta @ theta > goal and n < 20_000:
            theta, n = step @ theta, n + 1
        counts.append(n)
    return counts


def walk(kept_of):
    """The last position (d,) of theta <- kept theta - lr g along rows (g, lr, strength)."""

    def last(_, theta, rows):
        gradients, rates, strengths = zip(*rows, strict=True)
        lr, kept, n = rates[0], kept_of(rates[0], strengths[0]), len(rows)
        weights = kept ** np.arange(n - 1, -1, -1)  # (n,)
        return kept**n * theta - lr * (weights @ np.array(gradients))

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
    kept = (1 - lr * lam) ** t  # (n, 1)
    thetas = kept * (np.reshape(theta, -1) - np.cumsum(step / kept, axis=0))  # (n, d)
    state = {"t": n, "m": m[-1].reshape(shape), "v": v[-1].reshape(shape)}
    return list(thetas.reshape(n, *shape)), state


def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    """One step of Adam on arrays."""
    (beta1, beta2), t = betas, state.get("t", 0) + 1
    m = beta1 * state.get("m", 0.0) + (1 - beta1) * g
    v = beta2 * state.get("v", 0.0) + (1 - beta2) * g * g
    step = lr / (1 - beta1**t) * m / (np.sqrt(v / (1 - beta2**t)) + eps)
    return theta - step, {"t": t, "m": m, "v": v}


def adam_l2_path(_, gradients, theta, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    """The same of Adam with an L2 penalty, which is not linear in anything.

    Coordinate by coordinate: for a few of them floats are faster than arrays.
    """
    (beta1, beta2), tracks, ms, vs = betas, [], [], []
    for x, given in zip(theta.tolist(), np.transpose(gradients).tolist(), strict=True):
        m, v, track = 0.0, 0.0, []
        for t, g in enumerate(given, 1):
            g += lam * x
            m = beta1 * m + (1 - beta1) * g
            v = beta2 * v + (1 - beta2) * g * g
            x -= lr * m / (1 - beta1**t) / (math.sqrt(v / (1 - beta2**t)) + eps)
            track.append(x)
        for each, value in zip((tracks, ms, vs), (track, m, v), strict=True):
            each.append(value)
    state = {"t": len(gradients), "m": np.array(ms), "v": np.array(vs)}
    return list(np.transpose(tracks)), state


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
    StandIn(optimizers.adam_step, adam_step, long_state_path=adam_path),
    StandIn(optimizers.adamw_step, long_state_path=adam_path),
    StandIn(optimizers.adam_l2_step, long_state_path=adam_l2_path),
    StandIn(optimizers.iterations_to, descents=descents),
    StandIn(optimizers.sgd_l2_step, long_walk=walk(lambda lr, gamma: 1 - 2 * lr * gamma)),
    StandIn(optimizers.sgd_wd_step, long_walk=walk(lambda lr, lam: 1 - lam)),
)} | {
    hand_design_transformer.stable_softmax: stable_softmax,
    hand_design_transformer.attention_head: attention_head,
    optimizers.heavy_ball_radius: heavy_ball_radius,
    optimizers.steepest: steepest,
    optimizers.newton_schulz: newton_schulz,
    optimizers.muon_orthogonalize: muon_orthogonalize,
    optimizers.muon_step: functools.partial(optimizers.muon_step, orthogonalize=newton_schulz),
} | {design: functools.cache(design) for design in (  # matrices that depend on a few sizes alone
    hand_design_transformer.design_identity, hand_design_transformer.design_histogram,
    hand_design_transformer.design_first, hand_design_transformer.design_shift,
    hand_design_transformer.design_unique, hand_design_transformer.design_induction,
)}


def stand_ins(candidates: tuple) -> tuple:
    """The candidates, with a stand-in for each that has one."""
    return tuple(STAND_INS.get(candidate, candidate) for candidate in candidates)
