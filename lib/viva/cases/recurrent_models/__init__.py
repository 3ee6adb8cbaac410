"""Public cases of the homework recurrent_models, a module per section of the notebook."""

SECTIONS = ("states", "jacobians", "backward", "statespace", "powers", "structure", "scans")
