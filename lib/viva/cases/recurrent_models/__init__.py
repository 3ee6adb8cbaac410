"""Public cases of the homework recurrent_models, a module per section of the notebook."""

SECTIONS = ("states", "jacobians", "bounds", "backward", "statespace", "fourier", "powers",
            "diagonal", "rank1", "scans", "layers")
