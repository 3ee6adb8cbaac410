"""What the lesson efficient_attention states."""
