"""Public cases of the homework `convolution`."""

EXERCISES = {
    "sizes": [["conv_shape", "pool_shape", "receptive_field"]],
    "correlation": [["conv2d_valid", "conv2d_grad_w", "conv2d_grad_x"]],
    "layer": [["conv_layer", "conv_layer_backward"]],
    "gradient_noise": [["grad_w_std"]],
    "pooling": [["max_pool_backward", "avg_pool_backward"]],
    "batch_norm": [["center_backward", "bn_forward", "bn_backward"]],
    "spatial": [["spatial_bn"]],
    "dropout_ridge": [["dropout_expected_loss", "dropout_ridge_solution"]],
    "dropout": [["Dropout"]],
}
