"""What sections 3 to 6 state: examples by hand, and three readings of a circuit."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@claim(seeds=1)
def stream_by_hand(notebook, seed):
    final, parts = notebook.residual_contributions(
        np.array([[1.0], [2.0]]), [lambda X: 2 * X, lambda X: X + 1])
    return (holds(final.ravel().tolist() == [7, 13]),
            holds([part.ravel().tolist() for part in parts] == [[1, 2], [2, 4], [4, 7]]))


@claim(seeds=1)
def heads_by_hand(notebook, seed):
    WO, r = np.array([[1, 0], [0, 5]]), np.array([[3, 1], [0, 2]])
    added = [WO[:, [h]] @ r[[h]] for h in range(2)]
    return (holds((WO @ r).tolist() == [[3, 1], [0, 10]]),
            holds([each.tolist() for each in added] == [[[3, 1], [0, 0]], [[0, 0], [0, 10]]]))


@claim(seeds=1)
def circuit_by_hand(notebook, seed):
    return holds(notebook.qk_circuit(np.array([[1, 0]]), np.array([[0, 2]])).tolist()
                 == [[0, 2], [0, 0]])


@claim()
def identity_reads_itself(notebook, seed):
    """On average over ten draws of tokens."""
    own = [np.mean(P.argmax(axis=1) == np.arange(10)) for P in patterns(notebook, "identity", seed)]
    return above(np.mean(own), 0.75)


@claim()
def one_feature_splits(notebook, seed):
    X, P = notebook.read_by(*notebook.READINGS["one feature"], seed)
    best = np.where(X[0] > 0, X[0].argmax(), X[0].argmin())
    return holds((P.argmax(axis=1) == best).all())


@claim()
def minus_avoids_itself(notebook, seed):
    own = [np.diagonal(P).mean() for P in patterns(notebook, "minus identity", seed)]
    return below(np.mean(own), 0.03)


def patterns(notebook, name, seed):
    """The patterns of a reading for ten draws of tokens."""
    return [notebook.read_by(*notebook.READINGS[name], 10 * seed + each)[1] for each in range(10)]


@claim(seeds=1)
def paths_by_hand(notebook, seed):
    first, second = np.array([[1.0, 0], [1, 0]]), np.array([[1.0, 0], [0.5, 0.5]])
    found = notebook.virtual_paths(np.array([[1.0, 3.0]]), np.eye(1), [(first, 2 * np.eye(1))],
                                   [(second, 5 * np.eye(1))])
    return holds([np.ravel(path).tolist() for path in found]
                 == [[1, 3], [2, 2], [5, 10], [10, 10]])


@claim(seeds=1)
def copying_by_hand(notebook, seed):
    stated = ((np.diag([3.0, -1]), 0.5), (np.array([[0.0, -1], [1, 0]]), 0),
              (np.array([[1.0, -2], [2, 1]]), 0.447))
    return tuple(near(notebook.copying_score(M), score, within=0.0005) for M, score in stated)
