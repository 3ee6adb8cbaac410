"""What the lesson adaptation_and_circuits states."""
