"""What the lesson linear_foundations states."""
