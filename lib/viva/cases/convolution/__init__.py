"""Public cases of the homework `convolution`."""

SECTIONS = ("sizes", "correlation", "pooling", "batch_norm", "spatial", "dropout_ridge", "dropout")
