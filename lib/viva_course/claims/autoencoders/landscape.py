"""What Part A states about the loss, its minimum and its saddles."""

import functools
import math

import numpy as np

from viva_course.claiming import above, below, claim, holds, near

SIGMAS = np.array([5, 3.5, 2.2, 1.2, 0.6])


def weights(seed):
    """Random weights and data: W1 (2, 4), W2 (4, 2), X (4, 7)."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(2, 4)), rng.normal(size=(4, 2)), rng.normal(size=(4, 7))


def relative(value, right):
    return abs(value - right) / abs(right)


@functools.cache
def stairs(notebook, seed):
    """What the notebook's staircase returns, and the steps at which half of 0, 1, 2 passes."""
    X, losses, shares, visited = notebook.staircase(seed)
    return X, losses, shares, visited, [int(np.argmax(shares[:, i] > 0.5)) for i in range(3)]


def plateaus(half):
    """A step on each of the four levels."""
    return [20, (half[0] + half[1]) // 2, (half[1] + half[2]) // 2, 2499]


@claim()
def loss_as_a_trace(notebook, seed):
    W1, W2, X = weights(seed)
    P, G = W2 @ W1, X @ X.T
    return below(relative(np.trace(P @ G @ P.T - 2 * P @ G + G), notebook.ae_loss(W1, W2, X)), 1e-9)


def by_hand():
    return np.array([[1.0, 0.0]]), np.array([[1.0], [0.0]]), np.array([[3.0], [4.0]])


@claim(seeds=1)
def loss_by_hand(notebook, seed):
    return near(notebook.ae_loss(*by_hand()), 16, within=1e-9)


@claim(seeds=1)
def gradients_by_hand(notebook, seed):
    dW1, dW2 = notebook.ae_grads(*by_hand())
    return below(np.abs(dW1).max(), 1e-9), below(np.abs(dW2.ravel() - [0, -24]).max(), 1e-9)


@claim()
def zero_on_the_hyperbola(notebook, seed):
    w1, one = np.random.default_rng(seed).uniform(0.3, 2) * (-1) ** seed, np.ones((1, 1))
    return (below(notebook.ae_loss(w1 * one, one / w1, one), 1e-9),
            above(notebook.ae_loss(w1 * one, 1.1 * one / w1, one), 1e-3))


@claim(title="Two valleys and a saddle: every path ends with $w_2w_1=1$")
def same_product(notebook, seed):
    """From the starts of the figure, shaken a little with every seed but the first."""
    starts = np.array([(0.05, 0.1), (-0.9, 0.8), (1.8, 0.1), (-0.1, -1.5), (-1.2, 1.25)])
    starts = starts + min(seed, 1) * 0.01 * np.random.default_rng(seed).normal(size=starts.shape)
    ends = np.array([notebook.descend(*start)[-1] for start in starts])
    apart = min(np.linalg.norm(a - b) for i, a in enumerate(ends) for b in ends[:i])
    return below(np.abs(ends.prod(axis=1) - 1).max(), 0.01), above(apart, 0.01)


@claim()
def balance_is_kept(notebook, seed):
    start = np.random.default_rng(seed).uniform([0.2, -1], [1.5, 1])
    path = notebook.descend(*start)
    return below(np.ptp(path[:, 0] ** 2 - path[:, 1] ** 2), 0.1)


@claim(seeds=1)
def small_start_lingers(notebook, seed):
    sizes = np.linalg.norm(notebook.descend(0.05, 0.1), axis=1)
    return below(sizes[30], 0.5), above(sizes[-1], 1.4)


@claim(seeds=1)
def drawn_to_the_saddle(notebook, seed):
    margins = []
    for start in ((-0.9, 0.8), (-1.2, 1.25)):
        sizes = np.linalg.norm(notebook.descend(*start), axis=1)
        margins += [below(sizes.min() / sizes[0], 0.6), above(sizes[-1] / sizes.min(), 1.5)]
    return tuple(margins)


@claim()
def eckart_young(notebook, seed):
    X = weights(seed)[2]
    s = np.linalg.svd(X, compute_uv=False)
    return tuple(below(relative(notebook.ae_loss(*notebook.pca_autoencoder(X, k), X),
                                np.sum(s[k:] ** 2)), 1e-9) for k in (1, 2, 3))


@claim()
def coordinates_are_free(notebook, seed):
    W1, W2, X = weights(seed)
    C = np.random.default_rng(seed + 100).normal(size=(2, 2)) + 3 * np.eye(2)
    turned = notebook.ae_loss(C @ W1, W2 @ np.linalg.inv(C), X)
    return below(relative(turned, notebook.ae_loss(W1, W2, X)), 1e-9)


@claim(seeds=1)
def projector_by_hand(notebook, seed):
    W1, W2 = notebook.pca_autoencoder(np.outer([0.6, 0.8], [1.0, -2.0, 3.0]), 1)
    return below(np.abs((W2 @ W1).ravel() - [0.36, 0.48, 0.48, 0.64]).max(), 1e-9)


@claim(seeds=1, title="Digits through a bottleneck of k numbers: ten are nearly enough to read "
       "them")
def ten_to_read(notebook, seed):
    """The nearest clean training image names the digit of a reconstruction."""
    read = {}
    for k in (2, 10):
        W1, W2 = notebook.pca_autoencoder(notebook.X_train, k)
        images = W2 @ (W1 @ notebook.X_test)
        squares = np.sum(notebook.X_train**2, axis=0) - 2 * images.T @ notebook.X_train
        found = notebook.train_labels[squares.argmin(axis=1)]
        read[k] = np.mean(found == notebook.test_labels)
    return above(read[10], 0.9), below(read[2], 0.5)


@claim(seeds=1)
def many_choices(notebook, seed):
    return above(math.comb(64, 10), 1e11)


@claim(seeds=1)
def tilts_by_hand(notebook, seed):
    X, flat, tilted = np.diag([2.0, 1.0]), np.array([[0.0, 1.0]]), np.array([[0.1, 1.0]])
    return (near(notebook.ae_loss(flat, flat.T, X), 4, within=1e-9),
            near(notebook.ae_loss(tilted, tilted.T, X), 3.9704, within=1e-9),
            near(notebook.ae_loss(tilted, flat.T, X), 4.04, within=1e-9))


@claim(title="Training walks from saddle to saddle")
def four_levels(notebook, seed):
    _, losses, _, _, half = stairs(notebook, seed)
    levels = np.array([np.sum(SIGMAS[k:] ** 2) for k in range(4)])
    return below(np.abs(losses[plateaus(half)] - levels).max(), 0.1)


@claim()
def ranks_of_plateaus(notebook, seed):
    _, _, _, visited, half = stairs(notebook, seed)
    ranks = [int(np.sum(np.linalg.svd(visited[t][1] @ visited[t][0], compute_uv=False) > 0.01))
             for t in plateaus(half)]
    return holds(ranks == [0, 1, 2, 3])


@claim()
def two_ways_out(notebook, seed):
    X = stairs(notebook, seed)[0]
    change = functools.partial(notebook.change_of_loss, X)
    return (below(change([0, 1, 3], "tilt"), 0), above(change([0], "tilt"), 0),
            above(change([0, 1], "tilt"), 0),
            *(below(change(kept, "growth"), 0) for kept in ([], [0], [0, 1])))


@claim()
def growth_near_a_saddle(notebook, seed):
    """The logarithm of a share is a straight line while the share is small."""
    shares, margins = stairs(notebook, seed)[2], []
    for i in range(3):
        small = np.flatnonzero((shares[:, i] > 1e-6) & (shares[:, i] < 1e-2))
        small = small[small > small[-1] - 60 * 25 / SIGMAS[i] ** 2]
        slope, offset = np.polyfit(small, np.log(shares[small, i]), 1)
        error = np.abs(np.log(shares[small, i]) - slope * small - offset).max()
        margins += [near(slope / (4e-3 * SIGMAS[i] ** 2), 1, within=0.1), below(error, 0.2)]
    return tuple(margins)


@claim()
def later_drops(notebook, seed):
    half = stairs(notebook, seed)[4]
    return (near(half[2] / half[0], 5, within=1.1),
            above(half[2] - half[1], max(half[0], half[1] - half[0])))


@claim(title="One direction after the other")
def fourth_never_comes(notebook, seed):
    _, _, shares, _, half = stairs(notebook, seed)
    return (below(np.abs(shares[:, 3:]).max(), 0.01), above(half[1], half[0]),
            above(half[2], half[1]), above(shares[-1, :3].min(), 0.99))
