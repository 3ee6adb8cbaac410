"""What the closing experiment on digits states."""

import functools

import numpy as np
import torch

from viva_course.claiming import above, below, claim, literature


@functools.cache
def share(notebook, normalised, rate, seed):
    """Read right after three passes."""
    return notebook.trained_shares(normalised, rate, 3, seed)[-1]


@claim(title="After three passes, batch norm works at more rates")
def more_rates(notebook, seed):
    rates = (0.05, 0.1, 0.2, 0.4)
    plain = [share(notebook, False, rate, seed) for rate in rates]
    return (above(min(share(notebook, True, rate, seed) for rate in rates), 0.9),
            below(sum(each > 0.9 for each in plain), 3.5))


@claim()
def faster_not_better(notebook, seed):
    (early, late), (early_bn, late_bn) = (
        597 * (1 - np.array(notebook.trained_shares(normalised, 0.2, 15, seed))[[2, -1]])
        for normalised in (False, True))
    return below(late, 24.5), below(late_bn, 15.5), above(early - early_bn, late - late_bn)


@literature("Santurkar et al. (2018), arXiv:1805.11604", place="section 3.1, figure 4")
def loss_along_the_gradient():
    """The variation of the loss along the gradient, at every step of training a VGG network."""


@functools.cache
def band(notebook, normalised, seed):
    """Losses after steps of each size, and how much worse the longest is than the step taken."""
    losses = notebook.band(normalised, seed)
    return losses, losses[:, 3] / losses[:, 1]


@claim(title="With batch norm a step that is too long does less harm")
def long_steps_do_harm(notebook, seed):
    (plain, harm), (normalised, _) = (band(notebook, each, seed) for each in (False, True))
    return (above(np.median(harm[15:]), 2),
            above(np.ptp(plain, axis=1).mean() / np.ptp(normalised, axis=1).mean(), 2))


@claim()
def not_from_the_start(notebook, seed):
    harm, harm_bn = (np.median(band(notebook, each, seed)[1][:15]) for each in (False, True))
    return above(harm_bn, harm)


@functools.cache
def trained(notebook, seed):
    """A network with batch norm after six passes, and the filters that it started with."""
    network = notebook.make_network(True, seed=seed)
    before = network[0].weight.detach().clone()
    notebook.train_network(network, 0.2, 6, seed)
    return network, before


@claim()
def own_layers_agree(notebook, seed):
    mine, with_torch = notebook.first_block(trained(notebook, seed)[0], notebook.test_X[:1])
    return below(np.abs(mine - with_torch).max(), 1e-5)


@claim()
def filters_hardly_move(notebook, seed):
    network, before = trained(notebook, seed)
    after = network[0].weight.detach()
    cosine = torch.nn.functional.cosine_similarity(before.flatten(1), after.flatten(1), dim=1)
    return above(cosine.min().item(), 0.8)


@literature("Krizhevsky, Sutskever and Hinton (2012)", place="section 6.1, figure 3")
def oriented_edges():
    """96 kernels of 11 x 11 x 3: frequency- and orientation-selective kernels, and coloured
    blobs."""
