"""What Part A states about the loss and its minimiser."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, near

FIRST = np.diag([1.0, 0.0])


def tied(notebook, A, B):
    return notebook.tie_lambda(A, B, notebook.toy)


@claim(seeds=1)
def silent_sensor(notebook, seed):
    return near(np.sum(notebook.toy[1] ** 2), 0.001, within=1e-9)


@claim(seeds=1)
def three_candidates(notebook, seed):
    stated = (np.eye(2), 0, 2), (FIRST, 0.001, 1), (np.zeros((2, 2)), 18.5593, 0)
    found = [notebook.purification_losses(W, notebook.toy, 1.0)[:2] for W, *_ in stated]
    return tuple(near(value, number, within=1e-6) for pair, (_, *numbers) in zip(found, stated)
                 for value, number in zip(pair, numbers))


@claim(seeds=1)
def worth_its_price(notebook, seed):
    gains = [notebook.purification_losses(FIRST, notebook.toy, lam)[2]
             - notebook.purification_losses(np.eye(2), notebook.toy, lam)[2]
             for lam in (0, 0.000999, 0.001001, 1)]
    return holds(np.sign(gains).tolist() == [1, 1, -1, -1])


@claim(seeds=1)
def lines_by_hand(notebook, seed):
    return holds(3 + 2 * 2 == 5 + 2), holds(3 + 2 * -2 == 1 - 2)


@claim(seeds=1)
def ties_of_the_toy_data(notebook, seed):
    return (near(tied(notebook, np.eye(2), FIRST), 0.001, within=1e-9),
            near(tied(notebook, FIRST, np.zeros((2, 2))), 18.5583, within=1e-6))


@claim(seeds=1)
def first_sensor_alone(notebook, seed):
    ends = tied(notebook, np.eye(2), FIRST), tied(notebook, FIRST, np.zeros((2, 2)))
    lams = np.linspace(*ends, 52)[1:-1]
    totals = np.array([[notebook.purification_losses(W, notebook.toy, lam)[2]
                        for W in (FIRST, np.eye(2), np.zeros((2, 2)))] for lam in lams])
    return above((totals[:, 1:] - totals[:, :1]).min(), 0)


@claim()
def projector_without_penalty(notebook, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(5, 2)) @ rng.normal(size=(2, 9))
    W = notebook.purifier(X, 0)
    rest = rng.normal(size=5)
    rest -= X @ np.linalg.lstsq(X, rest, rcond=None)[0]
    return below(np.abs(W @ X - X).max(), 1e-9), below(np.abs(W @ rest).max(), 1e-9)


@claim(seeds=1)
def best_map_by_hand(notebook, seed):
    toy = np.diag(notebook.purifier(notebook.toy, 1.0))
    return (holds(np.allclose(notebook.purifier(np.diag([2.0, 1.0]), 1), np.diag([0.8, 0.5]))),
            near(toy[0], 0.949, within=0.0005), near(toy[1], 0.001, within=0.0005))


@claim()
def gram_loses_directions(notebook, seed):
    """The projector at lam = 0, by way of the Gram matrix and by way of the data."""
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.normal(size=(size, 2)))[0] for size in (4, 6))
    X = (U * [1, 3e-9]) @ V.T
    gram = X @ X.T
    by_gram = gram @ np.linalg.pinv(gram, hermitian=True)
    return (above(np.abs(by_gram - U @ U.T).max(), 0.01),
            below(np.abs(notebook.purifier(X, 0) - U @ U.T).max(), 1e-5))
