"""What the lesson hand_design_transformer states."""
