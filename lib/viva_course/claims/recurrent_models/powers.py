"""What the section about powers states."""

import numpy as np

from viva_course.claiming import claim, holds


@claim(seeds=1)
def nineteen_products(notebook, seed):
    calls = []

    def counting(x, y):
        calls.append(1)
        return np.matmul(x, y)

    powers = notebook.matrix_powers(np.array([[1.0, 1.0], [0.0, 1.0]]), 5)
    notebook.matrix_powers(0.5 * np.eye(2), 1024, matmul=counting)
    return holds(powers[:, 0, 1].tolist() == [0, 1, 2, 3, 4]), holds(len(calls) == 19)
