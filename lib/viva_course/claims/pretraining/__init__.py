"""What the lesson pretraining states."""
