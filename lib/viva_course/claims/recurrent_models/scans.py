"""What the section about the scan states."""

import numpy as np

from viva_course.claiming import claim, holds


@claim(seeds=1)
def running_product_reaches_zero(notebook, seed):
    return holds(np.cumprod(np.full(1000, 0.4))[-1] == 0)


@claim(seeds=1)
def scan_by_hand(notebook, seed):
    states = notebook.linear_scan(np.array([9.0, 2.0, 3.0]), np.ones(3))
    return holds(states.tolist() == [1, 3, 10])


@claim(title="A gate of 0 forgets, a gate of 0.5 forgets half", seeds=1)
def gates_forget(notebook, seed):
    gates = np.array([1.0, 1.0, 0.0, 1.0, 0.5])
    states = notebook.linear_scan(gates, np.array([0.1, 0.1, 0.0, 0.1, 0.0]))
    return holds(np.allclose(states[[2, 4]], [0, 0.05]))


@claim(seeds=1)
def rounds_of_doubling(notebook, seed):
    return tuple(holds(notebook.longest_chain(T) == np.ceil(np.log2(T))) for T in (10, 100, 1000))
