"""What the lesson purification states."""
