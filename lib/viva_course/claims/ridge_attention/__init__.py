"""What the homework `ridge_attention` states, section by section."""
