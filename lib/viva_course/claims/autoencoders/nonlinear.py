"""What the last section states about a network that is not linear."""

import functools

from viva_course.claiming import above, between, cause, claim, near

PCA_LOSES = 0.226


@functools.cache
def judged(notebook, seed, bent):
    """(lost, probe, neighbours) of the network, with tanh or without."""
    parts = (notebook.train_autoencoder(seed=seed) if bent
             else notebook.train_autoencoder(None, seed=seed))
    return notebook.judged(*parts)


@claim()
def without_tanh_it_is_pca(notebook, seed):
    pca = notebook.judged(*notebook.centred_pca())[0]
    return near(judged(notebook, seed, False)[0], pca, within=0.002), near(pca, PCA_LOSES, 0.001)


@cause(control="the same network without tanh, trained by the same steps")
def tanh_loses_less(notebook, seed):
    return (near(judged(notebook, seed, True)[0], 0.15, within=0.015),
            near(judged(notebook, seed, False)[0], PCA_LOSES, within=0.005))


@cause(control="the same network without tanh, trained by the same steps")
def digits_lie_together(notebook, seed):
    return (between(judged(notebook, seed, True)[2], 0.78, 0.88),
            near(judged(notebook, seed, False)[2], 0.6, within=0.08))


@claim()
def the_probe_gains_less(notebook, seed):
    _, probe, neighbours = judged(notebook, seed, True)
    _, pca_probe, pca_neighbours = notebook.judged(*notebook.centred_pca())
    return (near(probe, 0.48, within=0.09), near(pca_probe, 0.434, within=0.005),
            above(neighbours - pca_neighbours, probe - pca_probe))
