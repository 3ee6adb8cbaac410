"""What the lesson width_scaling states."""
