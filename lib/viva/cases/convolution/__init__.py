"""Public cases of the homework `convolution`."""

SECTIONS = ("sizes", "correlation", "gradient_noise", "pooling", "batch_norm", "spatial",
            "dropout_ridge", "dropout")
