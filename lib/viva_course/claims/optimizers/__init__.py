"""What the lesson optimizers states."""
