"""What Part D states about starts and memories.

A claim about "most starts" looks at five of them, as the figure does: seeds 5 s to 5 s + 4.
"""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, near

KINDS = ("tanh, default", "tanh, orthogonal", "linear, short", "linear, long")


@functools.cache
def trained(notebook, kind, T, seed):
    return notebook.trained(kind, T, seed)


@functools.cache
def recall(notebook, kind, T, seed):
    """The share of symbols that five networks of a kind recall, (5,)."""
    return np.array([trained(notebook, kind, T, 5 * seed + each)[1] for each in range(5)])


@claim()
def default_start_is_short(notebook, seed):
    W = notebook.network("tanh, default", seed).cell.weight_hh_l0.detach().numpy()
    return near(np.abs(np.linalg.eigvals(W)).max(), 0.6, within=0.15)


@claim()
def all_learn_five_steps(notebook, seed):
    return above(min(trained(notebook, kind, 5, seed)[1] for kind in KINDS), 0.95)


@cause(control="the same network as torch makes it")
def orthogonal_start_learns(notebook, seed):
    orthogonal = recall(notebook, "tanh, orthogonal", 40, seed)
    return (min(above(orthogonal.mean(), 0.5), above(orthogonal.max(), 0.9)),
            below(recall(notebook, "tanh, default", 40, seed).mean(), 0.45))


@cause(control="the same memory with a long start")
def short_start_forgets(notebook, seed):
    return (below(recall(notebook, "linear, short", 40, seed).mean(), 0.5),
            above(recall(notebook, "linear, long", 40, seed).min(), 0.95))


@claim(title="At 40 steps the start decides more than the nonlinearity")
def starts_decide(notebook, seed):
    mean = {kind: recall(notebook, kind, 40, seed).mean() for kind in KINDS}
    by_start = [mean["tanh, orthogonal"] - mean["tanh, default"],
                mean["linear, long"] - mean["linear, short"]]
    by_kind = [abs(mean["linear, long"] - mean["tanh, orthogonal"]),
               abs(mean["linear, short"] - mean["tanh, default"])]
    return above(min(by_start), max(by_kind))


@claim()
def gradient_at_the_first_input(notebook, seed):
    sizes = {kind: notebook.gradient_by_input(kind, 80, seed) for kind in KINDS}
    short, orthogonal, _, long = (sizes[kind][0] / sizes[kind].max() for kind in KINDS)
    short = max(short, sizes["linear, short"][0] / sizes["linear, short"].max())
    return below(short, 1e-9), above(orthogonal, 1e-6), below(orthogonal, 1e-3), above(long, 0.1)


@claim()
def memory_stays_set(notebook, seed):
    nu = trained(notebook, "linear, long", 80, seed)[0].nu.detach().numpy()
    W = trained(notebook, "tanh, orthogonal", 80, seed)[0].cell.weight_hh_l0.detach().numpy()
    singular = np.linalg.svd(W, compute_uv=False)
    return above(np.exp(-nu).max(), 300), below(singular[-1], 0.8), above(singular[0], 1.1)


@claim()
def eighty_steps(notebook, seed):
    linear, tanh = (recall(notebook, kind, 80, seed) for kind in (KINDS[3], KINDS[1]))
    return above(linear.min(), 0.9), below(tanh.min(), 0.9)


@claim()
def twelve_steps(notebook, seed):
    """A fifth contestant, one start of it for every seed."""
    notebook.MEMORIES["linear, twelve"] = 12, 12
    learned, guessed = (notebook.trained("linear, twelve", T, seed)[1] for T in (40, 80))
    twelve, orthogonal = (notebook.gradient_by_input(kind, 80, seed)
                          for kind in ("linear, twelve", "tanh, orthogonal"))
    return (above(learned, 0.9), below(guessed, 0.35),
            above(twelve[0] / twelve.max(), orthogonal[0] / orthogonal.max()))
