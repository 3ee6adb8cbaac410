"""What sections 1 and 2 state about costs and ranks."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@claim(seeds=1)
def forty_gigabytes(notebook, seed):
    return near(100_000**2 * np.dtype(np.float32).itemsize / 1e9, 40, within=0.5)


@claim(title="Half is quadratic from n = {} on", seeds=1)
def half_quadratic(notebook, seed):
    n, found = notebook.crossings()
    book = n.index(100_000)
    return (holds([half for _, _, half in found] == [128, 768]),
            above(min(part[book] / total[book] for total, part, _ in found), 0.99))


@claim()
def bright_diagonal(notebook, seed):
    P = notebook.two_pictures(seed=seed)["softmax"]
    return above(np.mean(P.argmax(axis=1) == np.arange(36)), 0.9)


@claim(title="Separable weights have rank 8")
def separable_rank(notebook, seed):
    singular = np.linalg.svd(notebook.two_pictures(seed=seed)["separable"], compute_uv=False)
    return above(singular[7], 1e-9), below(singular[8], 1e-12)
