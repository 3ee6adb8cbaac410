"""What Part A states about walks."""

import numpy as np

from viva_course.claiming import below, claim, holds


@claim(seeds=1)
def two_layers_come_back(notebook, seed):
    one, shares = notebook.walk_shares(1), notebook.walk_shares(2)
    back = notebook.propagate_sum(notebook.club, 2)[0, 0]
    return (holds(np.allclose(one, notebook.club[0] / 16)),
            holds(shares.argmax() == 0 and back == 16))


@claim(title="After many layers the start is forgotten", seeds=1)
def start_is_forgotten(notebook, seed):
    shares = np.array([notebook.walk_shares(30, start) for start in range(34)])
    return below(np.ptp(shares, axis=0).max(), 0.001), holds((shares.argmax(axis=1) == 33).all())


@claim(title="On a ring of twelve nodes even layers reach even distances only", seeds=1)
def ring_has_two_kinds(notebook, seed):
    ring = np.roll(np.eye(12), 1, axis=1) + np.roll(np.eye(12), -1, axis=1)
    odd = np.subtract.outer(np.arange(12), np.arange(12)) % 2 == 1
    return tuple(holds(not np.asarray(rule(ring, k))[odd].any())
                 for rule in (notebook.propagate_sum, notebook.propagate_max) for k in (2, 4, 8))
