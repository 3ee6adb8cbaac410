"""What the section about state-space models states."""

import numpy as np

from viva_course.claiming import claim, holds


@claim(seeds=1)
def kernel_by_hand(notebook, seed):
    kernel = notebook.ssm_kernel(0.5 * np.eye(1), np.ones(1), np.ones(1), 0.0, 5)
    return holds(np.allclose(kernel, [0, 1, 0.5, 0.25, 0.125]))


@claim(title="The modulus of an eigenvalue is the memory, its angle is the frequency", seeds=1)
def modulus_is_memory(notebook, seed):
    first, lags = np.array([1.0, 0.0]), np.arange(79)
    return tuple(holds(np.allclose(
        notebook.ssm_kernel(notebook.turning(radius, angle), first, first, 0.0, 80)[1:],
        radius**lags * np.cos(angle * lags)))
        for radius, angle in ((0.9, 0.0), (0.97, 0.3), (1.0, 0.6)))
