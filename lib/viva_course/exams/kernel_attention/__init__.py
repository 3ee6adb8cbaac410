"""The exam of kernel_attention."""
