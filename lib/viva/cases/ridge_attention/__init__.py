"""Public cases of the homework `ridge_attention`, section by section."""

SECTIONS = ("mean", "batch", "rank_one", "online", "layer", "window")
