"""Public cases of optimizers, in the order of the notebook."""

SECTIONS = ("momentum", "averages", "adam", "decay", "adam_decay", "noise", "quadratic",
            "nesterov", "counting", "torch_class", "steepest_descent", "orthogonal",
            "muon_polynomial", "muon")
