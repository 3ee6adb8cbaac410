"""What the lesson kernel_attention states."""
