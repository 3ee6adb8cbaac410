"""What section 1 states about adapters and forgetting. A seed is another pretrained network."""

import functools

import numpy as np
import torch

from viva_course.claiming import above, below, between, cause, claim, holds, near


@functools.cache
def known(notebook, change, seed):
    """The share of new and of old digits that are known."""
    return notebook.learn_and_ask(change, seed)


@functools.cache
def stopped(notebook, change, seed):
    return notebook.stop_at(change, seed=seed)


@claim(seeds=1)
def share_of_rank_8(notebook, seed):
    return holds(8 * (4096 + 4096) == 65_536), near(65_536 / 4096**2, 0.0039, within=0.00005)


@claim(seeds=1)
def merged_by_hand(notebook, seed):
    layer = notebook.LoRALinear(torch.nn.Linear(2, 2, bias=False), 1, alpha=2)
    with torch.no_grad():
        layer.base.weight.copy_(torch.eye(2))
        layer.A.copy_(torch.tensor([[1.0], [0.0]]))
        layer.B.copy_(torch.tensor([[0.0, 3.0]]))
    return holds(layer.merged_weight().tolist() == [[1, 6], [0, 1]])


@claim()
def rank_one_beats_chance(notebook, seed):
    return between(known(notebook, 1, seed)[0], 0.33, 0.75), holds(
        notebook.trainable(notebook.adapted(1)) == 256)


@claim(title="A quarter of the parameters adapts nearly as well as all")
def rank_8_nearly_all(notebook, seed):
    full = known(notebook, notebook.BOTH, seed)[0]
    return (near(full, 0.97, within=0.025), below(full - known(notebook, 8, seed)[0], 0.035),
            below(full - known(notebook, 16, seed)[0], 0.025))


@claim()
def output_layer_is_not_enough(notebook, seed):
    return near(known(notebook, notebook.OUTPUT, seed)[0], 2 / 3, within=0.08)


@claim(title="In place, adapters of rank 8 and more forget more than full training")
def ranks_forget_more(notebook, seed):
    full = known(notebook, notebook.BOTH, seed)[1]
    old = {k: known(notebook, k, seed)[1] for k in (1, 8, 32)}
    return (between(full, 0.35, 0.55), below(old[8], full), between(old[8], 0.2, 0.4),
            between(old[32], 0.1, 0.3), above(old[1], full))


@claim()
def output_layer_forgets(notebook, seed):
    return below(known(notebook, notebook.OUTPUT, seed)[1], 0.15)


@claim()
def same_loss_same_order(notebook, seed):
    _, full, way = stopped(notebook, notebook.BOTH, seed)
    found = np.array([stopped(notebook, k, seed)[1:] for k in (8, 32)])
    return (near(full, 0.5, within=0.1), below(found[:, 0].max(), full),
            near(found[:, 0].mean(), 1 / 3, within=0.1),
            near(way, 6.2, within=0.8), near(found[:, 1].mean(), 8, within=1.2),
            above(found[:, 1].min(), way))


@cause(control="an adapter of rank 64, which restricts nothing: were the few directions the cause, "
               "it would stay as near and know as much as full training")
def not_the_few_directions(notebook, seed):
    _, full, way = stopped(notebook, notebook.BOTH, seed)
    (_, few, far), (_, all_, free) = (stopped(notebook, k, seed) for k in (32, 64))
    return (min(above(far, way), below(few, full)),
            min(above(free, 1.15 * way), below(all_, full), near(free / far, 1, within=0.2)))
