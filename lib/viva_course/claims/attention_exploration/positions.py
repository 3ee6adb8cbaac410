"""What sections 7 to 10 state about positions, sequences and the layer."""

import numpy as np
import torch

from viva_course.claiming import above, below, claim, holds, literature, near


@claim(title="Every pair is a hand of a clock, and the first is the fastest", seeds=1)
def rope_by_hand(notebook, seed):
    turned = notebook.rope(np.array([1.0, 0.0]), np.pi / 2)
    hands = notebook.rope(np.tile([1.0, 0.0], 4), 0.5, base=200.0).reshape(4, 2)
    angles = np.arctan2(hands[:, 1], hands[:, 0])
    return below(np.abs(turned - [0, 1]).max(), 1e-9), above(-np.diff(angles).max(), 0)


def _score(notebook, distance, base=10000.0, at=0.0, d=32):
    """The score of the experiment's vector with itself, for each distance, per pair."""
    x = np.tile([1.0, 0.0], d // 2)
    keys = notebook.rope(np.tile(x, (len(distance), 1)), at - distance, base)
    return keys @ notebook.rope(x, at, base) / (d / 2)


@claim(title="One pair: a cosine of the distance", seeds=1)
def pair_is_a_cosine(notebook, seed):
    steps = np.linspace(-50, 50, 501)
    turned = notebook.rope(np.tile([1.0, 0.0], (501, 16)), steps)[:, 0::2]
    expected = np.cos(steps[:, None] * 10000.0 ** (-np.arange(16) / 16))
    total = _score(notebook, np.linspace(0, 50, 501))
    return (below(np.abs(turned - expected).max(), 1e-9), near(total[0], 1, within=1e-9),
            below(total[10:].max(), 0.99))


@claim(title="All pairs: near tokens agree", seeds=1)
def scores_by_base(notebook, seed):
    far = np.linspace(0, 120, 1201)
    ten, hundred, large = (_score(notebook, far, base) for base in (10.0, 100.0, 10000.0))
    return (near(hundred[:101].mean(), 0.56, within=0.01),
            near(hundred[400:].mean(), -0.05, within=0.01), above(large.min(), 0.2),
            below(ten[100], 0), near(ten[100:].min(), -0.26, within=0.02),
            near(ten[100:].max(), 0.32, within=0.02))


@claim(seeds=1)
def only_the_distance(notebook, seed):
    steps = np.linspace(-120, 120, 241)
    return below(max(np.abs(_score(notebook, steps, base) - _score(notebook, steps, base, 5000.0))
                     .max() for base in (10.0, 100.0, 10000.0)), 1e-9)


@literature("Rozière et al. (2023)", place="section 2.4")
def code_llama():
    """The base period of rotary embeddings is raised from 10,000 to 1,000,000."""


@claim()
def cross_by_hand(notebook, seed):
    context, weights = notebook.cross_attention(
        np.array([[[1.0, 0]]]), np.array([[[2.0, 0], [0, 2]]]), scale=2.0)
    rng = np.random.default_rng(seed)
    enc = rng.normal(size=(1, 14, 24))
    dec, mask = enc[:, ::-1] + 0.4 * rng.normal(size=(1, 14, 24)), (np.arange(14) < 10)[None]
    plain, flat, masked = (notebook.cross_attention(dec, enc, **options)[1][0]
                           for options in ({}, {"scale": 100.0}, {"mask": mask}))
    found = np.mean(plain.argmax(axis=1) == np.arange(14)[::-1])
    return (below(np.abs(weights[0, 0] - [0.731, 0.269]).max(), 1e-3),
            below(np.abs(context[0, 0] - [1.462, 0.538]).max(), 1e-3), above(found, 0.9),
            below(flat.max(), 0.15), holds(masked[:, 10:].max() == 0),
            below(np.abs(masked.sum(axis=1) - 1).max(), 1e-9))


@claim()
def order_unseen(notebook, seed):
    rng = np.random.default_rng(seed)
    return holds(notebook.is_permutation_equivariant(
        notebook.self_attention, rng.normal(size=(12, 4)), rng))


@claim(seeds=1, variants=("multi_head_attention",))
def layer_by_hand(notebook, seed):
    out, _ = notebook.multi_head_attention(torch.eye(2)[None], *[torch.eye(2)] * 4, 2)
    return below(float((out[0] - torch.tensor([[1, 0], [0.5, 0.731]])).abs().max()), 1e-3)
