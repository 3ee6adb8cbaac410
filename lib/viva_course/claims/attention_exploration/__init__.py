"""What the lesson attention_exploration states."""
