"""What section 2 states about gradients, starts and factors. A seed is another network."""

import functools

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@functools.cache
def run(notebook, how, seed):
    """Known old digits at the start, and the losses."""
    return notebook.run_from(how, seed)


@functools.cache
def spread(notebook, factor, method, lr, seed):
    return notebook.spread(factor, method, lr, seed)


@claim(seeds=1)
def gradients_by_hand(notebook, seed):
    dA, dB = notebook.lora_grads(np.array([[1.0, 2], [3, 4]]), np.array([[1.0], [0]]),
                                 np.array([[0.0, 1]]))
    return holds(dA.tolist() == [[2], [4]]), holds(dB.tolist() == [[1, 2]])


@claim(title="One start is stuck, one knows where to go")
def both_zero_is_stuck(notebook, seed):
    losses = run(notebook, "both zero", seed)[1]
    svd = run(notebook, "A zero, B by svd_init", seed)[1]
    random = run(notebook, "A zero, B random", seed)[1]
    return holds(max(losses) - min(losses) < 1e-5), below(svd[50], random[50])


@claim()
def svd_start_is_faster(notebook, seed):
    """On average over three networks, as in the figure: seeds 3 s to 3 s + 2."""
    ratios = [run(notebook, "A zero, B by svd_init", each)[1][50]
              / run(notebook, "A zero, B random", each)[1][50]
              for each in range(3 * seed, 3 * seed + 3)]
    return near(np.mean(ratios), 0.66, within=0.2)


@claim()
def both_random_damages(notebook, seed):
    """On average over three networks, as in the figure: seeds 3 s to 3 s + 2."""
    lost = [run(notebook, "A zero, B random", each)[0] - run(notebook, "both random", each)[0]
            for each in range(3 * seed, 3 * seed + 3)]
    return near(np.mean(lost), 0.1, within=0.09)


@claim()
def first_loss_is_high(notebook, seed):
    return above(run(notebook, "both zero", seed)[1][0], 2 * np.log(5))


@claim()
def adam_asks_for_1_over_k(notebook, seed):
    none, whole, root = (spread(notebook, factor, "Adam", 1e-3, seed)
                         for factor in notebook.FACTORS)
    return below(whole, 1.6), above(none, 5), above(root, 2)


@claim(title="Adam asks for 1/k, plain gradient descent for 1/sqrt(k)")
def descent_asks_for_root(notebook, seed):
    none, whole, root = (spread(notebook, factor, "gradient descent", 1e-2, seed)
                         for factor in notebook.FACTORS)
    return near(root, 1.6, within=0.6), above(none, root), above(whole, none)
