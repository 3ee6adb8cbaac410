"""What section 10 states about graphs."""

import numpy as np

from viva_course.claiming import between, claim, holds, literature


@literature("Zaheer et al. (2020), arXiv:2007.14062", place="abstract and section 3")
def bigbird_universal():
    """Universal approximation with a star graph; Turing completeness with a sparse decoder."""


@claim()
def layers_to_cross(notebook, seed):
    rng = np.random.default_rng(seed)
    far = {name: notebook.hops(notebook.bigbird_mask(128, *numbers, rng)).max()
           for name, numbers in notebook.GRAPHS.items()}
    return (holds(far["window"] == 43 and far["window + global"] == far["BigBird"] == 2),
            between(far["window + random"], 3.5, 5.5))
