"""What the lesson convolution states."""
