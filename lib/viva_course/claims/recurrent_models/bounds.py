"""What the section about the bound states."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@claim(seeds=1)
def napkin_example(notebook, seed):
    W = np.array([[0.0, 10.0], [0.0, 0.0]])
    return near(np.linalg.norm(W, 2), 10, within=1e-9), holds(not (W @ W).any())


@claim(seeds=1)
def eigenvalues_of_a_product(notebook, seed):
    one, other = np.array([[0.0, 2], [0, 0]]), np.array([[0.0, 0], [2, 0]])
    singles = np.abs(np.linalg.eigvals([one, other])).max()
    return holds(singles == 0), near(np.linalg.eigvals(one @ other).max(), 4, within=1e-9)


@claim(seeds=1)
def logistic_numbers(notebook, seed):
    verdicts = [notebook.gradient_verdict(np.diag([size, 0.0]), 0.25) for size in (3.8, 4.2)]
    return holds(verdicts == ["vanishes", "undetermined"])


@claim(title="Where the bound proves nothing, gradients vanish or explode")
def the_bound_has_one_direction(notebook, seed):
    found = notebook.jacobian_sizes(seed)
    proven = [J for verdict, *_, J in found if verdict == "vanishes"]
    open_ = [J for verdict, *_, J in found if verdict == "undetermined"]
    return below(max(proven), 1), below(min(open_), 0.01), above(max(open_), 100)


@claim()
def few_tanh_explode(notebook, seed):
    sizes = [J for _, network, _, J in notebook.jacobian_sizes(seed) if network == "tanh"]
    return below(np.mean(np.array(sizes) > 1), 0.05)


@claim(title="A norm above 1 does not mean an explosion", seeds=1)
def norm_above_one_vanishes(notebook, seed):
    norm, size = notebook.shear_sizes(0.5, 3.0)
    return above(norm, 3), below(size, 1e-3)


@claim(seeds=1)
def coupling_moves_the_border(notebook, seed):
    sizes = [notebook.shear_sizes(a, 3.0)[1] for a in (0.875, 0.894)]
    return below(sizes[0], 1), above(sizes[1], 1)
