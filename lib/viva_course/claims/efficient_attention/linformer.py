"""What section 9 states about projections, made up and trained."""

import functools

import numpy as np

from viva_course.claiming import above, below, between, claim, literature


@literature("Wang et al. (2020)", place="section 3, figure 1")
def linformer_low_rank():
    """The spectrum of attention matrices of a pretrained model, layer by layer."""


@functools.cache
def curves(notebook, beta, seed):
    return notebook.linformer_curves(beta, seed=seed)


@claim(title="Sharper attention, slower decay")
def singular_decay(notebook, seed):
    flat, sharp = (curves(notebook, beta, seed)[0] for beta in (1, 32))
    return below(flat[29] / flat[0], 0.01), above(sharp[199] / sharp[0], 0.5)


@claim()
def untrained_projections(notebook, seed):
    flat = curves(notebook, 1, seed)[1]
    random = min(curves(notebook, beta, seed)[1]["random"].min() for beta in (1, 32))
    means = [curves(notebook, beta, seed)[1]["means"][4] for beta in (1, 32)]
    return (below(flat["means"].max(), 1.02), between(min(means), 2 / 3, 1),
            between(max(means), 2 / 3, 1), above(random, 1.5),
            above(means[0] / flat["best of rank s"][4], 50))


@claim()
def best_of_the_weights(notebook, seed):
    return above(curves(notebook, 32, seed)[1]["best of rank s"][0], 1)


@functools.cache
def trained(notebook, beta, seed):
    """Errors of means and of projections trained here on (training, new noise, other places); the
    third row, at beta = 1 alone, is of those trained on sixty places."""
    places = (("one place", 8), ("right", 60))[: 2 if beta == 1 else 1]
    return np.array(list(notebook.trained_errors(beta, seed, places).values()))


@claim()
def training_pays_here(notebook, seed):
    gained = [trained(notebook, beta, seed)[:2, 1] for beta in (1, 8)]
    return tuple(below(after / before, share)
                 for (before, after), share in zip(gained, (1 / 5, 1 / 3), strict=True))


@claim(title="The projections learn the place, not attention")
def learns_the_place(notebook, seed):
    ratio = {beta: trained(notebook, beta, seed)[1, 2] / trained(notebook, beta, seed)[0, 2]
             for beta in (1, 8, 32)}
    return above(ratio[1], 0.9), above(ratio[8], 1), above(ratio[32], 1)


@claim()
def many_places_hardly_help(notebook, seed):
    found = trained(notebook, 1, seed)
    return above(found[2, 2] / found[0, 2], 2 / 3)
