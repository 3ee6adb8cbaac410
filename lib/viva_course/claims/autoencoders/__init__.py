"""What the lesson autoencoders states."""
