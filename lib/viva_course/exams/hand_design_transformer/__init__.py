"""The exam of hand_design_transformer."""
