"""What the section about diagonal systems states."""

import numpy as np

from viva_course.claiming import claim, holds


@claim(seeds=1)
def diagonal_by_hand(notebook, seed):
    given = np.array([0.5, 1.0]), np.array([1.0, 2.0]), np.array([4.0, 3.0])
    return holds(np.allclose(notebook.diag_ssm_kernel(*given, 7.0, 4), [7, 10, 8, 7]))
