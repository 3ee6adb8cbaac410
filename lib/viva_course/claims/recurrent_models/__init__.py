"""What the lesson recurrent_models states."""
