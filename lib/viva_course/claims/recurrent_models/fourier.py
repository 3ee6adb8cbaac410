"""What the section about the Fourier transform states."""

import numpy as np

from viva_course.claiming import claim, holds, near


@claim(seeds=1)
def costs_of_convolutions(notebook, seed):
    L = 16_000
    return near(L**2 / 2, 128e6, within=1e6), near(2 * L * np.log2(2 * L), 5e5, within=5e4)


@claim(seeds=1, variants=("causal_conv_fft",))
def school_multiplication(notebook, seed):
    given = np.array([1.0, 10.0, 100.0]), np.array([1.0, 2.0, 3.0, 0.0, 0.0])
    return holds(np.allclose(notebook.causal_conv_fft(*given), [1, 12, 123, 230, 300]))
